import type { Context } from '../../core/context.ts';
import { invalidValue, requireFound } from '../../core/errors.ts';
import { fillSpool, openSpool, readSpool } from '../../disk/spool-file.ts';
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
  const spool = await openSpool(ctx.spoolFolder);
  try {
    const spooled = await fillSpool(spool, upTo(source, ctx.fileLimits.maxBytes + 1));
    return await storeSized(ctx, { ...file, size: spooled, source: readSpool(spool, spooled) });
  } finally {
    await spool.close();
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
