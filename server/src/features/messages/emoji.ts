/** The heart is text unless U+FE0F follows, which no editor shows: hence the escape. */
export const EMOJIS = ['👍', '👎', '😄', '😕', '\u2764\uFE0F', '🎉', '🚀', '👀', '✅'] as const;

export type Emoji = (typeof EMOJIS)[number];

const EMOJI_SELECTOR = '\uFE0F';

/** Keyboards differ in whether they send the selector, and the reaction is the same one. */
const SPELLINGS = new Map<string, Emoji>(
  EMOJIS.flatMap((emoji) => {
    const bare = emoji.replace(EMOJI_SELECTOR, '');
    return [
      [bare, emoji],
      [bare + EMOJI_SELECTOR, emoji],
    ] as const;
  }),
);

/** The allow-listed emoji as we store it. Skin tones, joined emojis and U+FE0E make another emoji: undefined. */
export function normalizeEmoji(text: string): Emoji | undefined {
  return SPELLINGS.get(text);
}
