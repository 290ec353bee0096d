import { useState } from 'react';
import { cx } from '../../../ui/text/cx.ts';
import './caret.css';
import { directionOf } from './direction.ts';
import { createGrowingMarkdown } from './growing-markdown.ts';
import { PLAIN, type Showing } from './inline-view.tsx';
import { Block, TEXT } from './markdown-view.tsx';

/** An answer's mentions and citations are known when it is complete. */
const GROWING: Showing = { ...PLAIN, isGrowing: true };

/** Markdown while it is written. Only the blocks that changed render again. */
export function GrowingMarkdown({ source, isGrowing }: { source: string; isGrowing: boolean }) {
  const [read] = useState(createGrowingMarkdown);
  const tokens = read(source);
  return (
    <div data-text dir={directionOf(source)} className={cx(TEXT, isGrowing && 'with-caret')}>
      {tokens.map((token, at) => (
        <Block
          key={at}
          token={token}
          showing={isGrowing && at === tokens.length - 1 ? GROWING : PLAIN}
        />
      ))}
    </div>
  );
}
