import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
import { createGrowingMarkdown } from './growing-markdown.ts';
import { GrowingMarkdown } from './growing-view.tsx';
import { lexMarkdown } from './markdown.ts';

vi.mock('../../../ui/controls/copy-button.tsx', () => ({ CopyButton: () => null }));

const PIECES =
  '- |* |1. |2|. |> |# |```|```ts\n|~~~|\n|\n\n|\r\n|\r|  |    |---|===|**|`|- [x] |\t|word|a b|<b>|[a](https://a.b)|[x]: y|\u00a0|👍|—';
const piece = fc.constantFrom('|', '|a|b|\n|-|-|\n', ...PIECES.split('|'));

describe('Markdown that grows', () => {
  it('reads the same, piece by piece, as all at once', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(piece, fc.string({ maxLength: 4 })), { maxLength: 40 }),
        (pieces) => {
          const read = createGrowingMarkdown();
          let source = '';
          for (const one of pieces) {
            source += one;
            expect(JSON.stringify(read(source))).toBe(JSON.stringify(lexMarkdown(source)));
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('keeps the blocks that can no longer change', () => {
    const read = createGrowingMarkdown();
    const before = read('# One\n\nTwo\n\nThree\n\nFo');
    const after = read('# One\n\nTwo\n\nThree\n\nFour, and more');
    const same = after.filter((token, at) => token === before[at] && token.type !== 'space');
    expect(same.map(({ raw }) => raw)).toEqual(['# One', 'Two']);
  });

  it('starts again with another text', () => {
    const read = createGrowingMarkdown();
    read('One\n\nTwo\n\nThree\n\nFour');
    expect(read('Other').map(({ raw }) => raw)).toEqual(['Other']);
  });

  it('has a caret while it is written, and no colours in unfinished code', () => {
    const source = '```ts\nlet a';
    const growing = renderToStaticMarkup(<GrowingMarkdown source={source} isGrowing />);
    expect(growing).toContain('with-caret');
    expect(growing).toContain('>ts<');
    expect(
      renderToStaticMarkup(<GrowingMarkdown source={source} isGrowing={false} />),
    ).not.toContain('with-caret');
  });
});
