import { rarityOf } from '../../../text/words/lexical.ts';
import type { Piece } from '../../../text/words/pieces.ts';
import { queryTermsOf, termsOf } from '../../../text/words/terms.ts';

/** A text up to this length is quoted in full. */
const WHOLE = 320;

/** The part of a text that best matches the query, in whole sentences if they fit. */
export function bestPassage({ text, isFirst, isLast }: Piece, query: string): string {
  const clean = text.replaceAll(/\s+/g, ' ').trim();
  if (clean.length <= WHOLE)
    return withEllipses(clean, { isCutBefore: !isFirst, isCutAfter: !isLast });
  const sentences = Array.from(
    new Intl.Segmenter('en', { granularity: 'sentence' }).segment(clean),
  );
  const terms = sentences.map(({ segment }) => new Set(termsOf(segment)));
  const rarities = queryTermsOf(query).map((term) => {
    const having = terms.filter((each) => each.has(term)).length;
    return [term, rarityOf(having, sentences.length)] as const;
  });
  const marks = terms.map((each) => {
    let sum = 0;
    for (const [term, rarity] of rarities) sum += each.has(term) ? rarity : 0;
    return sum;
  });
  const passage = growAround(
    sentences.map(({ segment }) => segment),
    marks,
  );
  return withEllipses(passage.text, {
    isCutBefore: passage.isCutBefore || !isFirst,
    isCutAfter: passage.isCutAfter || !isLast,
  });
}

interface Cuts {
  isCutBefore: boolean;
  isCutAfter: boolean;
}

function withEllipses(text: string, { isCutBefore, isCutAfter }: Cuts): string {
  return `${isCutBefore ? '… ' : ''}${text}${isCutAfter ? ' …' : ''}`;
}

/** The best sentence, extended by its better neighbour while there is room. */
function growAround(
  sentences: readonly string[],
  marks: readonly number[],
): Cuts & { text: string } {
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
  return {
    text: passage.slice(0, WHOLE).toWellFormed(),
    isCutBefore: from > 0,
    isCutAfter: passage.length > WHOLE || to < sentences.length - 1,
  };
}
