import type { ByteRange } from '../../lists/file-content.ts';

/**
 * Which bytes a request wants: `all`, a range, or `none` if it names a range that the file doesn't have. Several
 * ranges, and other units, are ignored: the specification allows to send all.
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'all' | 'none' {
  const [, first = '', last = ''] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header ?? '') ?? [];
  if (first === '' && last === '') return 'all';
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'none' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Number(last);
  if (end < start && last !== '') return 'all'; // Not a valid range.
  return start >= size ? 'none' : { start, end: Math.min(end, size - 1) };
}
