import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shareFairly } from './budget.ts';

it('a long file does not take the room of short ones, and no room is left while one wants more', () => {
  expect(shareFairly([100, 1_000_000, 500], 900)).toEqual([100, 400, 400]);
  expect(shareFairly([100, 200], 900)).toEqual([100, 200]);
  expect(shareFairly([], 900)).toEqual([]);
  fc.assert(
    fc.property(fc.array(fc.nat(5_000), { minLength: 1 }), fc.nat(20_000), (lengths, room) => {
      const shares = shareFairly(lengths, room);
      const sum = shares.reduce((total, share) => total + share, 0);
      expect(sum).toBeLessThanOrEqual(room);
      const all = lengths.reduce((total, length) => total + length, 0);
      expect(sum).toBeGreaterThanOrEqual(Math.min(all, room - lengths.length));
      const cut = shares.filter((share, at) => share < (lengths[at] ?? 0));
      if (cut.length > 0) expect(Math.max(...shares) - Math.min(...cut)).toBeLessThanOrEqual(1);
    }),
  );
});
