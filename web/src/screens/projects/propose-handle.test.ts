import { expect, it } from 'vitest';
import { isHandle } from '../../../../server/src/core/handle.ts';
import { proposeHandle } from './propose-handle.ts';

it.each<[string, string[], string | undefined]>([
  ['berta-lind', [], 'berta'],
  ['berta-lind', ['berta'], 'berta-lind'],
  ['berta-lind', ['berta', 'berta-lind'], 'berta-lind-2'],
  ['recall', [], 'recall-2'],
  ['', [], undefined],
])('for %s, with %j taken, it is %s', (slug, taken, handle) => {
  expect(proposeHandle(slug, new Set(taken))).toBe(handle);
  if (handle !== undefined) expect(isHandle(handle)).toBe(true);
});
