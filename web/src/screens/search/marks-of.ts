import type { MessageMatch } from '@atrium/sdk';
import type { Mark } from '../../ui/marks/passage.tsx';

/** The API counts code points, JavaScript code units: an emoji is one of the first and two of the second. */
export function marksOf(text: string, highlights: MessageMatch['highlights']): Mark[] {
  const marks: Mark[] = [];
  let points = 0;
  let units = 0;
  const unitsAt = (target: number) => {
    for (; points < target && units < text.length; points++) {
      units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
    }
    return units;
  };
  for (const { start, end } of highlights) marks.push({ from: unitsAt(start), to: unitsAt(end) });
  return marks;
}
