import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../../core/context.ts';
import { invalidValue, requireFound } from '../../core/errors.ts';
import { addFile, type NewFile } from './adding.ts';
import { removeFile } from './removal/service.ts';
import { findFile, type FileRow } from './store.ts';
import { finishUpload, newToken, openUpload, receiveBytes } from './uploads/receive.ts';

export interface FileToStore extends Omit<NewFile, 'size'> {
  /** If it is known: there must be as many bytes. */
  size?: number | undefined;
  source: AsyncIterable<Uint8Array>;
}

/**
 * For what the server itself brings: files from chat channels, files that agents make. Returns it while it is being
 * checked. If it fails, nothing is left of it.
 */
export async function storeFile(ctx: Context, file: FileToStore): Promise<FileRow> {
  const { size, source } = file;
  if (size !== undefined) return storeSized(ctx, { ...file, size });
  await mkdir(ctx.spoolFolder, { recursive: true, mode: 0o700 });
  const spool = join(ctx.spoolFolder, `file-${randomUUID()}`);
  try {
    const most = ctx.fileLimits.maxBytes + 1;
    await pipeline(Readable.from(upTo(source, most)), createWriteStream(spool, { mode: 0o600 }));
    const spooled = { size: (await stat(spool)).size, source: createReadStream(spool) };
    return await storeSized(ctx, { ...file, ...spooled });
  } finally {
    await rm(spool, { force: true });
  }
}

async function storeSized(
  ctx: Context,
  { source, ...file }: FileToStore & { size: number },
): Promise<FileRow> {
  const token = newToken();
  const { id: fileId } = await addFile(ctx, file, token);
  try {
    const upload = await openUpload(ctx, fileId);
    const counted = { bytes: 0 };
    const limited = upTo(source, file.size + 1, counted);
    const state = await receiveBytes(ctx, { fileId, token, upload, source: limited });
    if (state.received !== file.size || counted.bytes !== file.size) {
      throw invalidValue('size', `must be the number of bytes, which is not ${file.size}`);
    }
    const isDone = await finishUpload(ctx, { fileId, token }, { ...upload, ...state });
    return requireFound(isDone ? await findFile(ctx, fileId) : undefined, 'This file');
  } catch (error) {
    await removeFile(ctx, fileId);
    throw error;
  }
}

/** So that a source without an end is not stored. */
async function* upTo(
  source: AsyncIterable<Uint8Array>,
  most: number,
  counted = { bytes: 0 },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    const rest = most - counted.bytes;
    counted.bytes += chunk.length;
    yield chunk.length > rest ? chunk.subarray(0, rest) : chunk;
    if (counted.bytes >= most) return;
  }
}
