import { randomUUID } from 'node:crypto';
import type { StoredUpload, UploadState } from '../../../adapters/storage/storage.ts';
import { withTransaction, type Context } from '../../../core/context.ts';
import { requireFound } from '../../../core/errors.ts';
import { CHECK_FILE } from '../checking/job-kind.ts';
import {
  completeUpload,
  findUpload,
  renewUpload,
  saveUpload,
  setStorageUpload,
  type UploadLease,
} from './store.ts';

/** How often whoever writes says that it still does. */
const RENEW_EVERY_MS = 10_000;
/** How often the offset is noted: of what was sent faster, so much is sent again if the process dies. */
const NOTE_EVERY_MS = 500;

export interface Receiving {
  fileId: string;
  token: string;
  upload: StoredUpload;
  source: AsyncIterable<Uint8Array>;
  /** True: what was stored only counts once all of it is known to be right. */
  isHeldBack?: boolean;
}

/** For the first bytes, and for those that replace them. */
export async function openUpload(ctx: Context, fileId: string): Promise<StoredUpload> {
  const { storageKey: key, uploadId: known } = requireFound(
    await findUpload(ctx, fileId),
    'This upload',
  );
  const uploadId = known ?? (await ctx.storage.begin(key));
  if (uploadId !== known) await setStorageUpload(ctx, fileId, uploadId);
  return { key, uploadId, received: 0, parts: [] };
}

export const newToken = (): string => randomUUID();

/**
 * Stores what `source` gives, for whoever holds the lease, and keeps that. Rejects with UploadLost once another
 * request has it, or the file is gone.
 */
export async function receiveBytes(
  ctx: Context,
  { fileId, token, upload, source, isHeldBack = false }: Receiving,
): Promise<UploadState> {
  const lease: UploadLease = { fileId, token };
  let lost: unknown;
  const renew = async () => {
    try {
      if (!(await renewUpload(ctx, lease))) lost = new UploadLost();
    } catch (error) {
      // The next renewal, or what is saved next, says whether it still is ours.
      ctx.log.warn({ err: error, fileId }, 'could not renew an upload');
    }
  };
  let notedAt = performance.now();
  const note = async (saved: UploadState) => {
    if (performance.now() - notedAt < NOTE_EVERY_MS) return;
    notedAt = performance.now();
    const isOurs = isHeldBack ? await renewUpload(ctx, lease) : await saveUpload(ctx, lease, saved);
    if (!isOurs) throw new UploadLost();
  };
  const keeping = setInterval(() => void renew(), RENEW_EVERY_MS);
  try {
    const state = await ctx.storage.append(
      upload,
      untilLost(source, () => lost),
      note,
    );
    if (lost !== undefined) throw lost;
    return state;
  } finally {
    clearInterval(keeping);
  }
}

/** Another request writes by now, or the file was deleted. */
export class UploadLost extends Error {}

async function* untilLost(
  source: AsyncIterable<Uint8Array>,
  lost: () => unknown,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    if (lost() !== undefined) return;
    yield chunk;
  }
}

/** All bytes are stored: they become the file's, and are checked. False if it was deleted meanwhile. */
export async function finishUpload(
  ctx: Context,
  { fileId, token }: UploadLease,
  upload: StoredUpload,
): Promise<boolean> {
  await ctx.storage.finish(upload);
  return withTransaction(ctx, async (inner) => {
    const { orgId } = inner;
    const isDone = await completeUpload(inner, { fileId, token }, upload.received);
    if (isDone) {
      inner.jobs.enqueue(inner.db, { kind: CHECK_FILE, payload: { orgId, fileId }, lane: orgId });
    }
    return isDone;
  });
}
