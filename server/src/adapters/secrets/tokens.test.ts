import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTokens, deriveToken, hashToken } from './tokens.ts';

const key = Buffer.alloc(32, 1);

describe('derived tokens', () => {
  it('are the same for the same input, also after an upgrade', () => {
    const token = deriveToken(key, 'invitation', 'inv_1', '1');
    expect(token).toBe(deriveToken(key, 'invitation', 'inv_1', '1'));
    expect(token).toBe('jK00eDcJqh5LUBfVaIKR84zcCNks3UIjEL6IJprELf5');
  });

  it('are 43 letters and digits, whatever the input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.array(fc.string()), (purpose, parts) => {
        expect(deriveToken(key, purpose, ...parts)).toMatch(/^[0-9A-Za-z]{43}$/);
      }),
    );
  });

  it('differ by key, purpose, part, and where one part ends', () => {
    const tokens = [
      deriveToken(key, 'invitation', 'ab', 'c'),
      deriveToken(Buffer.alloc(32, 2), 'invitation', 'ab', 'c'),
      deriveToken(key, 'sign-in', 'ab', 'c'),
      deriveToken(key, 'invitation', 'a', 'bc'),
      deriveToken(key, 'invitation', 'abc'),
      deriveToken(key, 'invitation', 'ab', 'c', ''),
      deriveToken(key, 'invitationab', 'c'),
      deriveToken(key, 'invitation', 'ab\0\0\0\u0001c'),
    ];
    expect(new Set(tokens).size).toBe(tokens.length);
  });

  it('are spread evenly: every position takes every character', () => {
    const seen = Array.from({ length: 43 }, () => new Set<string>());
    for (let at = 0; at < 3_000; at++) {
      const token = deriveToken(key, 'spread', String(at));
      for (const [place, characters] of seen.entries()) characters.add(token.charAt(place));
    }
    // 2 ** 256 is 0.98 * 62 ** 43, so the first character never reaches the last letter.
    expect(seen.map((characters) => characters.size).slice(1)).toEqual(Array(42).fill(62));
    expect(seen[0]?.size).toBeGreaterThan(50);
  });

  it('are stored as their SHA-256', () => {
    const expected = createHash('sha256').update('token').digest();
    expect(hashToken('token')).toEqual(expected);
  });

  it('are found again after a rotation, by the hash that was stored', () => {
    const next = Buffer.alloc(32, 2);
    const before = createTokens([key]).derive('invitation', 'inv_1', '1');
    const both = createTokens([next, key]);
    expect(both.rederive(hashToken(before), 'invitation', 'inv_1', '1')).toBe(before);
    const after = both.derive('invitation', 'inv_1', '1');
    expect(after).not.toBe(before);
    expect(both.rederive(hashToken(after), 'invitation', 'inv_1', '1')).toBe(after);
    expect(both.deriveAll('invitation', 'inv_1', '1')).toEqual([after, before]);
  });

  it('are not invented if no key fits: the error names SECRETS_KEY and no token', () => {
    const stored = hashToken(createTokens([key]).derive('invitation', 'inv_1', '1'));
    const other = createTokens([Buffer.alloc(32, 2)]);
    expect(() => other.rederive(stored, 'invitation', 'inv_1', '1')).toThrow(
      /^SECRETS_KEY: (?!.*\w{43})/,
    );
  });
});
