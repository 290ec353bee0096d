import { withTransaction, type Context } from '../../core/context.ts';
import { conflict, invalid } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { emit } from '../../events/emit.ts';
import { insertUpload } from './uploads/store.ts';
import { insertFile, lockQuota, sumOfFiles, type FileRow } from './store.ts';
import { UNKNOWN_TYPE } from './media-types.ts';

export interface NewFile {
  projectId: string;
  name: string;
  mediaType?: string | null | undefined;
  size: number;
  uploadedById: string | null;
  uploadedByAgent: string | null;
}

/** Adds a file whose bytes are to come. Its announced size counts towards the quota at once. */
export function addFile(
  ctx: Context,
  file: NewFile,
  /** Of whoever sends the bytes, if they begin at once. */
  token: string | null = null,
): Promise<FileRow> {
  requireSize(ctx, file.size);
  return withTransaction(ctx, async (inner) => {
    await lockQuota(inner);
    const { bytes } = await sumOfFiles(inner);
    requireRoom(ctx, bytes, file.size);
    const id = newId();
    const row = await insertFile(inner, { ...file, id, mediaType: file.mediaType ?? UNKNOWN_TYPE });
    await insertUpload(inner, { fileId: id, storageKey: newStorageKey(ctx.orgId), token });
    emit(inner, { type: 'file.created', projectId: file.projectId, fileId: id });
    return row;
  });
}

/** Not the file's id: its bytes are replaced when metadata is removed. */
export function newStorageKey(orgId: string): string {
  return `${orgId}/${newId()}`;
}

export function requireSize({ fileLimits }: Pick<Context, 'fileLimits'>, size: number): void {
  if (size <= fileLimits.maxBytes) return;
  const megabytes = fileLimits.maxBytes / 1024 ** 2;
  const message = `must be at most ${fileLimits.maxBytes} bytes (${megabytes} MB)`;
  throw invalid([{ location: 'body.size', code: 'too_big', message }]);
}

function requireRoom({ fileLimits }: Context, used: number, size: number): void {
  const max = fileLimits.quotaBytes;
  if (used + size <= max) return;
  const gigabytes = max / 1024 ** 3;
  throw conflict(
    'quota_reached',
    `The files of this organisation may take ${gigabytes} GB, and there is no room left for this one. Delete files that are no longer needed.`,
    { maxBytes: max, usedBytes: used, size },
  );
}
