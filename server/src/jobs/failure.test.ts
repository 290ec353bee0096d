import { describe, expect, it } from 'vitest';
import { countWork } from '../../test/harness/counting/count-work.ts';
import { backoffMs, describeFailure } from './failure.ts';

describe('backoff', () => {
  it('grows from a second to ten minutes, within half an hour in all', () => {
    const steps = Array.from({ length: 9 }, (_, at) => backoffMs(at + 1, () => 1) / 1000);
    expect(steps).toEqual([1, 3, 9, 27, 81, 243, 600, 600, 600]);
  });

  it('is between half of the step and the whole', () => {
    expect([backoffMs(3, () => 0), backoffMs(3, () => 0.5)]).toEqual([4_500, 6_750]);
  });
});

describe('the description of an error', () => {
  it.each([
    [new Error('535 wrong password'), 'Error: 535 wrong password'],
    [
      new TypeError('fetch failed', {
        cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }),
      }),
      'TypeError: fetch failed (ECONNREFUSED)',
    ],
    [new Error('no smtp://me:pa@ss@mail.example.com/x'), 'Error: no smtp://***@mail.example.com/x'],
    [new Error('sent "Authorization: Bearer abc.def"'), 'Error: sent "Authorization: Bearer ***'],
    [
      new Error('Incorrect API key provided: sk-proj-abc'),
      'Error: Incorrect API key provided: ***',
    ],
    [
      new Error(`the link /accept?token=${'aZ9_-'.repeat(8)}.`),
      'Error: the link /accept?token=***.',
    ],
    [new Error('two\nlines\u0000\u001B[31m'), 'Error: two lines [31m'],
    ['thrown text', 'thrown text'],
    [undefined, 'undefined'],
  ])('%s', (error, kept) => {
    expect(describeFailure(error)).toBe(kept);
  });

  it.each(['word ', '/', '//', '@', 'a', 'bearer ', 'sk_'])(
    'is short, and no more work for a longer error: %j over and over',
    (part) => {
      const work = (size: number) =>
        countWork(() => {
          expect(describeFailure(new Error(part.repeat(size))).length).toBeLessThanOrEqual(500);
        });
      expect(work(20_000)).toBe(work(2_500));
    },
  );
});
