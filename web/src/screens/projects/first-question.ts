import { plainText } from '../../../../server/src/text/plain-text.ts';

const LONGEST = 60;

/** A question that the first memory answers, to be sent or changed. */
export function questionAbout(content: string, example: string): string {
  if (content === example) return '@recall what goes into memory?';
  const plain = plainText(content).replaceAll(/[@“”"]/g, '');
  const [sentence = ''] = plain.split(/(?<=[.!?])\s/, 1);
  const cut = sentence.length <= LONGEST ? sentence : sentence.slice(0, LONGEST);
  const words =
    sentence.length <= LONGEST ? cut : cut.slice(0, cut.lastIndexOf(' ') + 1 || LONGEST);
  return `@recall what do we know about “${words
    .trim()
    .replace(/[.!?,;:]+$/, '')
    .toWellFormed()}”?`;
}
