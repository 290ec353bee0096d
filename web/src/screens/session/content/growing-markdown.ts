import { lexMarkdown, type Token } from './markdown.ts';

/** Text that follows may still change the last block, and the one before it, as `2` then `. b` in a list. */
const UNSETTLED = 2;

/**
 * Reads Markdown that grows at its end. Blocks that can no longer change are read once and stay the same
 * objects, so that a frame costs as much as the last blocks, not as the whole text.
 */
export function createGrowingMarkdown(): (source: string) => readonly Token[] {
  let settled: readonly Token[] = [];
  let settledText = '';
  return (source) => {
    const text = source.replaceAll(/\r\n?/g, '\n');
    if (!text.startsWith(settledText)) {
      settled = [];
      settledText = '';
    }
    const rest = text.slice(settledText.length);
    const tokens = lexMarkdown(rest);
    const count = countSettled(tokens);
    const newText = tokens
      .slice(0, count)
      .map(({ raw }) => raw)
      .join('');
    const all = [...settled, ...tokens];
    if (count > 0 && rest.startsWith(newText)) {
      settled = [...settled, ...tokens.slice(0, count)];
      settledText += newText;
    }
    return all;
  };
}

/** Up to a blank line: without one, a block may still become part of the next. */
function countSettled(tokens: readonly Token[]): number {
  let blocks = 0;
  for (let at = tokens.length - 1; at > 0; at--) {
    if (tokens[at]?.type !== 'space') blocks++;
    if (blocks >= UNSETTLED && tokens[at - 1]?.type === 'space') return at;
  }
  return 0;
}
