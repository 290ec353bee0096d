import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EMOJI_GROUPS, findEmoji, formsOf, normalizeEmoji } from './emoji.ts';

const EMOJI = '\uFE0F';
const TEXT = '\uFE0E';
const JOINER = '\u200D';

const all = EMOJI_GROUPS.flatMap((group) => group.emoji);
const forms = all.flatMap((emoji) => formsOf(emoji).map(({ text }) => text));
const known = new Set(forms);
const graphemes = new Intl.Segmenter();
/** As recommended by this Node. Once, because it takes half a second to compile. */
const RECOMMENDED = /^\p{RGI_Emoji}$/v;

describe('the list', () => {
  it('has the 3,790 emoji of Unicode 16.0, each once', () => {
    expect([forms.length, known.size]).toEqual([3790, 3790]);
  });

  it('has only what this Node recommends too, each as one grapheme', () => {
    const rest = forms.filter((text) => !RECOMMENDED.test(text));
    expect(rest).toEqual([]);
    expect(forms.filter((text) => [...graphemes.segment(text)].length !== 1)).toEqual([]);
  });

  it('lacks only what is newer, of the emoji of one character that this Node recommends', () => {
    const codes = Array.from({ length: 0x20000 }, (_, code) => code).filter((code) =>
      /^\p{Emoji}$/u.test(String.fromCodePoint(code)),
    );
    const missing = codes.filter((code) => {
      const text = String.fromCodePoint(code);
      if (normalizeEmoji(text) !== undefined) return false;
      return RECOMMENDED.test(text) || RECOMMENDED.test(text + EMOJI);
    });
    // Those of Unicode 17.0. A newer Node knows more of them, and the list stays as it is.
    const newer = [0x1f6d8, 0x1fa8a, 0x1fa8e, 0x1fac8, 0x1facd, 0x1faea, 0x1faef];
    expect(missing).toEqual(newer);
  });

  it('has a name for each, and short names that mean only one', () => {
    expect(all.filter(({ name }) => name === '')).toEqual([]);
    const names = all.flatMap(({ shortNames }) => shortNames);
    expect(new Set(names).size).toBe(names.length);
    expect(all.filter(({ shortNames }) => shortNames.length === 0).map(({ text }) => text)).toEqual(
      ['🦰', '🦱', '🦲', '🦳'],
    );
  });
});

describe('an emoji', () => {
  it('is the same with and without U+FE0F', () => {
    const bare = forms.map((text) => text.replaceAll(EMOJI, ''));
    expect(bare.map(normalizeEmoji)).toEqual(forms);
    expect(forms.map(normalizeEmoji)).toEqual(forms);
    expect(['👍\uFE0F', '\u2764', '🕵🏽‍♀', '✌\uFE0F🏽', '1\u20E3'].map(normalizeEmoji)).toEqual([
      '👍',
      '\u2764\uFE0F',
      '🕵🏽‍♀️',
      '✌🏽',
      '1\uFE0F\u20E3',
    ]);
  });

  it('has its base and its tones', () => {
    expect(findEmoji('👍🏽')).toMatchObject({ emoji: { text: '👍' }, tones: ['🏽'] });
    expect(findEmoji('🫱🏻‍🫲🏿')).toMatchObject({ emoji: { text: '🤝' }, tones: ['🏻', '🏿'] });
    expect(findEmoji('👭🏻')).toMatchObject({ emoji: { text: '👭' }, tones: ['🏻'] });
    expect(findEmoji('🧑🏻‍🤝‍🧑🏻')).toMatchObject({ emoji: { text: '🧑‍🤝‍🧑' }, tones: ['🏻'] });
  });

  it.each([
    ['', ' ', EMOJI, TEXT, JOINER, 'x', '1', '+1', ':+1:', `©${TEXT}`, '__proto__', '\uD83D'],
    ['👍👍', '👍 ', ' 👍', '👍\n', `👍${JOINER}`, `👍${TEXT}`, `👍${EMOJI}${EMOJI}`, `${EMOJI}👍`],
    // One grapheme each, but not recommended: a tone on a rocket, a joined pair, a flag of no country, letters.
    ['🚀🏽', `🚀${JOINER}👀`, '🇦🇦', '🇦', 'e\u0301', '👍🏽🏽', '🫪'],
  ])('is not one of %j', (...texts) => {
    expect(texts.map(normalizeEmoji)).toEqual(texts.map(() => undefined));
  });

  it('any string is refused except the spellings of the list', () => {
    const marks = ['\u20E3', EMOJI, TEXT, JOINER, ' ', '\uD83D', '\uDC4D'];
    const parts = [...Array.from('👍🏽🚀👀🇩🇪🧑🤝❤1#'), ...marks];
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom(...parts), { maxLength: 6 }).map((each) => each.join('')),
    );
    const property = fc.property(texts, (text) => {
      const found = normalizeEmoji(text);
      expect(known.has(text)).toBe(found === text);
      if (found === undefined) return;
      expect(known.has(found)).toBe(true);
      expect(found.replaceAll(EMOJI, '')).toBe(text.replaceAll(EMOJI, ''));
      expect([...graphemes.segment(text)]).toHaveLength(1);
    });
    fc.assert(property, { numRuns: 1000 });
  });
});
