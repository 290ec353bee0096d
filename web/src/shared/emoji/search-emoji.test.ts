import { describe, expect, it } from 'vitest';
import { EMOJI_GROUPS } from '../../../../server/src/text/emoji/emoji.ts';
import { searchEmoji } from './search-emoji.ts';

const all = EMOJI_GROUPS.flatMap(({ emoji }) => emoji);
const find = (query: string) => searchEmoji(all, query, 5).map(({ text }) => text);

describe('a search for an emoji', () => {
  it.each([
    ['tada', '🎉'],
    [':tada:', '🎉'],
    ['ta', '🎉'],
    ['+1', '👍'],
    ['thumbs up', '👍'],
    ['UP thumb', '👍'],
    ['party', '🎉'],
    ['rofl', '🤣'],
    ['lol', '🤣'],
    ['germany', '🇩🇪'],
    ['eyes', '👀'],
    ['ship', '🚢'],
    ['white check', '✅'],
    ['❤️', '❤️'],
  ])('%s finds %s', (query, text) => expect(find(query)).toContain(text));

  it('puts what was typed whole first', () => {
    expect(find('heart')[0]).toBe('❤️');
    expect(find('smile')[0]).toBe('😄');
    expect(find('100')[0]).toBe('💯');
  });

  it('puts what the person uses before others that match alike', () => {
    const [first] = searchEmoji(all, 'ta', 5, ['🎉']);
    expect(first?.text).toBe('🎉');
    expect(searchEmoji(all, 'smile', 5, ['🎉', '😃'])[0]?.text).toBe('😄');
  });

  it.each(['', ':', 'qqqq', 'tada qqqq'])('%j finds nothing', (query) =>
    expect(find(query)).toEqual([]),
  );
});
