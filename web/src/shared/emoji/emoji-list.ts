import { lazyFile } from '../../data/lazy-file.ts';

/** What needs the server's list of emoji. That is as large as a screen, so it comes when it is needed. */
export const useEmojiList = lazyFile(() => import('./suggest-emoji.ts'));

/** Says what an emoji is called. Until the list is there, the emoji itself, which screen readers can name. */
export function useEmojiNames(isNeeded: boolean): (text: string) => string {
  const loaded = useEmojiList(isNeeded);
  return (text) => loaded?.nameEmoji(text) ?? text;
}
