import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countWork } from '../../test/harness/counting/count-work.ts';
import { escapeMarkdown, plainText, readPlainText } from './plain-text.ts';

describe('Markdown as plain text', () => {
  it.each([
    ['**Bold** and _slanted_, ~~gone~~ and `code`', 'Bold and slanted, gone and code'],
    ['***both*** **a *b***', 'both a b'],
    ['## Rollout\n\nWe start on Monday.', 'Rollout: We start on Monday.'],
    ['# Why?\nBecause', 'Why? Because'],
    ['- one\n- [x] two\n- three', 'one · two · three'],
    ['We need:\n- one\n- two', 'We need: one · two'],
    ['> quoted\n> more', 'quoted more'],
    ['| Name | Day |\n|---|:-:|\n| Ada | **Monday** |', 'Name · Day · Ada · Monday'],
    ['a | b\n--|--\n1 | 2', 'a · b · 1 · 2'],
    ['see [the plan](https://a.b/c_d) and ![a cat](x.png)', 'see the plan and a cat'],
    ['<https://a.b> \\*not bold\\*', 'https://a.b *not bold*'],
    ['```ts\nconst a = b * c * d;\n```\nafter', 'const a = b * c * d; after'],
    ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
    ['`a **b**` is code', 'a **b** is code'],
    ['one\n\n---\n\ntwo', 'one two'],
    ['a**b', 'a**b'],
    ['#1 and #hash', '#1 and #hash'],
    ['1. first\n2. second', '1. first 2. second'],
    ['', ''],
  ])('%j', (markdown, plain) => expect(plainText(markdown)).toBe(plain));

  it('says where a highlighted word is in it', () => {
    const markdown = '## A **rollout** of\n\n[plans](https://a.b)';
    const { text, placeOf } = readPlainText(markdown);
    const at = (word: string) => [
      placeOf(markdown.indexOf(word)),
      placeOf(markdown.indexOf(word) + word.length),
    ];
    for (const word of ['rollout', 'of', 'plans']) expect(text.slice(...at(word))).toBe(word);
  });

  it('can be written as Markdown again that shows just it', () => {
    const pieces = fc.array(
      fc.constantFrom('a', '1', ' ', '*', '_', '`', '[', '](b)', '#', '. ', '>'),
    );
    fc.assert(
      fc.property(pieces, (written) => {
        const text = written.join('').replaceAll(/\s+/g, ' ').trim();
        expect(plainText(escapeMarkdown(text))).toBe(text);
      }),
    );
  });

  it('keeps every letter outside addresses and fences, in order', () => {
    const pieces = fc.array(
      fc.constantFrom('a', 'b ', '*', '**', '_', '`', '[', '](', ')', '\n', '|'),
    );
    fc.assert(
      fc.property(pieces, (written) => {
        const markdown = written.join('').replaceAll(/\]\([^\n]*|`{3,}/g, '');
        const letters = (text: string) => text.replaceAll(/[^ab]/g, '');
        expect(letters(plainText(markdown))).toBe(letters(markdown));
      }),
    );
  });

  it.each([
    '*',
    '**a',
    '_a ',
    '`',
    '``a`',
    '[',
    '](',
    '[a](',
    'a|\n-|\n',
    '> ',
    '- ',
    '# a\n',
    '<https://',
  ])('reads %j, repeated, with work that grows with its length', (piece) => {
    const workFor = (size: number) => countWork(() => plainText(piece.repeat(size)));
    expect(workFor(4_000) / workFor(500)).toBeLessThan(12);
  });
});
