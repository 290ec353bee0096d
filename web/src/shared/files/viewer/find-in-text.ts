export interface Found {
  /** How often it is there. */
  count: number;
  /** The first of them with the words around it. */
  before: string;
  match: string;
  after: string;
}

const AROUND = 60;

/** Finds words on a page, whatever its case and however its lines are broken. */
export function findInText(text: string, query: string): Found | undefined {
  const words = query.trim().split(/\s+/).map(escape);
  if (words[0] === '') return undefined;
  const matches = [...text.matchAll(new RegExp(words.join('\\s+'), 'giu'))];
  const [first] = matches;
  if (!first) return undefined;
  const end = first.index + first[0].length;
  return {
    count: matches.length,
    before: inLine(text.slice(Math.max(0, first.index - AROUND), first.index)),
    match: inLine(first[0]),
    after: inLine(text.slice(end, end + AROUND)),
  };
}

function escape(word: string): string {
  return word.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function inLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').toWellFormed();
}
