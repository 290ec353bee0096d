import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emojiName, emojiOf } from '../../adapters/chat/emoji.ts';
import { EMOJIS, normalizeEmoji } from './emoji.ts';

const EMOJI = '\uFE0F';
const TEXT = '\uFE0E';
const JOINER = '\u200D';

describe('an emoji of the list', () => {
  it('is one of nine, as the contract writes them', () => {
    expect(EMOJIS.join(' ')).toBe('👍 👎 😄 😕 \u2764\uFE0F 🎉 🚀 👀 ✅');
  });

  it('has a name in chat systems, and no other emoji has one', () => {
    expect(EMOJIS.map((emoji) => emojiOf(emojiName(emoji) ?? ''))).toEqual([...EMOJIS]);
    expect(emojiOf('+1::skin-tone-3')).toBe('👍');
    expect([emojiOf('poop'), emojiName('💩')]).toEqual([undefined, undefined]);
  });

  it.each(EMOJIS)('%s is the same with the emoji selector and without', (emoji) => {
    const bare = emoji.replace(EMOJI, '');
    expect([emoji, bare, bare + EMOJI].map(normalizeEmoji)).toEqual([emoji, emoji, emoji]);
  });

  it.each(EMOJIS)('%s counts only on its own', (emoji) => {
    const bare = emoji.replace(EMOJI, '');
    const selected = [bare + TEXT, emoji + TEXT, bare + EMOJI + EMOJI, EMOJI + emoji];
    const joined = [`${bare}🏽`, emoji + JOINER, `${emoji}${JOINER}🔥`, bare.slice(0, -1)];
    const among = [
      `${emoji} `,
      ` ${emoji}`,
      `${emoji}\n`,
      emoji + emoji,
      `${emoji}👍`,
      `x${emoji}`,
    ];
    const others = [...selected, ...joined, ...among];
    expect(others.map(normalizeEmoji)).toEqual(others.map(() => undefined));
  });
});

it.each([
  '',
  ' ',
  EMOJI,
  JOINER,
  '🏽',
  '👍🏽',
  '❤️‍🔥',
  '💔',
  '💚',
  '♥️',
  '☑️',
  ':+1:',
  '+1',
  '__proto__',
])('%j is refused', (text) => expect(normalizeEmoji(text)).toBeUndefined());

it('any string is refused except the spellings in the list', () => {
  const spelling = /^(?:[👍👎😄😕🎉🚀👀✅]|\u2764)\uFE0F?$/u;
  const parts = [...EMOJIS, '\u2764', '🔥', '🏽', EMOJI, TEXT, JOINER, ' ', '\uD83D', '\uDC4D'];
  const texts = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'binary' }),
    fc.array(fc.constantFrom(...parts), { maxLength: 3 }).map((each) => each.join('')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const emoji = normalizeEmoji(text);
      expect(emoji !== undefined).toBe(spelling.test(text));
      if (emoji !== undefined) expect(text.replace(EMOJI, '')).toBe(emoji.replace(EMOJI, ''));
    }),
    { numRuns: 1000 },
  );
});
