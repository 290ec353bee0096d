import type { FileHandle } from 'node:fs/promises';

/** What arrives is written in pieces of at least this size. */
const PIECE_BYTES = 256 * 1024;
/** How much may be lost if the process dies. */
export const SAVE_EVERY_BYTES = 8 * 1024 * 1024;

export interface Appended {
  /** Durable up to here. */
  received: number;
  /** Why the source broke off, if it did. */
  cause: unknown;
}

/**
 * Writes what `source` gives at `from`, in constant memory. While one stretch is forced to disk, the next is written.
 * Rejects if the disk, or `onSaved`, does.
 */
export async function appendTo(
  handle: FileHandle,
  from: number,
  source: AsyncIterable<Uint8Array>,
  onSaved: (received: number) => Promise<void>,
): Promise<Appended> {
  let written = from;
  let synced = from;
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let saving: Promise<unknown> = Promise.resolve();
  let problem: { error: unknown } | undefined;

  async function flush(): Promise<void> {
    const pieces = waiting;
    waiting = [];
    waitingBytes = 0;
    for (const piece of pieces.length > 1 ? [Buffer.concat(pieces)] : pieces) {
      for (let at = 0; at < piece.length;) {
        const { bytesWritten } = await handle.write(piece, at, piece.length - at, written);
        at += bytesWritten;
        written += bytesWritten;
      }
    }
  }

  async function save(to: number): Promise<void> {
    await handle.datasync();
    await onSaved(to);
  }

  let cause: unknown;
  const iterator = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await iterator.next().catch((error: unknown) => {
        cause = error ?? new Error('the source broke off');
        return { done: true as const, value: undefined };
      });
      if (next.done) break;
      waiting.push(next.value);
      waitingBytes += next.value.length;
      if (waitingBytes >= PIECE_BYTES) await flush();
      if (problem) throw problem.error;
      if (written - synced < SAVE_EVERY_BYTES) continue;
      await saving;
      synced = written;
      saving = save(written).catch((error: unknown) => (problem = { error }));
    }
    await flush();
  } finally {
    await saving;
    await iterator.return?.();
  }
  if (problem) throw problem.error;
  await handle.datasync();
  return { received: written, cause };
}
