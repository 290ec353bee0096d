/**
 * What Unicode normalisation sorts: combining marks, and the two halfwidth letters that decompose into
 * one.
 */
const LONG_RUN = /([\p{M}\uff9e\uff9f]{30})(?=[\p{M}\uff9e\uff9f])/gu;
const GRAPHEME_JOINER = '\u034f';

/**
 * Converts text to Unicode's Stream-Safe Text Format (UAX #15): a joiner breaks up each run of more than
 * 30 marks. Sorting a run takes quadratic time, and no written language has such runs.
 */
export function toStreamSafe(text: string): string {
  return text.replaceAll(LONG_RUN, `$1${GRAPHEME_JOINER}`);
}
