import type { MessageMatch } from '@atrium/sdk';
import { readPlainText } from '../../../../server/src/text/plain-text.ts';
import type { Mark } from '../../ui/marks/passage.tsx';

/** What was found, in plain text, with the words that matched. */
export function plainMatch(
  body: string,
  highlights: MessageMatch['highlights'],
): { text: string; marks: Mark[] } {
  return withoutMarkup(body, marksOf(body, highlights));
}

/** Markdown as plain text, with the marks at their places in it. */
export function withoutMarkup(markdown: string, marks: Mark[]): { text: string; marks: Mark[] } {
  const { text, placeOf } = readPlainText(markdown);
  const moved = marks.map(({ from, to }) => ({ from: placeOf(from), to: placeOf(to) }));
  // In an address or another part that isn't shown, nothing is left of it.
  return { text, marks: moved.filter(({ from, to }) => from < to) };
}

/** The API counts code points, JavaScript code units: an emoji is one of the first and two of the second. */
export function marksOf(text: string, highlights: MessageMatch['highlights']): Mark[] {
  let units = 0;
  const starts = Array.from(text, (point) => (units += point.length) - point.length);
  const unitsAt = (points: number) => starts[points] ?? text.length;
  return highlights.map(({ start, end }) => ({ from: unitsAt(start), to: unitsAt(end) }));
}
