import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { createS3Client, S3_TIMINGS } from '../../src/adapters/storage/s3-client.ts';
import { PART_BYTES } from '../../src/adapters/storage/s3-part.ts';
import { createS3Storage } from '../../src/adapters/storage/s3-storage.ts';
import {
  StorageMissing,
  StorageUnavailable,
  type FileStorage,
  type UploadState,
} from '../../src/adapters/storage/storage.ts';
import { S3_PROGRAM, startS3Server } from '../harness/outside/s3-server.ts';
import { useStarted } from '../harness/processes/use-started.ts';

const TIMINGS = { ...S3_TIMINGS, attemptMs: 1_500, silenceMs: 1_500, pauseMs: 10 };
const START: UploadState = { received: 0, parts: [] };

// Without it there is no S3 service to test with: see scripts/test-services.
describe.skipIf(S3_PROGRAM === undefined)('files on an S3 service', () => {
  const s3 = useStarted(startS3Server, (started) => started.close());
  const opened: FileStorage[] = [];
  const open = (prefix = '') => {
    const storage = createS3Storage({ ...s3.config, prefix }, TIMINGS);
    opened.push(storage);
    return storage;
  };
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((storage) => storage.close()));
    s3.requests.length = 0;
  });

  describe('an upload', () => {
    it('goes on in another process after each break, and has exactly its bytes', async () => {
      const data = randomBytes(2 * PART_BYTES + 1_700_000);
      const key = randomUUID();
      let state = START;
      const saved: number[] = [];
      for (const length of [10, 1_700_000, 6_000_000, data.length]) {
        const source = broken(data.subarray(state.received, state.received + length));
        state = asStored(
          await open().append({ key, uploadId: null, ...state }, source, async ({ received }) => {
            saved.push(received);
          }),
        );
      }
      expect(state.received).toBe(data.length);
      expect(saved).toEqual([PART_BYTES, 2 * PART_BYTES]);
      await open().finish({ key, uploadId: null, ...state });
      expect(await contentOf(open(), key)).toEqual(data);
      expect(await keysOf(open())).toContain(key);
    });

    it('goes on from what was saved last if the process ended after it wrote more', async () => {
      const data = randomBytes(PART_BYTES + 3_000);
      const upload = { key: randomUUID(), uploadId: null };
      const storage = open();
      const first = await storage.append(
        { ...upload, ...START },
        pieces(data.subarray(0, 2_000)),
        ignore,
      );
      // This one fills the part and begins another tail, and nobody learns of it.
      await storage.append({ ...upload, ...first }, pieces(data.subarray(2_000)), ignore);
      const again = await storage.append(
        { ...upload, ...first },
        pieces(data.subarray(2_000)),
        ignore,
      );
      await storage.finish({ ...upload, ...again });
      expect(await contentOf(storage, upload.key)).toEqual(data);
      expect(await keysUnder(upload.key)).toEqual([upload.key]);
    });

    it.each([
      ['a small file', 1_000, 'PUT /files/'],
      ['a large file', PART_BYTES + 1, 'POST ?uploadId'],
    ])('%s: finished once, although the answer was lost', async (_name, size, begins) => {
      const data = randomBytes(size);
      const upload = { key: randomUUID(), uploadId: null };
      const storage = open();
      const state = await storage.append({ ...upload, ...START }, pieces(data), ignore);
      s3.fail(begins, 'lose answer');
      await storage.finish({ ...upload, ...state });
      await storage.finish({ ...upload, ...state });
      expect(await contentOf(storage, upload.key)).toEqual(data);
      expect(await keysUnder(upload.key)).toEqual([upload.key]);
    });

    it('refuses to go on from an end that is not as it was left', async () => {
      const upload = { key: randomUUID(), uploadId: null };
      const storage = open();
      const state = await storage.append({ ...upload, ...START }, pieces(randomBytes(9)), ignore);
      const other = {
        ...state,
        parts: state.parts.map((part) => ({ ...(part as object), size: 8 })),
      };
      const append = storage.append({ ...upload, ...other }, pieces(randomBytes(5)), ignore);
      await expect(append).rejects.toThrow(StorageUnavailable);
    });

    it('leaves nothing when it is given up, also parts that nobody knows of', async () => {
      const upload = { key: randomUUID(), uploadId: null };
      const storage = open();
      s3.fail('POST ?uploads', 'lose answer');
      const data = randomBytes(PART_BYTES + 5);
      await storage.append({ ...upload, ...START }, pieces(data), ignore);
      expect(await openUploads(upload.key)).toBe(2);
      await storage.abandon(upload);
      await storage.abandon(upload);
      expect(await openUploads(upload.key)).toBe(0);
      expect(await keysUnder(upload.key)).toEqual([]);
    });
  });

  it('uploads that nobody goes on with are swept, in this prefix and no object', async () => {
    const storage = open('swept/');
    const data = randomBytes(PART_BYTES + 5);
    const upload = { key: 'left', uploadId: null };
    await storage.append({ ...upload, ...START }, pieces(data), ignore);
    const key = await written(storage, randomBytes(3));
    // moto says that all uploads began in 2010.
    expect(await storage.deleteUploadsBefore(new Date('2000-01-01'))).toBe(0);
    expect(await open('other/').deleteUploadsBefore(new Date(Date.now() + 60_000))).toBe(0);
    expect(await storage.deleteUploadsBefore(new Date(Date.now() + 60_000))).toBe(2);
    expect(await openUploads('swept/')).toBe(0);
    expect(await keysUnder('swept/')).toEqual([`swept/${key}`]);
  });

  describe('reading', () => {
    it('gives exactly the bytes of a range', async () => {
      const data = randomBytes(300_000);
      const key = await written(open(), data);
      for (const [start, end] of [
        [0, 0],
        [5, 9],
        [299_999, 299_999],
        [0, 299_999],
      ] as const) {
        expect(await contentOf(open(), key, { start, end })).toEqual(data.subarray(start, end + 1));
      }
    });

    it('goes on where the connection was cut', async () => {
      const data = randomBytes(1_000_000);
      const key = await written(open(), data);
      s3.fail('GET', 'cut body', 2);
      expect(await contentOf(open(), key, { start: 10, end: 999_000 })).toEqual(
        data.subarray(10, 999_001),
      );
    });

    it('never goes on in another object', async () => {
      const storage = open();
      const key = await written(storage, Buffer.alloc(1_000_000, 'a'));
      s3.fail('GET', 'cut body');
      const content = await storage.read(key);
      await storage.write(key, pieces(Buffer.alloc(1_000_000, 'b')), 1_000_000);
      await expect(collect(content)).rejects.toThrow(StorageUnavailable);
    });

    it('says that there is no such object', async () => {
      await expect(open().read('none')).rejects.toThrow(StorageMissing);
      expect(await open().sizeOf('none')).toBeUndefined();
      await open().delete('none');
    });
  });

  describe('a service in trouble', () => {
    it('503 and slow down: waits and tries again', async () => {
      s3.fail('PUT', { status: 503, code: 'SlowDown', retryAfter: '0' }, 3);
      const data = randomBytes(100);
      const storage = open();
      expect(await contentOf(storage, await written(storage, data))).toEqual(data);
    });

    it('503 for good: gives up after five attempts', async () => {
      s3.fail('PUT', { status: 503, code: 'SlowDown' }, 5);
      const work = written(open(), randomBytes(100));
      await expect(work).rejects.toThrow(StorageUnavailable);
      expect(s3.requests).toHaveLength(5);
    });

    it('no answer: gives up on it in time, and tries again', async () => {
      s3.fail('PUT', 'hang');
      const data = randomBytes(100);
      const storage = open();
      expect(await contentOf(storage, await written(storage, data))).toEqual(data);
    });

    it('403: says so at once, without a key or a secret', async () => {
      s3.fail('PUT', { status: 403, code: 'InvalidAccessKeyId' });
      const failure = await written(open(), randomBytes(9)).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(StorageUnavailable);
      expect(String(failure)).toContain('403 InvalidAccessKeyId');
      expect(String(failure)).not.toContain('test-');
      expect(s3.requests).toHaveLength(1);
    });

    it('507: says that it is full', async () => {
      s3.fail('PUT', { status: 507, code: 'XMinioStorageFull' });
      const work = written(open(), randomBytes(9));
      await expect(work).rejects.toMatchObject({ isFull: true });
    });

    it('an error within 200: is one', async () => {
      s3.fail('POST ?uploadId', { status: 200, code: 'InternalError' }, 5);
      const work = written(open('failing/'), randomBytes(PART_BYTES + 1));
      await expect(work).rejects.toThrow(StorageUnavailable);
      expect(await openUploads('failing/')).toBe(0);
    });
  });

  it('a write that fails leaves nothing', async () => {
    const storage = open();
    const data = randomBytes(PART_BYTES + 100);
    const key = randomUUID();
    await expect(storage.write(key, pieces(data), data.length + 1)).rejects.toThrow('instead of');
    await expect(storage.write(key, failing(data), data.length)).rejects.toThrow('broke off');
    expect(await keysUnder(key)).toEqual([]);
    expect(await openUploads(key)).toBe(0);
  });

  it('a bucket holds more than one Atrium, each under its prefix', async () => {
    const [one, other] = [open('one/'), open('other & <more>/')];
    const key = await written(one, randomBytes(10));
    const another = await written(other, randomBytes(20));
    expect(await keysOf(one)).toEqual([key]);
    expect(await keysOf(other)).toEqual([another]);
    expect(await one.sizeOf(another)).toBeUndefined();
    await other.check();
    expect(await keysOf(other)).toEqual([another]);
  });

  async function keysUnder(prefix: string): Promise<string[]> {
    const client = createS3Client(s3.config);
    const query = { 'list-type': '2', prefix };
    const { text } = await client.send({ method: 'GET', query });
    await client.close();
    return [...text.matchAll(/<Key>([^<]*)/g)].map(([, key = '']) => key);
  }

  async function openUploads(begin: string): Promise<number> {
    const client = createS3Client(s3.config);
    const { text } = await client.send({ method: 'GET', query: { uploads: '' } });
    await client.close();
    return [...text.matchAll(/<Key>([^<]*)/g)].filter(([, key = '']) => key.startsWith(begin))
      .length;
  }
});

const ignore = async () => {};
const asStored = (state: UploadState) => JSON.parse(JSON.stringify(state)) as UploadState;

async function* pieces(data: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < data.length; at += 70_001) yield data.subarray(at, at + 70_001);
}

async function* failing(data: Buffer): AsyncGenerator<Buffer> {
  yield* pieces(data);
  throw new Error('the source broke off');
}

/** Ends in the middle of nothing, as a connection does. */
const broken = failing;

async function written(storage: FileStorage, data: Buffer): Promise<string> {
  const key = randomUUID();
  await storage.write(key, pieces(data), data.length);
  return key;
}

async function contentOf(
  storage: FileStorage,
  key: string,
  range?: { start: number; end: number },
): Promise<Buffer> {
  return collect(await storage.read(key, range));
}

async function collect(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function keysOf(storage: FileStorage): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.list()) keys.push(key);
  return keys;
}
