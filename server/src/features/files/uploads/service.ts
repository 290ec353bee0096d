import { projectArchived } from '../../../access/project.ts';
import type { StoredUpload } from '../../../adapters/storage/storage.ts';
import type { UserContext } from '../../../core/context.ts';
import { conflict, invalid, requireFound, type AppError } from '../../../core/errors.ts';
import { removeFile } from '../removal/service.ts';
import { presentFile } from '../present.ts';
import { findFile } from '../store.ts';
import { finishUpload, newToken, openUpload, receiveBytes, UploadLost } from './receive.ts';
import {
  findOwnUpload,
  releaseUpload,
  saveAndRelease,
  saveUpload,
  takeUpload,
  type UploadLease,
  type UploadRow,
} from './store.ts';

export type { UploadRow };

/** 404 for everybody but whoever began it, and for them after a day. */
export async function readUpload(ctx: UserContext, fileId: string): Promise<UploadRow> {
  return requireFound(await findOwnUpload(ctx, fileId), 'This upload');
}

/** Where an upload is. If all bytes are there, but its process died before it said so, this does. */
export async function resumeUpload(ctx: UserContext, fileId: string): Promise<UploadRow> {
  const upload = await readUpload(ctx, fileId);
  const isUnfinished = upload.status === 'UPLOADING' && upload.received === upload.size;
  if (!isUnfinished || upload.isHeld) return upload;
  const token = newToken();
  if (!(await takeUpload(ctx, { fileId, token }, upload))) return readUpload(ctx, fileId);
  await finishUpload(ctx, { fileId, token }, storedUpload(upload));
  return readUpload(ctx, fileId);
}

export interface BytesToReceive {
  source: AsyncIterable<Uint8Array>;
  /** Where they belong, or `whole` for all of them, from the beginning. */
  offset: number | 'whole';
  /** How many come, if that is known. */
  length: number | undefined;
  /** Called at the end, before anything counts. Throws if they are not what was meant. */
  verify?: (() => void) | undefined;
  /** Whether the sender sent all that they wanted to. */
  isComplete: () => boolean;
}

/** Stores bytes, and what is right of them even if they break off. Returns the offset after them. */
export async function receiveUpload(
  ctx: UserContext,
  upload: UploadRow,
  bytes: BytesToReceive,
): Promise<number> {
  const { fileId, size } = upload;
  const isWhole = bytes.offset === 'whole';
  const from = isWhole ? 0 : upload.received;
  requireOpen(upload, bytes.offset);
  requireLength(isWhole, size - from, bytes.length);
  const lease: UploadLease = { fileId, token: newToken() };
  if (!(await takeUpload(ctx, lease, upload))) throw secondWriter();
  try {
    // What a PUT sent before doesn't count once it begins again.
    if (isWhole && upload.received > 0) await saveUpload(ctx, lease, { received: 0, parts: [] });
    const stored = from === 0 ? await openUpload(ctx, fileId) : storedUpload(upload);
    return await receiveInto(ctx, lease, upload, stored, bytes);
  } catch (error) {
    await releaseUpload(ctx, lease);
    throw error instanceof UploadLost ? secondWriter() : error;
  }
}

/** The lease has ended when it resolves. */
async function receiveInto(
  ctx: UserContext,
  lease: UploadLease,
  { fileId, size }: UploadRow,
  stored: StoredUpload,
  { source, offset, verify, isComplete }: BytesToReceive,
): Promise<number> {
  const counted = { bytes: 0 };
  const room = size - stored.received;
  const state = await receiveBytes(ctx, {
    fileId,
    token: lease.token,
    upload: stored,
    source: upToRoom(source, room, counted),
    isHeldBack: verify !== undefined,
  });
  const isWrong =
    counted.bytes > room || (offset === 'whole' && isComplete() && state.received < size);
  if (isWrong) {
    await saveUpload(ctx, lease, stored);
    throw wrongLength(size, counted.bytes);
  }
  if (verify) {
    // Half of what a checksum is of can't be checked.
    if (!isComplete()) {
      await releaseUpload(ctx, lease);
      return stored.received;
    }
    verify();
  }
  const isAll = state.received === size;
  const isSaved = await (isAll ? saveUpload : saveAndRelease)(ctx, lease, state);
  if (!isSaved) throw new UploadLost();
  if (isAll) await finishUpload(ctx, lease, { ...stored, ...state });
  return state.received;
}

/** Stops at the first byte too many. */
async function* upToRoom(
  source: AsyncIterable<Uint8Array>,
  room: number,
  counted: { bytes: number },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    counted.bytes += chunk.length;
    if (counted.bytes > room) return;
    yield chunk;
  }
}

/** Ends an upload that is not complete: nothing is left of it. */
export async function endUpload(ctx: UserContext, fileId: string): Promise<void> {
  const upload = await readUpload(ctx, fileId);
  if (upload.status !== 'UPLOADING') requireFound(undefined, 'This upload');
  await removeFile(ctx, fileId);
}

/** The record, once the bytes are there. */
export async function readUploaded(ctx: UserContext, fileId: string) {
  return presentFile(requireFound(await findFile(ctx, fileId), 'This file'));
}

function storedUpload({ storageKey, uploadId, received, parts, token }: UploadRow): StoredUpload {
  const key = requireFound(storageKey ?? undefined, 'This upload');
  return { key, uploadId, received, parts, isTakenOver: token !== null };
}

function requireOpen(upload: UploadRow, offset: number | 'whole'): void {
  if (upload.archivedAt !== null) throw projectArchived();
  if (upload.status !== 'UPLOADING') {
    throw conflict('upload_conflict', 'All bytes of this file are there.', { offset: upload.size });
  }
  if (upload.isHeld) throw secondWriter();
  if (offset === 'whole' || offset === upload.received) return;
  throw conflict(
    'upload_conflict',
    `This upload goes on at ${upload.received}, not at ${offset}.`,
    { offset: upload.received },
  );
}

function requireLength(isWhole: boolean, room: number, length: number | undefined): void {
  if (length === undefined) return;
  if (isWhole ? length !== room : length > room) throw wrongLength(room, length);
}

function wrongLength(expected: number, got: number): AppError {
  const message = `must be ${expected} bytes, as announced, not ${got}`;
  return invalid([{ location: 'body', code: 'wrong_length', message }]);
}

function secondWriter(): AppError {
  return conflict('upload_conflict', 'Another request is sending bytes of this file.');
}
