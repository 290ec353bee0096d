import type { Mark } from '../../ui/marks/passage.tsx';

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts written without spaces, in which pairs of characters stand for words. */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+$/u;
const ENDING = /(?:ings?|ed|ies|es|s|ly|er|e)$/;
const SMALL_WORDS = new Set(
  'a an and are as at be by do for how i in is it its of on or our that the this to was we what when where who why with you'.split(
    ' ',
  ),
);

/**
 * Where a word of the text begins with a word of the query, ignoring endings, case and accents. This is
 * close enough to what the search compares to show why something was found.
 */
export function findMarks(text: string, query: string): Mark[] {
  const { stems, pairs } = readQuery(query);
  if (stems.length === 0 && pairs.size === 0) return [];
  const marks: Mark[] = [];
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (UNSPACED.test(word)) marks.push(...findPairs(word, index, pairs));
    else if (stems.some((stem) => fold(word).startsWith(stem))) {
      marks.push({ from: index, to: index + word.length });
    }
  }
  return marks;
}

/**
 * Below this chance that it answers the query, a match is weak: two of three answers are above, and one in
 * fifty matches of questions that nothing answers (`npm run bench -- recall`). A match by words counts anyway.
 */
const CLOSE_SCORE = 0.04;

/** The server doesn't match half-typed words, so matches in the text count too. */
export function isClose(
  { content, score = 0 }: { content: string; score?: number },
  query: string,
): boolean {
  return score >= CLOSE_SCORE || findMarks(content, query).length > 0;
}

function readQuery(query: string): { stems: string[]; pairs: Set<string> } {
  const words = Array.from(query.matchAll(WORD), ([word]) => word);
  const unspaced = words.filter((word) => UNSPACED.test(word));
  const folded = words.filter((word) => !UNSPACED.test(word)).map(fold);
  const telling = folded.filter((word) => word.length > 1 && !SMALL_WORDS.has(word));
  return {
    stems: (telling.length > 0 ? telling : folded).map(stem),
    pairs: new Set(unspaced.flatMap(pairsOf)),
  };
}

function fold(word: string): string {
  return word.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

function stem(word: string): string {
  const short = word.replace(ENDING, '');
  return short.length >= 3 ? short : word;
}

function pairsOf(word: string): string[] {
  const characters = Array.from(word);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

function findPairs(word: string, start: number, pairs: Set<string>): Mark[] {
  const marks: Mark[] = [];
  for (const pair of pairs) {
    for (let at = word.indexOf(pair); at !== -1; at = word.indexOf(pair, at + 1)) {
      marks.push({ from: start + at, to: start + at + pair.length });
    }
  }
  return joinOverlapping(marks.toSorted((one, other) => one.from - other.from));
}

function joinOverlapping(marks: Mark[]): Mark[] {
  const joined: Mark[] = [];
  for (const mark of marks) {
    const last = joined.at(-1);
    if (last && mark.from <= last.to) last.to = Math.max(last.to, mark.to);
    else joined.push({ ...mark });
  }
  return joined;
}
