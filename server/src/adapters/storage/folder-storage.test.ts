import { existsSync, readFileSync } from 'node:fs';
import { readdir, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { randomFrom } from '../../../test/harness/random.ts';
import { useNewFolder } from '../../../test/harness/use-folder.ts';
import { restoreDisk } from '../../../test/race/power-cut/disk.ts';
import { Recorder } from '../../../test/race/power-cut/recorder.ts';
import { makeFolder } from '../../disk/durable-file.ts';
import { SAVE_EVERY_BYTES } from './append-to-file.ts';
import { createFolderStorage } from './folder-storage.ts';
import { StorageMissing, StorageUnavailable, type StoredUpload } from './storage.ts';

const folder = useNewFolder();
const open = (path = folder.path) => createFolderStorage(join(path, 'files'));
const KEY = 'corg/cfile';
const PART = 'files/uploads/corg/cfile.part';

async function* of(...pieces: (Uint8Array | string)[]) {
  for (const piece of pieces) yield Buffer.from(piece as string);
}

async function* breaksOffAfter(...pieces: string[]) {
  yield* of(...pieces);
  throw new Error('the sender has gone');
}

async function contentOf(storage = open(), key = KEY, range?: { start: number; end: number }) {
  const pieces: Uint8Array[] = [];
  for await (const piece of await storage.read(key, range)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

const upload = (more: Partial<StoredUpload> = {}): StoredUpload => ({
  key: KEY,
  uploadId: null,
  received: 0,
  parts: [],
  ...more,
});
const nothing = async () => {};

describe('an upload', () => {
  it('is not there until it is finished, and then as a whole', async () => {
    const storage = open();
    await storage.begin(KEY);
    const state = await storage.append(upload(), of('one ', 'two'), nothing);
    expect(state).toEqual({ received: 7, parts: [] });
    await expect(storage.read(KEY)).rejects.toThrow(StorageMissing);
    expect(await storage.sizeOf(KEY)).toBeUndefined();
    await storage.finish(upload(state));
    expect(await contentOf(storage)).toBe('one two');
    await storage.finish(upload(state));
    expect(await contentOf(storage, KEY, { start: 4, end: 5 })).toBe('tw');
  });

  it('goes on in another process, from what the caller knows, whatever else was written', async () => {
    const first = await open().append(upload(), breaksOffAfter('one ', 'lost'), nothing);
    expect(first.received).toBe(8);
    const state = await open().append(upload({ received: 4 }), of('two'), nothing);
    await open().finish(upload(state));
    expect(await contentOf()).toBe('one two');
  });

  it('does not go on where bytes were lost', async () => {
    await open().append(upload(), of('one'), nothing);
    await truncate(join(folder.path, PART), 2);
    const more = open().append(upload({ received: 3 }), of('two'), nothing);
    await expect(more).rejects.toThrow(StorageMissing);
    await expect(open().finish(upload({ received: 3 }))).rejects.toThrow(StorageMissing);
  });

  it('keeps nothing that a writer adds after somebody else has taken over', async () => {
    const gate = Promise.withResolvers<void>();
    const slow = open().append(
      upload(),
      (async function* () {
        yield Buffer.alloc(600 * 1024, 'a');
        await gate.promise;
        yield Buffer.alloc(600 * 1024, 'b');
      })(),
      nothing,
    );
    const received = 1000;
    await expect.poll(() => existsSync(join(folder.path, PART))).toBe(true);
    await expect.poll(() => readFileSync(join(folder.path, PART)).length).toBeGreaterThan(received);
    const taken = upload({ received, isTakenOver: true });
    const state = await open().append(taken, of('c'), nothing);
    await open().finish(upload(state));
    gate.resolve();
    await slow;
    expect(await contentOf()).toBe(`${'a'.repeat(received)}c`);
  });

  it('says how far it is, whenever that is durable', async () => {
    const saved: number[] = [];
    const piece = Buffer.alloc(1024 * 1024);
    const source = of(...Array.from({ length: 20 }, () => piece));
    await open().append(upload(), source, async ({ received }) => void saved.push(received));
    // What arrives while the disk is busy is saved together.
    expect(saved.length).toBeGreaterThan(0);
    expect(saved[0]).toBe(SAVE_EVERY_BYTES);
    expect(saved).toEqual([...new Set(saved)].toSorted((a, b) => a - b));
  });

  it('ends when what it got cannot be noted', async () => {
    const piece = Buffer.alloc(SAVE_EVERY_BYTES);
    const refused = open().append(upload(), of(piece, piece, piece), async () => {
      throw new Error('another writer');
    });
    await expect(refused).rejects.toThrow('another writer');
  });

  it('is abandoned, however often', async () => {
    const storage = open();
    await storage.append(upload(), of('one'), nothing);
    await storage.abandon(upload());
    await storage.abandon(upload());
    expect(existsSync(join(folder.path, PART))).toBe(false);
    await expect(storage.finish(upload({ received: 3 }))).rejects.toThrow(StorageMissing);
  });

  it('is deleted once nobody goes on with it', async () => {
    const storage = open();
    await storage.append(upload(), of('one'), nothing);
    const day = new Date(Date.now() - 1000);
    expect(await storage.deleteUploadsBefore(day)).toBe(0);
    await utimes(join(folder.path, PART), 0, 0);
    expect(await storage.deleteUploadsBefore(day)).toBe(1);
  });
});

describe('an object', () => {
  it('is written as a whole, or not at all', async () => {
    const storage = open();
    await expect(storage.write(KEY, breaksOffAfter('one'), 3)).rejects.toThrow('the sender');
    await expect(storage.write(KEY, of('one'), 4)).rejects.toThrow('got 3 bytes');
    await expect(storage.read(KEY)).rejects.toThrow(StorageMissing);
    expect(await readdir(join(folder.path, 'files/uploads/corg'))).toEqual([]);
    await storage.write(KEY, of('one'), 3);
    expect(await contentOf(storage)).toBe('one');
    await storage.delete(KEY);
    await storage.delete(KEY);
    expect(await storage.sizeOf(KEY)).toBeUndefined();
  });

  it('is listed once it is there; uploads are not', async () => {
    const storage = open();
    await storage.append(upload({ key: 'corg/other' }), of('one'), nothing);
    await storage.write(KEY, of('one'), 3);
    const listed = [];
    for await (const found of storage.list()) listed.push(found);
    expect(listed).toMatchObject([{ key: KEY, size: 3, writtenAt: expect.any(Date) }]);
  });

  it.each(['../x', '/etc/passwd', 'a/../../b', 'uploads/x', '', 'a//b', '.x', 'a\0b'])(
    'has no key %j',
    async (key) => {
      await expect(open().read(key)).rejects.toThrow('is no key');
    },
  );

  it('is missing, or its folder cannot be used', async () => {
    const storage = open();
    await storage.check();
    await rm(join(folder.path, 'files'), { recursive: true });
    await writeFile(join(folder.path, 'files'), 'no folder');
    await expect(storage.check()).rejects.toThrow(StorageUnavailable);
    await expect(storage.append(upload(), of('one'), nothing)).rejects.toMatchObject({
      isFull: false,
    });
  });
});

it('after a power cut, a finished file is whole, and what was counted is there', async () => {
  const root = folder.path;
  const recorder = new Recorder(root);
  const marks: { at: number; received: number | 'finished' }[] = [];
  try {
    await makeFolder(join(root, 'data'));
    const storage = open(join(root, 'data'));
    await storage.begin(KEY);
    let state = await storage.append(upload(), of('one '), nothing);
    marks.push({ at: recorder.events.length, received: state.received });
    state = await storage.append(upload(state), of('two'), nothing);
    marks.push({ at: recorder.events.length, received: state.received });
    await storage.finish(upload(state));
    marks.push({ at: recorder.events.length, received: 'finished' });
  } finally {
    recorder.stop();
  }
  const disk = `${root}-disk`;
  for (let at = 0; at <= recorder.events.length; at++) {
    for (let seed = 0; seed < 8; seed++) {
      restoreDisk(recorder, { at }, randomFrom(at * 8 + seed), disk);
      const storage = open(join(disk, 'data'));
      const promised = marks.findLast((mark) => mark.at <= at)?.received;
      const size = await storage.sizeOf(KEY);
      if (size !== undefined) expect(await contentOf(storage)).toBe('one two');
      else {
        expect(promised).not.toBe('finished');
        if (typeof promised === 'number') {
          await storage.finish(upload({ received: promised }));
          expect(await contentOf(storage)).toBe('one two'.slice(0, promised));
        }
      }
      await rm(disk, { recursive: true });
    }
  }
});
