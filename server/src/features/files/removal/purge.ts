import type { FileStorage } from '../../../adapters/storage/storage.ts';
import { withTransaction, type Context } from '../../../core/context.ts';
import { deleteCopiesBefore } from '../../../disk/spool-file.ts';
import { emit } from '../../../events/emit.ts';
import type { Queryable } from '../../../db/types.ts';
import { newToken, finishUpload } from '../uploads/receive.ts';
import { listStuckUploads, takeUpload } from '../uploads/store.ts';
import { findAudience } from '../store.ts';
import { deleteBytes } from './service.ts';
import { deleteFileRow, findNamedKeys, listExpired } from './store.ts';

type ContextOf = (orgId: string) => Context;

/** Deletes files that were never attached, or not for a week, and uploads that were given up. */
export async function purgeFiles(db: Queryable, contextOf: ContextOf): Promise<number> {
  let purged = 0;
  for (;;) {
    const expired = await listExpired(db);
    let inThisRound = 0;
    for (const { orgId, fileId } of expired) {
      if (await purgeFile(contextOf(orgId), fileId)) inThisRound++;
    }
    purged += inThisRound;
    // Another process may be at the same ones.
    if (inThisRound === 0) return purged;
  }
}

async function purgeFile(ctx: Context, fileId: string): Promise<boolean> {
  const removed = await withTransaction(ctx, async (inner) => {
    const audience = await findAudience(inner, fileId);
    const file = await deleteFileRow(inner, fileId, { onlyIfExpired: true });
    if (file && audience) emit(inner, { type: 'file.deleted', fileId, ...audience });
    return file;
  });
  if (removed?.storageKey) await deleteBytes(ctx, removed.storageKey);
  return removed !== undefined;
}

/** Uploads whose bytes are all there, but whose process died before it said so. */
export async function finishUploads(db: Queryable, contextOf: ContextOf): Promise<number> {
  let finished = 0;
  for (const { orgId, ...upload } of await listStuckUploads(db)) {
    const ctx = contextOf(orgId);
    const lease = { fileId: upload.fileId, token: newToken() };
    if (!(await takeUpload(ctx, lease, upload))) continue;
    const { storageKey: key, uploadId, received, parts } = upload;
    if (await finishUpload(ctx, lease, { key, uploadId, received, parts })) finished++;
  }
  return finished;
}

const DAY_MS = 24 * 3600 * 1000;
/** Longer than anybody reads a file. */
const COPY_MS = 2 * DAY_MS;
/** How many keys are looked up together. */
const KEYS_AT_ONCE = 10_000;

/** Deletes bytes that nothing refers to: of processes that died, and of a database that was restored. */
export async function purgeOrphans(db: Queryable, storage: FileStorage): Promise<number> {
  const before = new Date(Date.now() - DAY_MS);
  let purged = await storage.deleteUploadsBefore(new Date(before.getTime() - DAY_MS));
  let orgId = '';
  let keys: string[] = [];
  async function deleteUnnamed(): Promise<void> {
    const named = new Set(await findNamedKeys({ db, orgId }, keys));
    for (const key of keys) {
      if (named.has(key)) continue;
      await storage.delete(key);
      purged++;
    }
    keys = [];
  }
  for await (const { key, writtenAt } of storage.list()) {
    const owner = key.slice(0, Math.max(0, key.indexOf('/')));
    if (writtenAt >= before || owner === '') continue;
    if (owner !== orgId || keys.length === KEYS_AT_ONCE) {
      await deleteUnnamed();
      orgId = owner;
    }
    keys.push(key);
  }
  await deleteUnnamed();
  return purged;
}

/** Deletes copies that processes made of files for a while, and did not live to delete. */
export function purgeCopies(spoolFolder: string): Promise<number> {
  return deleteCopiesBefore(spoolFolder, new Date(Date.now() - COPY_MS));
}
