import { rarityOf, termWeights } from '../memory/words/lexical.ts';
import { termsOf } from '../memory/words/terms.ts';

/** A text up to this long is quoted whole. */
const WHOLE = 320;

/** The part of a text that says most about the query: whole sentences where they fit. */
export function bestPassage(text: string, query: string): string {
  const clean = text.replaceAll(/\s+/g, ' ').trim();
  if (clean.length <= WHOLE) return clean;
  const sentences = Array.from(
    new Intl.Segmenter('en', { granularity: 'sentence' }).segment(clean),
  );
  const wanted = new Set(termsOf(query));
  const weights = sentences.map(({ segment }) => termWeights(segment));
  const rarities = new Map(
    [...wanted].map((term) => [
      term,
      rarityOf(weights.filter((byTerm) => byTerm.has(term)).length, sentences.length),
    ]),
  );
  const marks = weights.map((byTerm) => {
    let sum = 0;
    for (const [term, rarity] of rarities) sum += byTerm.has(term) ? rarity : 0;
    return sum;
  });
  return growAround(
    sentences.map(({ segment }) => segment),
    marks,
  );
}

/** The best sentence, and its neighbours while there is room, the better one first. */
function growAround(sentences: readonly string[], marks: readonly number[]): string {
  let from = marks.indexOf(Math.max(...marks));
  let to = from;
  let length = sentences[from]?.length ?? 0;
  for (;;) {
    const options = [from - 1, to + 1]
      .filter((at) => at >= 0 && at < sentences.length)
      .filter((at) => length + (sentences[at]?.length ?? 0) <= WHOLE)
      .toSorted((a, b) => (marks[b] ?? 0) - (marks[a] ?? 0));
    const next = options[0];
    if (next === undefined) break;
    length += sentences[next]?.length ?? 0;
    from = Math.min(from, next);
    to = Math.max(to, next);
  }
  const passage = sentences
    .slice(from, to + 1)
    .join('')
    .trim();
  const shown = passage.length <= WHOLE ? passage : `${passage.slice(0, WHOLE).toWellFormed()} …`;
  return `${from > 0 ? '… ' : ''}${shown}${to < sentences.length - 1 ? ' …' : ''}`;
}
