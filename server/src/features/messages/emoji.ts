/** The heart needs U+FE0F to be an emoji. Editors don't show that character, hence the escape. */
export const EMOJIS = ['👍', '👎', '😄', '😕', '\u2764\uFE0F', '🎉', '🚀', '👀', '✅'] as const;

export type Emoji = (typeof EMOJIS)[number];

const EMOJI_SELECTOR = '\uFE0F';

/** Some keyboards send the selector and some don't. Both mean the same reaction. */
const SPELLINGS = new Map<string, Emoji>(
  EMOJIS.flatMap((emoji) => {
    const bare = emoji.replace(EMOJI_SELECTOR, '');
    return [
      [bare, emoji],
      [bare + EMOJI_SELECTOR, emoji],
    ] as const;
  }),
);

/** The allow-listed emoji as it is stored. Undefined for any other, including skin tones, joined emojis and U+FE0E. */
export function normalizeEmoji(text: string): Emoji | undefined {
  return SPELLINGS.get(text);
}
