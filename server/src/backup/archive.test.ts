import { randomBytes } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readArchive, writeArchive } from './archive.ts';
import { BackupError } from './backup-error.ts';
import { ByteReader } from './byte-reader.ts';
import { parseHeader } from './format.ts';
import { seal, unseal } from './sealing.ts';

const KEY = Buffer.alloc(32, 1);
const FRAME = 65_536 + 16;
const HEADER = 'atrium-backup-sealed 1\n'.length + 32;

/** Texts that cannot be compressed, so that an archive has several frames. */
const LINES = Array.from({ length: 40 }, () => randomBytes(4_000).toString('base64'));

async function write(lines: readonly string[], key?: Buffer): Promise<Buffer> {
  const sink = new PassThrough();
  const text = Readable.from(lines.map((line) => `${line}\n`));
  const [bytes] = await Promise.all([buffer(sink), writeArchive(text, sink, key)]);
  return bytes;
}

async function read(chunks: Iterable<Buffer>, key?: Buffer): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of readArchive(Readable.from(chunks), key)) lines.push(line);
  return lines;
}

function* inChunks(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe.each([
  ['a plain archive', undefined],
  ['an encrypted archive', KEY],
])('%s', (_name, key) => {
  it('returns the lines that were written, however it arrives', async () => {
    const bytes = await write(LINES, key);
    for (const size of [97, 1_000, FRAME, bytes.length]) {
      expect(await read(inChunks(bytes, size), key)).toEqual(LINES);
    }
    expect(await read([await write([], key)], key)).toEqual([]);
  });

  it('is refused when it is cut anywhere, and when something follows it', async () => {
    const bytes = await write(LINES, key);
    const cuts = fc.oneof(
      fc.nat(bytes.length - 1),
      fc.constantFrom(0, 1, HEADER, HEADER + FRAME, HEADER + 2 * FRAME, bytes.length - 1),
    );
    const property = fc.asyncProperty(cuts, async (cut) => {
      await expect(read([bytes.subarray(0, cut)], key)).rejects.toThrow(BackupError);
    });
    await fc.assert(property, { numRuns: 40 });
    await expect(read([bytes, Buffer.from('x')], key)).rejects.toThrow(BackupError);
  });

  it('never returns other lines after one bit was changed', async () => {
    const bytes = await write(LINES, key);
    const property = fc.asyncProperty(fc.nat(bytes.length * 8 - 1), async (bit) => {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      const lines = await read([changed], key).catch((error: unknown) => error);
      // A few bits of gzip's header mean nothing.
      if (key || !Array.isArray(lines)) expect(lines).toBeInstanceOf(BackupError);
      else expect(lines).toEqual(LINES);
    });
    await fc.assert(property, { numRuns: 60 });
  });
});

describe('an encrypted archive', () => {
  it('does not open with its parts in another order, or twice', async () => {
    const bytes = await write(LINES, KEY);
    const [header, ...frames] = [
      bytes.subarray(0, HEADER),
      ...inChunks(bytes.subarray(HEADER), FRAME),
    ];
    const [first, second, ...rest] = frames;
    expect(frames.length).toBeGreaterThan(2);
    for (const order of [
      [second, first, ...rest],
      [first, first, second, ...rest],
      [second, ...rest],
    ]) {
      const parts = [header, ...order].map((part) => part ?? Buffer.alloc(0));
      await expect(read(parts, KEY)).rejects.toThrow(BackupError);
    }
  });

  it('does not open without its last parts, even if what is left is whole parts', async () => {
    const sealed = await buffer(Readable.from(seal(KEY, Readable.from([randomBytes(200_000)]))));
    const open = (bytes: Buffer) =>
      buffer(Readable.from(unseal(KEY, new ByteReader(Readable.from([bytes])))));
    expect(await open(sealed)).toHaveLength(200_000);
    for (const parts of [1, 2, 3]) {
      await expect(open(sealed.subarray(0, HEADER + parts * FRAME))).rejects.toThrow(BackupError);
    }
  });

  it('does not show what is in it, and differs each time', async () => {
    const [one, two] = await Promise.all([write(['canary'], KEY), write(['canary'], KEY)]);
    expect(one.subarray(HEADER).equals(two.subarray(HEADER))).toBe(false);
    expect(one.includes('canary')).toBe(false);
  });

  it.each([
    ['another key', Buffer.alloc(32, 2), /this key does not open the archive/],
    ['no key', undefined, /is encrypted; pass its key with --key-file/],
  ])('%s: says so', async (_name, key, message) => {
    await expect(read([await write(LINES, KEY)], key)).rejects.toThrow(message);
  });
});

it('a plain archive is refused if a key is given: somebody may have replaced the encrypted one', async () => {
  await expect(read([await write(LINES)], KEY)).rejects.toThrow(/is not encrypted/);
});

it.each([
  ['text', Buffer.from('Dear diary')],
  ['nothing', Buffer.alloc(0)],
  ['another gzip file', gzipSync('Dear diary\n')],
  ['zeros', Buffer.alloc(100_000)],
])('%s: is not an Atrium backup', async (_name, bytes) => {
  const first = async () => parseHeader((await read([bytes]))[0]);
  await expect(first()).rejects.toThrow('this is not an Atrium backup');
});

it('an archive of a later format: says that it needs a newer version', () => {
  const header = JSON.stringify({ atriumBackup: 2, tables: 'all different' });
  expect(() => parseHeader(header)).toThrow(/has format 2, .* use a newer version/);
});
