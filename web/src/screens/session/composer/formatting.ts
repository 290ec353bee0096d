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
  const from = start - mark.length;
  if (from >= 0 && text.slice(from, start) === mark && text.slice(end).startsWith(mark)) {
    return { from, to: end + mark.length, text: selected, select: [from, from + selected.length] };
  }
  const first = start + mark.length;
  return {
    from: start,
    to: end,
    text: `${mark}${selected}${mark}`,
    select: [first, first + selected.length],
  };
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
  const isDone =
    text === '' ? document.execCommand('delete') : document.execCommand('insertText', false, text);
  if (!isDone) {
    area.setRangeText(text, from, to, 'end');
    area.dispatchEvent(new Event('input', { bubbles: true }));
  }
  area.setSelectionRange(...select);
}
