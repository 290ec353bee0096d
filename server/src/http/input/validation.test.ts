import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { fieldErrors } from './validation.ts';

/** A list that counts how many of its items are looked at. */
function countedKeys(length: number): { keys: string[]; reads: () => number } {
  let reads = 0;
  const keys = new Proxy(
    Array.from({ length }, (_, at) => `k${at}`),
    {
      get(list, name, receiver) {
        if (typeof name === 'string' && /^\d+$/.test(name)) reads++;
        return Reflect.get(list, name, receiver) as unknown;
      },
    },
  );
  return { keys, reads: () => reads };
}

const unknownKeys = (keys: string[], path: string[] = []): z.core.$ZodIssue => ({
  code: 'unrecognized_keys',
  keys,
  path,
  message: '',
});

describe('fieldErrors', () => {
  it('creates errors lazily', () => {
    const { keys, reads } = countedKeys(100_000);
    const taken = [...fieldErrors('body', [unknownKeys(keys)]).take(3)];
    expect(taken.map(({ location }) => location)).toEqual(['body.k0', 'body.k1', 'body.k2']);
    expect(reads()).toBeLessThan(10);
  });

  it('compares the options of a union without creating all their errors', () => {
    const wide = countedKeys(100_000);
    const issue: z.core.$ZodIssue = {
      code: 'invalid_union',
      path: ['a'],
      message: '',
      input: {},
      errors: [[unknownKeys(wide.keys, ['b'])], [unknownKeys(['x'], ['b'])]],
    };
    expect([...fieldErrors('body', [issue])]).toEqual([
      { location: 'body.a.b.x', code: 'unknown_field', message: 'unknown field' },
    ]);
    expect(wide.reads()).toBeLessThan(200);
  });
});
