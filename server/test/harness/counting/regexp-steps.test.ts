import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createStepCounter } from './regexp-steps.ts';

describe('createStepCounter', () => {
  it.each([
    /a(?:bc|b)*c?$/,
    /^a{2,3}b{1,}[^c]?|c$/,
    /(?<![\p{L}_][\p{M}]*@)a+?b/u,
    /(?<=b)a(?=[bc])|\bb\B/,
    /^(a|b)*?\u{63}/mu,
    /[ab]{2}$/m,
  ])('%s matches the texts that it should', (pattern) => {
    const letters = fc.constantFrom('a', 'b', 'c', '@', '_', '\n', '\u0301', '𝒜');
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        expect(createStepCounter(pattern)(text, 0).isMatch).toBe(pattern.test(text));
      }),
      { numRuns: 1_000 },
    );
  });

  it.each<[string, RegExp, number]>([
    ['linear', /^a*$/, 1],
    ['quadratic', /a*b/, 2],
  ])('counts %s work', (_, pattern, power) => {
    const steps = (size: number) => createStepCounter(pattern)('a'.repeat(size), 0).steps;
    expect(Math.round(Math.log(steps(1_600) / steps(200)) / Math.log(8))).toBe(power);
  });
});
