export type Format = 'bold' | 'italic' | 'code' | 'list' | 'quote';

/** What replaces a range, and what is selected afterwards. */
export interface Change {
  from: number;
  to: number;
  text: string;
  select: [number, number];
}

const AROUND = { bold: '**', italic: '_', code: '`' };

/** Adds marks around the selection, or removes them if they are there. */
export function applyFormat(text: string, start: number, end: number, format: Format): Change {
  if (format === 'list' || format === 'quote') {
    return prefixLines(text, start, end, format === 'list' ? '- ' : '> ');
  }
  const selected = text.slice(start, end);
  if (format === 'code' && selected.includes('\n')) {
    const fenced = `\`\`\`\n${selected}\n\`\`\``;
    return { from: start, to: end, text: fenced, select: [start + 3, start + 3] };
  }
  const mark = AROUND[format];
  const span = findSpan(text, start, end, mark);
  if (span) return leaveSpan(text, start, end, span, mark.length);
  const first = start + mark.length;
  return {
    from: start,
    to: end,
    text: `${mark}${selected}${mark}`,
    select: [first, first + selected.length],
  };
}

/** From the mark before it to the mark after it. */
interface Span {
  from: number;
  to: number;
}

/** The marked text that the selection is, or is in. */
function findSpan(text: string, start: number, end: number, mark: string): Span | undefined {
  const { length } = mark;
  if (start >= length && text.startsWith(mark, start - length) && text.startsWith(mark, end)) {
    return { from: start - length, to: end + length };
  }
  const selected = text.slice(start, end);
  if (selected.length > 2 * length && selected.startsWith(mark) && selected.endsWith(mark)) {
    return { from: start, to: end };
  }
  if (start !== end) return undefined;
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const [line = ''] = text.slice(lineStart).split('\n', 1);
  const escaped = mark.replaceAll('*', '\\*');
  const marked = new RegExp(`(?<![\\p{L}\\p{N}])${escaped}.+?${escaped}(?![\\p{L}\\p{N}])`, 'gu');
  for (const { index, 0: whole } of line.matchAll(marked)) {
    const from = lineStart + index;
    const to = from + whole.length;
    if (start >= from + length && start <= to - length) return { from, to };
  }
  return undefined;
}

/** Removes the marks. At the end of marked text the caret goes past the mark: what follows is without it. */
function leaveSpan(text: string, start: number, end: number, { from, to }: Span, length: number) {
  const inner = text.slice(from + length, to - length);
  if (start === end && end === to - length && inner !== '') {
    return { from: to, to, text: '', select: [to, to] } satisfies Change;
  }
  const within = (at: number) => Math.max(0, Math.min(at - from - length, inner.length)) + from;
  return { from, to, text: inner, select: [within(start), within(end)] } satisfies Change;
}

function prefixLines(text: string, start: number, end: number, prefix: string): Change {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', end);
  const to = next === -1 ? text.length : next;
  const lines = text.slice(from, to).split('\n');
  const isMarked = lines.every((line) => line.startsWith(prefix));
  const changed = lines
    .map((line) => (isMarked ? line.slice(prefix.length) : prefix + line))
    .join('\n');
  const last = from + changed.length;
  return { from, to, text: changed, select: lines.length === 1 ? [last, last] : [from, last] };
}

/** Inserts as if typed, so that the browser can undo it and React notices it. */
export function changeText(area: HTMLTextAreaElement, { from, to, text, select }: Change): void {
  area.focus();
  area.setSelectionRange(from, to);
  if (from !== to || text !== '') {
    const isDone =
      text === ''
        ? document.execCommand('delete')
        : document.execCommand('insertText', false, text);
    if (!isDone) {
      area.setRangeText(text, from, to, 'end');
      area.dispatchEvent(new Event('input', { bubbles: true }));
    }
  }
  area.setSelectionRange(...select);
}
