import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createVault, UnreadableSecret } from './vault.ts';

const KEY = Buffer.alloc(32, 1);
const vault = createVault([KEY]);
const text = () => fc.string({ unit: 'grapheme', maxLength: 200 });

describe('a vault', () => {
  it('opens what it sealed, also after a restart', () => {
    fc.assert(
      fc.property(text(), text(), (place, secret) => {
        const sealed = vault.seal(place, secret);
        expect(vault.unseal(place, sealed)).toBe(secret);
        expect(createVault([Buffer.from(KEY)]).unseal(place, sealed)).toBe(secret);
      }),
    );
  });

  it('reveals nothing of a secret but its length, and seals the same secret differently', () => {
    const secret = 'canary-secret-4711';
    const [first, second] = [vault.seal('a', secret), vault.seal('a', secret)];
    expect(first.equals(second)).toBe(false);
    expect(first.toString('latin1')).not.toContain('canary');
    expect(first.length).toBe(12 + 16 + secret.length);
  });

  it('opens nothing in another place', () => {
    fc.assert(
      fc.property(text(), text(), text(), (place, other, secret) => {
        fc.pre(place !== other);
        const sealed = vault.seal(place, secret);
        expect(() => vault.unseal(other, sealed)).toThrow(UnreadableSecret);
      }),
    );
  });

  it('opens nothing in which any bit was changed', () => {
    fc.assert(
      fc.property(text(), fc.nat(), fc.integer({ min: 0, max: 7 }), (secret, at, bit) => {
        const sealed = vault.seal('place', secret);
        const byte = at % sealed.length;
        sealed.writeUInt8(sealed.readUInt8(byte) ^ (1 << bit), byte);
        expect(() => vault.unseal('place', sealed)).toThrow(UnreadableSecret);
      }),
    );
  });

  it('opens nothing that was shortened or extended', () => {
    const sealed = vault.seal('place', 'secret');
    for (let length = 0; length < sealed.length; length++) {
      expect(() => vault.unseal('place', sealed.subarray(0, length)), `${length}`).toThrow(
        UnreadableSecret,
      );
    }
    expect(() => vault.unseal('place', Buffer.concat([sealed, Buffer.from([0])]))).toThrow(
      UnreadableSecret,
    );
  });

  it('opens nothing with another key, and its errors contain no secret', () => {
    const sealed = vault.seal('place', 'canary-secret-4711');
    const other = createVault([randomBytes(32), randomBytes(32)]);
    expect(() => other.unseal('place', sealed)).toThrow(/^(?!.*canary).*SECRETS_KEY/);
    expect(() => other.reseal('place', sealed)).toThrow(UnreadableSecret);
  });

  it('with several keys, seals with the first and opens with all', () => {
    const sealed = vault.seal('place', 'secret');
    const next = randomBytes(32);
    const both = createVault([next, KEY]);
    expect(both.unseal('place', sealed)).toBe('secret');
    const fresh = both.seal('place', 'secret');
    expect(createVault([next]).unseal('place', fresh)).toBe('secret');
    expect(() => vault.unseal('place', fresh)).toThrow(UnreadableSecret);
  });

  it('reseals what an older key sealed, for the same place, and nothing twice', () => {
    const sealed = vault.seal('place', 'secret');
    const next = randomBytes(32);
    const both = createVault([next, KEY]);
    const moved = both.reseal('place', sealed);
    if (!moved) throw new Error('was not resealed');
    expect(createVault([next]).unseal('place', moved)).toBe('secret');
    expect(() => both.unseal('elsewhere', moved)).toThrow(UnreadableSecret);
    expect(both.reseal('place', moved)).toBeUndefined();
    expect(() => both.reseal('elsewhere', sealed)).toThrow(UnreadableSecret);
  });
});
