import { outerOf } from '../../../db/transactions/outer-transaction.ts';
import type { OrgTransaction, Queryable, Transaction } from '../../../db/types.ts';
import { newId } from '../../../core/ids.ts';
import { deleteMemoryAtCommit, insertMemories, type NewMemory } from '../store.ts';
import { addedTerms, addTermCounts } from '../term-counts/store.ts';
import {
  closeBatchAtCommit,
  commitWithoutWaiting,
  listOpenBatches,
  lockCounted,
  openBatchAtCommit,
  type OpenBatch,
} from './store.ts';

/**
 * Writes all memories but the last, and returns those that are left for the transaction. The embedded
 * engine has one session, which 100 memories would take for half a second, so it commits each by itself.
 * On PostgreSQL nobody waits, and all of them are left.
 */
export async function addOneByOne(
  { db: tx, orgId }: OrgTransaction,
  newMemories: readonly NewMemory[],
): Promise<readonly NewMemory[]> {
  if (tx.engine === 'postgres' || newMemories.length < 2) return newMemories;
  const [earlier, last] = [newMemories.slice(0, -1), newMemories.slice(-1)];
  const batch = { orgId, id: newId(), memoryIds: earlier.map(({ memory }) => memory.id) };
  await outerOf(tx).beforehand(
    async (db) => {
      await quickly(db, async (one) => openBatchAtCommit(one, batch));
      for (const newMemory of earlier) {
        await quickly(db, async (one) => {
          await insertMemories({ db: one, orgId }, [newMemory]);
          await addTermCounts({ db: one, orgId }, [addedTerms(newMemory)]);
        });
      }
    },
    (db) => undoBatch(db, batch),
  );
  closeBatchAtCommit(tx, batch);
  return last;
}

/** Deletes what a process had written of a batch when it was killed. */
export async function undoOpenBatches(db: Queryable): Promise<void> {
  for (const batch of await listOpenBatches(db)) await undoBatch(db, batch);
}

async function undoBatch(db: Queryable, batch: OpenBatch): Promise<void> {
  for (const memoryId of batch.memoryIds) {
    await quickly(db, async (tx) => {
      const counted = await lockCounted(tx, batch.orgId, memoryId);
      if (!counted) return;
      deleteMemoryAtCommit({ ...batch, db: tx }, memoryId);
      await addTermCounts({ ...batch, db: tx }, [{ ...counted, by: -1 }]);
    });
  }
  await db.transaction(async (tx) => closeBatchAtCommit(tx, batch));
}

function quickly(db: Queryable, work: (tx: Transaction) => Promise<void>): Promise<void> {
  return db.transaction(async (tx) => {
    commitWithoutWaiting(tx);
    await work(tx);
  });
}
