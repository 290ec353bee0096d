import { UsageError } from './errors.ts';

/**
 * What can be uploaded: a File or Blob, bytes, a stream or another async iterable of bytes, or, on Node,
 * Deno and Bun, the path of a file.
 */
export type UploadSource =
  | Blob
  | Uint8Array
  | ArrayBuffer
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>
  | string;

/** Bytes that are read in pieces, so that a large file never is in memory as a whole. */
export interface Pieces {
  name: string;
  mediaType: string | undefined;
  size: number;
  /** The most that is read at once. */
  longest: number;
  /** May begin again at any place of the last piece. */
  read: (from: number, length: number) => Promise<Blob | Uint8Array<ArrayBuffer>>;
  close: () => Promise<void>;
}

export interface SourceFacts {
  /** Default: the name of the File or path. */
  name?: string | undefined;
  /** A hint: the server looks at the bytes. Default: the type of the Blob. */
  mediaType?: string | undefined;
  /** Required for a stream: how many bytes it has. */
  size?: number | undefined;
}

const MEBIBYTE = 1024 ** 2;
const LONGEST_SLICE = 16 * MEBIBYTE;
const LONGEST_READ = 4 * MEBIBYTE;

export async function openSource(source: UploadSource, facts: SourceFacts): Promise<Pieces> {
  if (typeof source === 'string') {
    const name = facts.name ?? source.split(/[/\\]/).at(-1);
    return fromBlob(await openPath(source), { ...facts, name });
  }
  if (source instanceof Blob) return fromBlob(source, facts);
  if (source instanceof ArrayBuffer) return fromBytes(new Uint8Array(source), facts);
  if (source instanceof Uint8Array) return fromBytes(source as Uint8Array<ArrayBuffer>, facts);
  if (source instanceof ReadableStream) return fromChunks(chunksOf(source), facts);
  if (Symbol.asyncIterator in Object(source)) {
    return fromChunks(source[Symbol.asyncIterator](), facts);
  }
  throw new UsageError('files.upload takes a Blob, bytes, a stream, or a path.');
}

interface OpenAsBlob {
  openAsBlob: (path: string) => Promise<Blob>;
}

async function openPath(path: string): Promise<Blob> {
  // Bundlers for browsers leave a name alone that they can't read.
  const name = 'node:fs';
  try {
    const { openAsBlob } = (await import(/* @vite-ignore */ name)) as OpenAsBlob;
    return await openAsBlob(path);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`files.upload can't read ${path}: ${why}`, cause);
  }
}

function fromBlob(blob: Blob, { name, mediaType, size }: SourceFacts): Pieces {
  const own = (blob as Partial<File>).name;
  return {
    ...factsOf(name ?? own, size, blob.size),
    mediaType: mediaType ?? (blob.type || undefined),
    longest: LONGEST_SLICE,
    read: async (from, length) => blob.slice(from, from + length),
    close: async () => {},
  };
}

function fromBytes(bytes: Uint8Array<ArrayBuffer>, { name, mediaType, size }: SourceFacts): Pieces {
  return {
    ...factsOf(name, size, bytes.length),
    mediaType,
    longest: LONGEST_SLICE,
    read: async (from, length) => bytes.subarray(from, from + length),
    close: async () => {},
  };
}

/** Keeps the last piece, because the server may have only a part of it. */
function fromChunks(
  chunks: AsyncIterator<Uint8Array>,
  { name, mediaType, size }: SourceFacts,
): Pieces {
  if (size === undefined) throw new UsageError('files.upload needs the `size` of a stream.');
  let start = 0;
  let kept = new Uint8Array(0);
  let isAtEnd = false;
  async function readTo(end: number): Promise<void> {
    const more: Uint8Array[] = [kept];
    for (let length = kept.length; start + length < end && !isAtEnd;) {
      const { done, value } = await chunks.next();
      if (done === true) isAtEnd = true;
      else {
        more.push(value);
        length += value.length;
      }
    }
    kept = joined(more);
  }
  return {
    ...factsOf(name, size, size),
    mediaType,
    longest: LONGEST_READ,
    async read(from, length) {
      if (from < start) {
        throw new UsageError('files.upload needs bytes of the stream again that were sent before.');
      }
      // Of an upload that is resumed, much may be there already.
      for (;;) {
        const skipped = Math.min(from - start, kept.length);
        kept = kept.slice(skipped);
        start += skipped;
        if (start === from || isAtEnd) break;
        await readTo(start + 1);
      }
      await readTo(from + length);
      if (kept.length < length) {
        throw new UsageError(`The stream ended after ${start + kept.length} of ${size} bytes.`);
      }
      return kept.subarray(0, length);
    },
    async close() {
      await chunks.return?.();
    },
  };
}

function factsOf(name: string | undefined, given: number | undefined, size: number) {
  if (!name) throw new UsageError('files.upload needs a `name`, because the source has none.');
  if (given !== undefined && given !== size) {
    throw new UsageError(`\`size\` is ${given}, but the source has ${size} bytes.`);
  }
  return { name, size };
}

/** Not every browser can iterate over a stream. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
