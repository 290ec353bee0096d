import {
  EMOJI_GROUPS,
  findEmoji,
  TONES,
  toneEmoji,
  type Emoji,
} from '../../../../server/src/text/emoji/emoji.ts';
import { readUsed } from '../../data/device/used-emoji.ts';
import { searchEmoji } from './search-emoji.ts';
import { usualEmoji } from './usual-emoji.ts';

export { noteUsed } from '../../data/device/used-emoji.ts';

/** An emoji in the person's skin tone. */
export interface EmojiSuggestion {
  text: string;
  /** The one of its names that was typed. */
  shortName: string;
  name: string;
}

const MOST = 7;

/** For `:ta`. Those that the person uses come first. */
export function suggestEmoji(owner: string, typed: string): EmojiSuggestion[] {
  const query = typed.toLowerCase();
  const { tone, recent } = readUsed(owner);
  const chosenTone = TONES.find((one) => one === tone);
  const all = EMOJI_GROUPS.flatMap(({ emoji }) => emoji);
  const preferred = usualEmoji(recent, MOST).map((text) => findEmoji(text)?.emoji.text ?? '');
  return searchEmoji(all, query, MOST, preferred).map((emoji) => ({
    text: chosenTone ? toneEmoji(emoji, chosenTone) : emoji.text,
    shortName: nameFor(emoji, query),
    name: emoji.name,
  }));
}

/** Of the whole emoji, with its skin tones. */
export function nameEmoji(text: string): string | undefined {
  const found = findEmoji(text);
  const tones = found?.tones.map((tone) => findEmoji(tone)?.emoji.name) ?? [];
  return found && [found.emoji.name, ...tones].join(', ');
}

function nameFor({ shortNames }: Emoji, query: string): string {
  const typed = shortNames.find((name) => name === query);
  return typed ?? shortNames.find((name) => name.startsWith(query)) ?? shortNames[0] ?? '';
}
