import { expect, it } from 'vitest';
import { tarHeader, tarPadding } from './tar.ts';

const sizeField = (size: number) => tarHeader('x.jsonl', size, new Date(0)).subarray(124, 136);

it('a size is octal up to 8 GiB, and binary above', () => {
  expect(sizeField(8 ** 11 - 1).toString('latin1')).toBe('77777777777\0');
  expect(sizeField(8 ** 11).toString('hex')).toBe('800000000000000200000000');
  expect(sizeField(5 * 8 ** 11 + 1).toString('hex')).toBe('800000000000000a00000001');
});

it('files end with a whole block', () => {
  expect([0, 1, 511, 512, 513].map((size) => tarPadding(size).length)).toEqual([0, 511, 1, 0, 511]);
});
