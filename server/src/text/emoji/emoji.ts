import list from './list.json' with { type: 'json' };

/*
 * The emoji that Unicode recommends, version 16.0. From a file, not from `\p{RGI_Emoji}`, which grows with the
 * runtime: what one process accepts, the next has to accept too. The web app uses this file as well.
 */

export interface Emoji {
  /** With every U+FE0F that Unicode writes in it. This form is stored and sent. */
  text: string;
  name: string;
  /** As chat systems and people who type `:tada:` call it. The first one is the usual one. */
  shortNames: readonly string[];
  /** Lower-case words, separated by spaces. */
  keywords: string;
  /** Has a form for each skin tone. */
  isTonable: boolean;
  /** Its form for two people of different tones, with 1 and 2 in their places. */
  pair: string | undefined;
}

export interface EmojiGroup {
  name: string;
  emoji: readonly Emoji[];
}

export const EMOJI_GROUPS: readonly EmojiGroup[] = list.map(({ name, emoji }) => ({
  name,
  emoji: emoji.map(([text = '', name = '', shortNames = '', keywords = '', tones]) => ({
    text,
    name,
    shortNames: shortNames.split(' ').filter(Boolean),
    keywords,
    isTonable: tones !== undefined,
    pair: tones === '1' ? undefined : tones,
  })),
}));

/** From light to dark. */
export const TONES = ['🏻', '🏼', '🏽', '🏾', '🏿'] as const;

export type Tone = (typeof TONES)[number];

/** The emoji in a skin tone, or with two people in one each. Without tones, as it is. */
export function toneEmoji({ text, isTonable, pair }: Emoji, first: Tone, second = first): string {
  if (!isTonable) return text;
  const [person = '', ...rest] = text;
  // Two people who are one character, such as 👭, share a tone. Others have one each, also the same.
  if (pair !== undefined && (first !== second || rest.length > 0)) {
    return pair.replace('1', first).replace('2', second);
  }
  // The tone says already that it is an emoji.
  return person + first + rest.join('').replace(/^\uFE0F/, '');
}

/** The emoji itself, then its forms in tones. */
export function formsOf(emoji: Emoji): { text: string; tones: readonly Tone[] }[] {
  if (!emoji.isTonable) return [{ text: emoji.text, tones: [] }];
  const single = TONES.map((tone) => ({ text: toneEmoji(emoji, tone), tones: [tone] }));
  const mixed = TONES.flatMap((first) =>
    TONES.filter((second) => emoji.pair !== undefined && second !== first).map((second) => ({
      text: toneEmoji(emoji, first, second),
      tones: [first, second],
    })),
  );
  return [{ text: emoji.text, tones: [] }, ...single, ...mixed];
}

const BY_BARE_TEXT = new Map(
  EMOJI_GROUPS.flatMap((group) => group.emoji)
    .flatMap((emoji) => formsOf(emoji).map(({ text, tones }) => ({ text, emoji, tones })))
    .map((form) => [bare(form.text), form]),
);

/** Of the whole text, which is one emoji. Undefined if it isn't, or is newer than the list. */
export function findEmoji(
  text: string,
): { text: string; emoji: Emoji; tones: readonly Tone[] } | undefined {
  // Only after a character that can be one does U+FE0F ask for an emoji.
  if (/(?<!\p{Emoji})\uFE0F/u.test(text)) return undefined;
  return BY_BARE_TEXT.get(bare(text));
}

/** Some keyboards send U+FE0F and some don't. Both mean the same emoji. */
export function normalizeEmoji(text: string): string | undefined {
  return findEmoji(text)?.text;
}

function bare(text: string): string {
  return text.replaceAll('\uFE0F', '');
}
