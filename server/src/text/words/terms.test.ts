import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countWork } from '../../../test/harness/counting/count-work.ts';
import { isStopWord, placedWordsOf, termOf, termsOf } from './terms.ts';

describe('termsOf', () => {
  it.each([
    ['The quick brown foxes, jumping!', ['quick', 'brown', 'fox', 'jump']],
    ['She went, goes, has gone, is going', ['go', 'goe', 'go', 'go']],
    ['Café CAFE café ＣＡＦＥ', ['cafe', 'cafe', 'cafe', 'cafe']],
    ['Größe, Maß', ['große', 'maß']],
    ["don't they're Anna's", ['anna']],
    ['v2.1 und 3,14', ['v2', '1', 'und', '3', '14']],
    ['東京都', ['東京', '京都']],
    ['東', ['東']],
    ['ｶﾞﾗｽ', ['カラ', 'ラス']],
    ['Node東京2026年v3', ['東京', '年', 'node', '2026', 'v3']],
    ['สวัสดี', ['สว', 'วส', 'สด']],
    ['서울 시청', ['서울'.normalize('NFKD'), '시청'.normalize('NFKD')]],
    ['Привет, мир', ['привет', 'мир']],
    ['ﬁne ﬀ', ['fine', 'ff']],
    ['𝕳𝖊𝖑𝖑𝖔', ['hello']],
    ['🙂 ¿? --- \u200b', []],
    ['the of and', []],
    ['', []],
  ])('%j', (text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });

  it('keeps order and repetitions', () => {
    expect(termsOf('bread apples bread')).toEqual(['bread', 'appl', 'bread']);
  });

  it('cuts off words that are too long', () => {
    const [term, ...more] = termsOf('0123456789'.repeat(1_000));
    expect([term, more]).toEqual(['0123456789'.repeat(7).slice(0, 64), []]);
  });

  it('is the same however the letters of a text are composed', () => {
    const property = fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
      const terms = termsOf(text);
      expect(termsOf(text.normalize('NFD'))).toEqual(terms);
      expect(termsOf(text.normalize('NFC'))).toEqual(terms);
    });
    fc.assert(property, { numRuns: 500 });
  });

  it('has a term or none for every word, whatever the text', () => {
    const property = fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      for (const term of termsOf(text)) {
        expect(term).toMatch(/^[\p{L}\p{N}]+$/u);
        expect(term.length).toBeLessThanOrEqual(65);
      }
      expect(termsOf(text)).toEqual(termsOf(` ${text}\n`));
    });
    fc.assert(property, { numRuns: 1_000 });
  });

  it.each([
    ['combining marks', `e${'\u0301'.repeat(9_999)}`],
    ['marks in the wrong order', '\u0301\u0316'.repeat(5_000)],
    ['one word', 'a'.repeat(10_000)],
    ['one word of vowels and y', 'ay'.repeat(5_000)],
    ['a word that ends and ends', 'ational'.repeat(1_428)],
    ['ideographs', '東'.repeat(10_000)],
    ['letters that fold to eighteen', '\ufdfa'.repeat(10_000)],
    ['scripts by turns', 'a東'.repeat(5_000)],
    ['Hangul', '각'.repeat(10_000)],
    ['words', 'is it as '.repeat(1_111)],
  ])('takes linear work: %s', (_, text) => {
    const once = countWork(() => termsOf(text.slice(0, 1_000)));
    const whole = countWork(() => termsOf(text.slice(0, 4_000)));
    // Four times the text is 4 times the work if it is linear, and 16 times if it is quadratic.
    expect(whole / once).toBeLessThan(6);
    expect(once).toBeLessThan(500_000);
  });
});

describe('placedWordsOf', () => {
  const placed = (text: string) =>
    placedWordsOf(text).map(({ word, start, end }) => [
      word,
      Array.from(text).slice(start, end).join(''),
    ]);

  it.each([
    ['The Foxes, jumping!', ['the The', 'foxes Foxes', 'jumping jumping']],
    ['🙂🙂 Cafe\u0301s x', ['cafes Cafe\u0301s', 'x x']],
    ['ﬁne ΟΔΟΣ', ['fine ﬁne', 'οδος ΟΔΟΣ']],
    ['Node東京都v3', ['node Node', '東京 東京', '京都 京都', 'v3 v3']],
    ['ｶﾞﾗｽ', ['カラ ｶﾞﾗ', 'ラス ﾗｽ']],
  ])('%j', (text, words) => {
    expect(placed(text).map((pair) => pair.join(' '))).toEqual(words);
  });

  it('has the words that termsOf has, whatever the text', () => {
    const property = fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => {
      const words = placedWordsOf(text);
      const terms = words.flatMap(({ word }) => (isStopWord(word) ? [] : termOf(word)));
      expect(terms.toSorted()).toEqual(termsOf(text).toSorted());
      for (const { start, end } of words) expect(start).toBeLessThan(end);
    });
    fc.assert(property, { numRuns: 1_000 });
  });
});

describe('termOf', () => {
  it.each([
    ['went', 'go'],
    ['children', 'child'],
    ['bought', 'bui'],
    ['buy', 'bui'],
    ['constructor', 'constructor'],
    ['__proto__', '__proto__'],
  ])('%s: %s', (word, term) => {
    expect(termOf(word)).toBe(term);
  });
});

describe('isStopWord', () => {
  it('knows function words only', () => {
    expect(['the', 'which', 'yourself'].every(isStopWord)).toBe(true);
    expect(['price', 'constructor', ''].some(isStopWord)).toBe(false);
  });
});
