import { isInCode } from './mentions.ts';

export interface EmojiQuery {
  /** The position of the colon. */
  from: number;
  /** The name after it, up to the caret. */
  query: string;
}

/** Not in 10:30, a::b or https://, and only once it looks like a name. */
const TYPED = /(?<![\p{L}\p{N}:]):([a-z0-9_+-]{2,40})$/iu;

/** The name of an emoji being typed before the caret, such as `:ta`. In code, a colon is just a colon. */
export function findEmojiQuery(text: string, caret: number): EmojiQuery | undefined {
  const found = TYPED.exec(text.slice(Math.max(0, caret - 60), caret));
  if (!found) return undefined;
  const from = caret - found[0].length;
  return isInCode(text.slice(0, from)) ? undefined : { from, query: found[1] ?? '' };
}
