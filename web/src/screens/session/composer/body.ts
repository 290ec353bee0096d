import { countCharacters } from '../../../ui/text/count-characters.ts';
import { dropEmptyBlock } from './fences.ts';

/** In code points, as the API counts. */
export const LONGEST_BODY = 20_000;
const COUNTED_FROM = 18_000;

/** What is sent: trimmed, without a code block that is only begun, and without characters the API refuses. */
export function bodyOf(text: string): string {
  return dropEmptyBlock(text.replaceAll('\0', '').trim()).trim().toWellFormed();
}

/** The length once it is near the limit, or undefined. */
export function countNearLimit(text: string): number | undefined {
  if (text.length < COUNTED_FROM) return undefined;
  const count = countCharacters(text);
  return count < COUNTED_FROM ? undefined : count;
}
