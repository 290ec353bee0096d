import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createVault } from './vault.ts';

const KEY = Buffer.alloc(32, 1);
const vault = createVault(KEY);
/** What OpenSSL says, or Node of a nonce or tag that is too short. */
const UNREADABLE = /unable to authenticate|Invalid (authentication tag|initialization vector)/i;
const text = () => fc.string({ unit: 'grapheme', maxLength: 200 });

describe('a vault', () => {
  it('gives back what it sealed, after a restart too', () => {
    fc.assert(
      fc.property(text(), text(), (place, secret) => {
        const sealed = vault.seal(place, secret);
        expect(vault.unseal(place, sealed)).toBe(secret);
        expect(createVault(Buffer.from(KEY)).unseal(place, sealed)).toBe(secret);
      }),
    );
  });

  it('shows nothing of a secret but its length, and no two alike', () => {
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
        expect(() => vault.unseal(other, sealed)).toThrow(UNREADABLE);
      }),
    );
  });

  it('opens nothing that was changed, in any bit', () => {
    fc.assert(
      fc.property(text(), fc.nat(), fc.integer({ min: 0, max: 7 }), (secret, at, bit) => {
        const sealed = vault.seal('place', secret);
        const byte = at % sealed.length;
        sealed.writeUInt8(sealed.readUInt8(byte) ^ (1 << bit), byte);
        expect(() => vault.unseal('place', sealed)).toThrow(UNREADABLE);
      }),
    );
  });

  it('opens nothing that was cut short, or made longer', () => {
    const sealed = vault.seal('place', 'secret');
    for (let length = 0; length < sealed.length; length++) {
      expect(() => vault.unseal('place', sealed.subarray(0, length)), `${length}`).toThrow(
        UNREADABLE,
      );
    }
    expect(() => vault.unseal('place', Buffer.concat([sealed, Buffer.from([0])]))).toThrow(
      UNREADABLE,
    );
  });

  it('opens nothing under another key, and its errors name no secret', () => {
    const sealed = vault.seal('place', 'canary-secret-4711');
    const other = createVault(randomBytes(32));
    expect(() => other.unseal('place', sealed)).toThrow(/^(?!.*canary).*unable to authenticate/);
  });
});
