import type { FileHandle } from 'node:fs/promises';

/** What arrives is written in pieces of at least this size. While one is written, the next one arrives. */
const PIECE_BYTES = 256 * 1024;
/** More parts than this are put together before they are written. */
const MOST_PARTS = 64;
/** How much may be lost if the process dies, or what arrives while the disk takes so much. */
export const SAVE_EVERY_BYTES = 8 * 1024 * 1024;

export interface Appended {
  /** Durable up to here. */
  received: number;
  /** Why the source broke off, if it did. */
  cause: unknown;
}

export interface OpenFile {
  handle: FileHandle;
  /** Forces what was written to disk. */
  sync(): Promise<void>;
}

/**
 * Writes what `source` gives at `from`, in constant memory. Receiving, writing and forcing to disk go on at the same
 * time. Rejects if the disk, or `onSaved`, does.
 */
export async function appendTo(
  file: OpenFile,
  from: number,
  source: AsyncIterable<Uint8Array>,
  onSaved: (received: number) => Promise<void>,
): Promise<Appended> {
  let written = from;
  let synced = from;
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let writing: Promise<void> = Promise.resolve();
  let saving: Promise<void> | undefined;
  let problem: { error: unknown } | undefined;
  const fail = (error: unknown) => void (problem ??= { error });

  async function flush(): Promise<void> {
    const pieces = waiting;
    waiting = [];
    waitingBytes = 0;
    written = await writeAll(file.handle, pieces, written);
  }

  function saveIfDue(): void {
    if (saving || written - synced < SAVE_EVERY_BYTES) return;
    saving = save(written)
      .catch(fail)
      .finally(() => (saving = undefined));
  }

  async function save(to: number): Promise<void> {
    await file.sync();
    synced = to;
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
      if (waitingBytes < PIECE_BYTES) continue;
      await writing;
      if (problem) throw problem.error;
      writing = flush().then(saveIfDue, fail);
    }
    await writing;
    if (!problem) await flush();
  } finally {
    await writing;
    await saving;
    await iterator.return?.();
  }
  if (problem) throw problem.error;
  await file.sync();
  return { received: written, cause };
}

/** Returns where it ended. */
async function writeAll(
  handle: FileHandle,
  pieces: readonly Uint8Array[],
  from: number,
): Promise<number> {
  let at = from;
  let rest = pieces.length > MOST_PARTS ? [Buffer.concat(pieces)] : pieces;
  while (rest.length > 0) {
    const { bytesWritten } = await handle.writev(rest, at);
    at += bytesWritten;
    rest = behind(rest, bytesWritten);
  }
  return at;
}

function behind(pieces: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let left = bytes;
  const rest: Uint8Array[] = [];
  for (const piece of pieces) {
    if (left < piece.length) rest.push(left > 0 ? piece.subarray(left) : piece);
    left = Math.max(0, left - piece.length);
  }
  return rest;
}
