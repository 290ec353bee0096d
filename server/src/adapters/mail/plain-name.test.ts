import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plainName } from './plain-name.ts';

it('keeps a name from becoming a link', () => {
  expect(plainName('claim it at evil.example/x')).toBe('claim it at evil.\u200bexample/\u200bx');
  expect(plainName('paypal\u200b.com')).toBe('paypal .com');
});

it('leaves a name as it is the second time, so that a subject can be made of names', () => {
  const unit = fc.constantFrom('a', 'b', '.', ':', '/', '@', ' ', '\n', '\u200b', '\u202e', '🚀');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 30 }), (name) => {
      const once = plainName(name);
      expect(plainName(once)).toBe(once);
      expect(once).not.toMatch(/\S[.:/@][^\s\u200b]/);
    }),
  );
});
