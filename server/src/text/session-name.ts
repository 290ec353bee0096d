import { plainText } from './plain-text.ts';

/** In characters as people see them. */
const LONGEST = 60;
/** Enough for them. The rest isn't looked at. */
const READ = 240;

/** Everybody who is addressed before the first word. */
const ADDRESSED = /^(?:@[\p{L}\p{N}_.:-]+[\s,:;]*)+/u;
const SENTENCE = /^.*?(?:[.!?…]+(?=\s|$)|[。！？])/u;
const END = /[\s.:;,…。]+$/u;

/**
 * The name of a session that begins with this message: its first sentence, without mentions and Markdown, cut
 * between words. Undefined if nothing is left.
 */
export function sessionNameFrom(body: string): string | undefined {
  const line = body.split('\n').find((one) => plainText(one).replace(ADDRESSED, '') !== '') ?? '';
  const text = plainText(line).replace(ADDRESSED, '').trim().slice(0, READ).toWellFormed();
  const sentence = (SENTENCE.exec(text)?.[0] ?? text).replace(END, '');
  const name = shorten(sentence === '' ? text : sentence);
  return name === '' ? undefined : name.charAt(0).toLocaleUpperCase('und') + name.slice(1);
}

const GRAPHEMES = new Intl.Segmenter();

/** Counted in characters as people see them, so that none is cut in two. */
function shorten(text: string): string {
  const characters = Array.from(GRAPHEMES.segment(text), ({ segment }) => segment);
  if (characters.length <= LONGEST) return text;
  const cut = characters.slice(0, LONGEST).join('');
  const space = cut.lastIndexOf(' ');
  // Some languages have no spaces, and some words are very long.
  return `${(space > LONGEST / 2 ? cut.slice(0, space) : cut).replace(END, '')}…`;
}
