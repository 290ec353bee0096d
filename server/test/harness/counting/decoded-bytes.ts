import { Readable } from 'node:stream';
import { BrotliDecompress, Gunzip, Inflate, InflateRaw, ZstdDecompress } from 'node:zlib';
import { vi } from 'vitest';

const DECODERS = [BrotliDecompress, Gunzip, Inflate, InflateRaw, ZstdDecompress];

/** A decoder may outlive its test, so it keeps the counter it started with. */
const owners = new WeakMap<Readable, symbol>();

/** Counts the bytes from decoders that this process starts from now on. Only one count runs at a time. */
export function countDecodedBytes(): { bytes: () => number; stop: () => void } {
  const self = Symbol('this count');
  let bytes = 0;
  // oxlint-disable-next-line typescript/unbound-method -- called with its own `this` below
  const { push } = Readable.prototype;
  const spy = vi.spyOn(Readable.prototype, 'push').mockImplementation(function (
    this: Readable,
    chunk: Buffer | null,
    ...more
  ) {
    if (chunk && DECODERS.some((decoder) => this instanceof decoder)) {
      if (!owners.has(this)) owners.set(this, self);
      if (owners.get(this) === self) bytes += chunk.length;
    }
    return Reflect.apply(push, this, [chunk, ...more]);
  });
  return { bytes: () => bytes, stop: () => spy.mockRestore() };
}
