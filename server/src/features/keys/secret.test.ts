import { describe, expect, it } from 'vitest';
import { hashSecret, isWellFormed, newSecret } from './secret.ts';

describe('key secrets', () => {
  it.each(['v1', 'v2'] as const)('%s: made well-formed, and never twice the same', (family) => {
    const made = Array.from({ length: 200 }, () => newSecret(family));
    expect(new Set(made.map(({ secret }) => secret)).size).toBe(200);
    for (const { secret, hash } of made) {
      expect(isWellFormed(family, secret)).toBe(true);
      expect(isWellFormed(family === 'v1' ? 'v2' : 'v1', secret)).toBe(false);
      expect(hashSecret(secret)).toEqual(hash);
    }
  });

  it('one changed character fails the checksum', () => {
    const { secret } = newSecret('v2');
    for (let at = 4; at < secret.length; at++) {
      const other = secret[at] === 'a' ? 'b' : 'a';
      expect(isWellFormed('v2', secret.slice(0, at) + other + secret.slice(at + 1))).toBe(false);
    }
    for (const wrong of [`${secret}x`, secret.slice(0, -1), `${secret.slice(0, -1)}é`, '']) {
      expect(isWellFormed('v2', wrong)).toBe(false);
    }
  });
});
