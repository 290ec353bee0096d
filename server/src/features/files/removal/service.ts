import type { Logger } from 'pino';
import type { FileStorage } from '../../../adapters/storage/storage.ts';
import { withTransaction, type Context } from '../../../core/context.ts';
import { emit, prepareFor } from '../../../events/emit.ts';
import type { Queryable } from '../../../db/types.ts';
import { findAudience } from '../store.ts';
import {
  deleteFileRow,
  forgetRemains,
  listDueRemains,
  listRemainsOf,
  postponeRemains,
  type Remains,
} from './store.ts';

interface Parts {
  db: Queryable;
  storage: FileStorage;
  log: Logger;
}

/** Deletes a file, its uses, and its bytes at once. If the storage fails, the sweep deletes them later. */
export async function removeFile(ctx: Context, fileId: string): Promise<boolean> {
  const removed = await withTransaction(ctx, async (inner) => {
    const audience = await findAudience(inner, fileId);
    await prepareFor(inner, { type: 'file.deleting', fileId });
    const file = await deleteFileRow(inner, fileId);
    if (file && audience) emit(inner, { type: 'file.deleted', fileId, ...audience });
    return file;
  });
  if (removed?.storageKey) await deleteBytes(ctx, removed.storageKey);
  return removed !== undefined;
}

/** After the commit that noted them. */
export async function deleteBytes(ctx: Context, storageKey: string): Promise<void> {
  const left = await listRemainsOf(ctx, storageKey);
  await Promise.all(left.map((one) => deleteRemains(ctx, one)));
}

const MOST_AT_ONCE = 100;

/** Deletes the bytes that are left of deleted files and of uploads that were given up, and old previews. */
export async function sweepRemains(parts: Parts): Promise<number> {
  let swept = 0;
  for (;;) {
    const due = await listDueRemains(parts.db, MOST_AT_ONCE);
    for (const one of due) if (await deleteRemains(parts, one)) swept++;
    if (due.length < MOST_AT_ONCE) return swept;
  }
}

/** Bytes first, so that what is left after a crash is still known. An upload may be finished meanwhile. */
async function deleteRemains(
  { db, storage, log }: Parts,
  { orgId, storageKey, uploadId }: Remains,
): Promise<boolean> {
  try {
    await storage.abandon({ key: storageKey, uploadId });
    await storage.delete(storageKey);
    await forgetRemains({ db, orgId }, storageKey);
    return true;
  } catch (error) {
    log.warn({ err: error, storageKey }, 'could not delete bytes of a file, will retry');
    await postponeRemains({ db, orgId }, storageKey);
    return false;
  }
}
