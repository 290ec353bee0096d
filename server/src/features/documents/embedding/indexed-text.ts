import type { CutPassage } from '../cut-passages.ts';

/** What a passage is found by: its heading says what it is about, even if the passage does not repeat it. */
export function indexedText({ text, heading }: Pick<CutPassage, 'text' | 'heading'>): string {
  return heading === null || text.includes(heading) ? text : `${heading}\n${text}`;
}
