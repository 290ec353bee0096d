import { toStreamSafe } from '../../text/stream-safe.ts';

/** The words that tasks are found by: runs of letters and digits, in lower case, from their beginning. */
const WORD = /[\p{L}\p{N}]+/gu;
/** Longer words are found by what they begin with. */
const LONGEST_WORD = 40;
const MOST_WORDS = 2_000;
const MOST_QUERIED = 10;

/** Each behind a part of the Project's id. */
export function wordsOf(
  projectId: string,
  { title, description }: { title: string; description: string | null },
): string[] {
  const words = fold(`${title} ${description ?? ''}`).match(WORD) ?? [];
  const distinct = new Set(words.map((word) => prefixOf(projectId) + shorten(word)));
  return [...distinct].slice(0, MOST_WORDS);
}

/** A tsquery for tasks with words that begin with those of the query. Undefined if it has none. */
export function queryFor(projectIds: readonly string[], query: string): string | undefined {
  const words = (fold(query).match(WORD) ?? []).slice(0, MOST_QUERIED);
  if (words.length === 0 || projectIds.length === 0) return undefined;
  const inProject = (projectId: string) =>
    words.map((word) => `'${prefixOf(projectId)}${shorten(word)}':*`).join(' & ');
  return projectIds.map((projectId) => `(${inProject(projectId)})`).join(' | ');
}

function fold(text: string): string {
  return toStreamSafe(text).normalize('NFKC').toLowerCase();
}

function prefixOf(projectId: string): string {
  return projectId.slice(-6);
}

function shorten(word: string): string {
  return word.length <= LONGEST_WORD ? word : word.slice(0, LONGEST_WORD).toWellFormed();
}
