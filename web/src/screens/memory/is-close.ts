import { findMarks } from './find-marks.ts';

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
