import { open, type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { REASONS, Unreadable } from '../reasons.ts';

/** Reads the entries of an archive by name. Names are only compared, never used as paths. */
export interface ZipReader {
  has(name: string): boolean;
  names(): string[];
  /** Throws Unreadable if there is no such entry. */
  read(name: string): AsyncIterable<Uint8Array>;
  /** Undefined if there is no such entry. */
  readAll(name: string, mostBytes?: number): Promise<Buffer | undefined>;
  close(): Promise<void>;
}

export interface ZipLimits {
  archiveEntries: number;
  unpackedBytes: number;
}

interface Entry {
  offset: number;
  packed: number;
  method: number;
  isEncrypted: boolean;
}

const END = 0x06_05_4b_50;
const DIRECTORY = 0x02_01_4b_50;
const LOCAL = 0x04_03_4b_50;
const END_LENGTH = 22;
const MOST_COMMENT = 65_535;
/** Sizes that say: look in the extra field. */
const IS_ZIP64 = 0xff_ff_ff_ff;
const STORED = 0;
const DEFLATED = 8;
const CHUNK = 64 * 1024;
const MOST_SMALL = 16 * 1024 ** 2;
/** XML of documents is packed about twentyfold, rarely a hundredfold. */
const MOST_RATIO = 250;
const RATIO_COUNTS_FROM = 8 * 1024 ** 2;

export async function openZip(path: string, limits: ZipLimits): Promise<ZipReader> {
  const file = await open(path, 'r');
  try {
    const entries = await readDirectory(file, limits);
    return reader(file, entries, limits);
  } catch (error) {
    await file.close();
    throw error;
  }
}

function reader(file: FileHandle, entries: Map<string, Entry>, limits: ZipLimits): ZipReader {
  let unpacked = 0;

  async function* read(name: string): AsyncGenerator<Uint8Array> {
    const entry = entries.get(name);
    if (!entry) throw new Unreadable(REASONS.damaged);
    if (entry.isEncrypted) throw new Unreadable(REASONS.password);
    const own = { packed: 0, unpacked: 0 };
    for await (const chunk of await unpack(file, entry, (bytes) => void (own.packed += bytes))) {
      own.unpacked += chunk.length;
      unpacked += chunk.length;
      const isBomb = own.unpacked > RATIO_COUNTS_FROM && own.unpacked > own.packed * MOST_RATIO;
      if (isBomb || unpacked > limits.unpackedBytes) throw new Unreadable(REASONS.unpacksTooLarge);
      yield chunk;
    }
  }

  return {
    has: (name) => entries.has(name),
    names: () => [...entries.keys()],
    read,
    async readAll(name, mostBytes = MOST_SMALL) {
      if (!entries.has(name)) return undefined;
      const chunks: Uint8Array[] = [];
      let length = 0;
      for await (const chunk of read(name)) {
        length += chunk.length;
        if (length > mostBytes) throw new Unreadable(REASONS.unpacksTooLarge);
        chunks.push(chunk);
      }
      return Buffer.concat(chunks);
    },
    close: () => file.close(),
  };
}

async function unpack(
  file: FileHandle,
  entry: Entry,
  onPacked: (bytes: number) => void,
): Promise<AsyncIterable<Uint8Array>> {
  const header = await readAt(file, entry.offset, 30);
  if (header.length < 30 || header.readUInt32LE(0) !== LOCAL) throw new Unreadable(REASONS.damaged);
  const start = entry.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  const packed = bytesOf(file, start, entry.packed, onPacked);
  if (entry.method === STORED) return packed;
  if (entry.method !== DEFLATED) throw new Unreadable(REASONS.damaged);
  const source = Readable.from(packed, { objectMode: false, highWaterMark: CHUNK });
  const inflated = createInflateRaw({ chunkSize: CHUNK });
  source.on('error', (error) => inflated.destroy(error));
  return damagedIfItFails(source.pipe(inflated));
}

async function* damagedIfItFails(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    const isZlib = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
    throw isZlib ? new Unreadable(REASONS.damaged) : error;
  }
}

async function* bytesOf(
  file: FileHandle,
  from: number,
  length: number,
  onPacked: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  for (let at = from; at < from + length;) {
    const chunk = await readAt(file, at, Math.min(CHUNK, from + length - at));
    if (chunk.length === 0) throw new Unreadable(REASONS.damaged);
    onPacked(chunk.length);
    yield chunk;
    at += chunk.length;
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}

async function readDirectory(file: FileHandle, limits: ZipLimits): Promise<Map<string, Entry>> {
  const { size } = await file.stat();
  if (size === 0) throw new Unreadable(REASONS.emptyFile, 'EMPTY');
  const tailAt = Math.max(0, size - END_LENGTH - MOST_COMMENT);
  const tail = await readAt(file, tailAt, size - tailAt);
  const end = findEnd(tail);
  if (end === undefined) throw new Unreadable(REASONS.damaged);
  const count = tail.readUInt16LE(end + 10);
  if (count > limits.archiveEntries) throw new Unreadable(REASONS.tooManyParts);
  const length = tail.readUInt32LE(end + 12);
  const offset = tail.readUInt32LE(end + 16);
  if (offset + length > size) throw new Unreadable(REASONS.damaged);
  return entriesOf(await readAt(file, offset, length), count);
}

function findEnd(tail: Buffer): number | undefined {
  for (let at = tail.length - END_LENGTH; at >= 0; at--) {
    if (tail.readUInt32LE(at) === END) return at;
  }
  return undefined;
}

function entriesOf(directory: Buffer, count: number): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  let at = 0;
  for (let index = 0; index < count; index++) {
    const isWhole = at + 46 <= directory.length && directory.readUInt32LE(at) === DIRECTORY;
    if (!isWhole) throw new Unreadable(REASONS.damaged);
    const nameLength = directory.readUInt16LE(at + 28);
    const extraLength = directory.readUInt16LE(at + 30);
    const nameAt = at + 46;
    const name = directory.toString('utf8', nameAt, nameAt + nameLength).replaceAll('\\', '/');
    const extra = directory.subarray(nameAt + nameLength, nameAt + nameLength + extraLength);
    const entry = entryAt(directory, at, extra);
    // The first one counts, so that a second of the same name can't replace what a scanner saw.
    if (!entries.has(name)) entries.set(name, entry);
    at = nameAt + nameLength + extraLength + directory.readUInt16LE(at + 32);
  }
  return entries;
}

function entryAt(directory: Buffer, at: number, extra: Buffer): Entry {
  const sizes = {
    unpacked: directory.readUInt32LE(at + 24),
    packed: directory.readUInt32LE(at + 20),
    offset: directory.readUInt32LE(at + 42),
  };
  const flags = directory.readUInt16LE(at + 8);
  return {
    ...largeSizes(sizes, extra),
    method: directory.readUInt16LE(at + 10),
    isEncrypted: (flags & 1) === 1,
  };
}

/** Writers that stream may give sizes in the extra field 1, in this order. */
function largeSizes(
  sizes: { unpacked: number; packed: number; offset: number },
  extra: Buffer,
): { packed: number; offset: number } {
  let at = 0;
  while (at + 4 <= extra.length && extra.readUInt16LE(at) !== 1)
    at += 4 + extra.readUInt16LE(at + 2);
  at += 4;
  const large = (value: number): number => {
    if (value !== IS_ZIP64) return value;
    if (at + 8 > extra.length) throw new Unreadable(REASONS.damaged);
    at += 8;
    return Number(extra.readBigUInt64LE(at - 8));
  };
  large(sizes.unpacked);
  const packed = large(sizes.packed);
  return { packed, offset: large(sizes.offset) };
}
