import { randomUUID } from 'node:crypto';
import type { S3Config } from '../../config/files.ts';
import {
  abortMultipart,
  abortMultiparts,
  completeMultipart,
  copyObject,
  deleteObject,
  listMultiparts,
  listObjects,
  openMultipart,
  putObject,
  putPart,
  sizeOfObject,
} from './s3-calls.ts';
import { createS3Client, type S3Timings } from './s3-client.ts';
import { createPart, type Part } from './s3-part.ts';
import { progressOf, stateOf, type S3Progress } from './s3-progress.ts';
import { readObject } from './s3-read.ts';
import { StorageUnavailable, type FileStorage } from './storage.ts';

/** Between the key of an upload and the name of a tail. Keys never contain it. */
const TAIL = '.tail-';

/**
 * One bucket. An upload is whole parts, and what came after them in an object of its own: its tail, which has a new
 * name each time, because the database may still name the last one.
 */
export function createS3Storage(config: S3Config, timings?: S3Timings): FileStorage {
  const s3 = createS3Client(config, timings);

  async function fillFromTail(part: Part, tail: NonNullable<S3Progress['tail']>): Promise<void> {
    for await (const chunk of await readObject(s3, tail.key)) {
      if (part.add(chunk).length > 0) break;
    }
    if (part.length !== tail.size) {
      throw new StorageUnavailable('an unfinished upload is not as it was left');
    }
  }

  async function sendPart(key: string, progress: S3Progress, part: Part): Promise<void> {
    progress.multipartId ??= await openMultipart(s3, key);
    const number = progress.parts.length + 1;
    const place = { key, multipartId: progress.multipartId, number };
    const etag = await putPart(s3, place, part.content());
    progress.parts.push({ etag, size: part.length });
    progress.tail = undefined;
    part.clear();
  }

  async function complete(key: string, progress: S3Progress): Promise<void> {
    if (progress.tail) {
      const part = createPart();
      await fillFromTail(part, progress.tail);
      await sendPart(key, progress, part);
    }
    const { multipartId, parts } = progress;
    if (multipartId === undefined) throw new Error('an upload without bytes cannot be finished');
    const etags = parts.map(({ etag }) => etag);
    await completeMultipart(s3, key, multipartId, etags);
  }

  async function deleteTails(key: string): Promise<void> {
    for await (const object of listObjects(s3, `${key}${TAIL}`)) await deleteObject(s3, object.key);
  }

  return {
    kind: 's3',

    // The first whole part opens it: most files have none.
    begin: async () => null,

    async append(upload, source, onSaved) {
      const progress = progressOf(upload);
      const part = createPart();
      const pieces = quietly(source);
      try {
        if (progress.tail) await fillFromTail(part, progress.tail);
        for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) {
          for (let rest = piece.value; rest.length > 0;) {
            rest = part.add(rest);
            if (!part.isFull) continue;
            await sendPart(upload.key, progress, part);
            await onSaved(stateOf(progress));
          }
        }
      } finally {
        await pieces.return();
      }
      if (part.length > 0 && part.length !== progress.tail?.size) {
        const tail = { key: `${upload.key}${TAIL}${randomUUID()}`, size: part.length };
        await putObject(s3, tail.key, part.content());
        progress.tail = tail;
      }
      return stateOf(progress);
    },

    async finish(upload) {
      const { key } = upload;
      const progress = progressOf(upload);
      const { received } = stateOf(progress);
      try {
        if (progress.parts.length === 0 && progress.tail) {
          await copyObject(s3, progress.tail.key, key);
        } else await complete(key, progress);
      } catch (error) {
        // Done before, if the answer was lost or a process ended then. Only a finished upload has this key.
        if ((await sizeOfObject(s3, key)) !== received) throw error;
      }
      await deleteTails(key);
    },

    async abandon({ key }) {
      await abortMultiparts(s3, key);
      await deleteTails(key);
    },

    async write(key, source, size) {
      const progress: S3Progress = { multipartId: undefined, parts: [], tail: undefined };
      const part = createPart();
      try {
        for await (const chunk of source) {
          for (let rest = chunk; rest.length > 0;) {
            if (part.isFull) await sendPart(key, progress, part);
            rest = part.add(rest);
          }
        }
        const { received } = stateOf(progress);
        if (received + part.length !== size) {
          throw new Error(`${received + part.length} bytes were given instead of ${size}`);
        }
        if (progress.parts.length === 0) return await putObject(s3, key, part.content());
        if (part.length > 0) await sendPart(key, progress, part);
        await complete(key, progress);
      } catch (error) {
        // What is left is found again by its key.
        if (progress.multipartId !== undefined) await abortMultiparts(s3, key).catch(() => {});
        throw error;
      }
    },

    read: (key, range) => readObject(s3, key, range),
    sizeOf: (key) => sizeOfObject(s3, key),
    delete: (key) => deleteObject(s3, key),

    async *list() {
      for await (const object of listObjects(s3, '')) {
        if (!object.key.includes(TAIL)) yield object;
      }
    },

    async deleteUploadsBefore(time) {
      let deleted = 0;
      for await (const upload of listMultiparts(s3, '')) {
        if (!(upload.openedAt < time)) continue;
        await abortMultipart(s3, upload);
        deleted++;
      }
      for await (const { key, writtenAt } of listObjects(s3, '')) {
        if (!key.includes(TAIL) || !(writtenAt < time)) continue;
        await deleteObject(s3, key);
        deleted++;
      }
      return deleted;
    },

    async check() {
      const key = `check-${randomUUID()}`;
      const part = createPart();
      part.add(Buffer.from(key));
      await putObject(s3, key, part.content());
      const found: Uint8Array[] = [];
      for await (const chunk of await readObject(s3, key)) found.push(chunk);
      await deleteObject(s3, key);
      if (Buffer.concat(found).toString() === key) return;
      throw new StorageUnavailable('the S3 service returned something else than was written');
    },

    close: () => s3.close(),
  };
}

/** A source that breaks off has just ended. */
function quietly(source: AsyncIterable<Uint8Array>) {
  const pieces = source[Symbol.asyncIterator]();
  return {
    next: () => pieces.next().catch(() => ({ done: true as const, value: undefined })),
    return: async () => {
      await pieces.return?.().catch(() => {});
    },
  };
}
