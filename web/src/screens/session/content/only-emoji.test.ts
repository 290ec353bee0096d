import { expect, it } from 'vitest';
import { EMOJI_GROUPS, formsOf } from '../../../../../server/src/text/emoji/emoji.ts';
import { isOnlyEmoji } from './only-emoji.ts';

it('is any one emoji, and up to three', () => {
  const all = EMOJI_GROUPS.flatMap(({ emoji }) => emoji.flatMap(formsOf)).map(({ text }) => text);
  expect(all.filter((text) => !isOnlyEmoji(text))).toEqual([]);
  expect(['🎉🎉🎉', '👍🏽 🚀', '🇩🇪\n🇫🇷', '👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦'].map(isOnlyEmoji)).toEqual([
    true,
    true,
    true,
    true,
  ]);
});

it.each(['', ' ', 'x', '1', '#', '©', '🎉!', 'a 🎉', '🎉🎉🎉🎉', '**🎉**', '`🎉`', '# 🎉', '123'])(
  'is not %j',
  (body) => expect(isOnlyEmoji(body)).toBe(false),
);
