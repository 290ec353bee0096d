import type { Mark } from '../../../ui/marks/passage.tsx';

/** Where words are in a text, in any case and however its lines are broken. The server counts them in the same way. */
export function findInText(text: string, query: string): Mark[] {
  const words = query.trim().split(/\s+/).map(escape);
  if (words[0] === '') return [];
  const matches = text.matchAll(new RegExp(words.join('[\\s|]+'), 'giu'));
  return Array.from(matches, ({ index, 0: { length } }) => ({ from: index, to: index + length }));
}

function escape(word: string): string {
  return word.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
