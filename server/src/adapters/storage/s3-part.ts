import { createHash, type Hash } from 'node:crypto';

/** What S3 accepts as a part that is not the last one. Each upload that runs holds one of them in memory. */
export const PART_BYTES = 5 * 1024 * 1024;

/** A part while it fills. It is hashed as it comes, so that nobody waits for the hash of all of it. */
export interface Part {
  readonly length: number;
  readonly isFull: boolean;
  /** Takes what there is room for, and returns the rest. */
  add(chunk: Uint8Array): Uint8Array;
  /** Nothing may be added until it was sent. */
  content(): { body: Uint8Array; bodyHash: string };
  clear(): void;
}

export function createPart(): Part {
  const buffer = Buffer.allocUnsafeSlow(PART_BYTES);
  let length = 0;
  let hash: Hash = createHash('sha256');
  return {
    get length() {
      return length;
    },
    get isFull() {
      return length === PART_BYTES;
    },
    add(chunk) {
      const taken = chunk.subarray(0, PART_BYTES - length);
      buffer.set(taken, length);
      hash.update(taken);
      length += taken.length;
      return chunk.subarray(taken.length);
    },
    content: () => ({
      body: buffer.subarray(0, length),
      bodyHash: hash.copy().digest('hex'),
    }),
    clear() {
      length = 0;
      hash = createHash('sha256');
    },
  };
}
