import type { Queryable, Transaction } from '../../../db/types.ts';

/** A batch that is being written. */
export interface OpenBatch {
  orgId: string;
  id: string;
  memoryIds: string[];
}

/**
 * The transaction doesn't wait for the disk. It is not lost without all that was committed after it, and
 * the batch's last transaction waits.
 */
export function commitWithoutWaiting(tx: Transaction): void {
  tx.atCommit(`SELECT set_config('synchronous_commit', 'off', true)`, [], { order: 'first' });
}

export function openBatchAtCommit(tx: Transaction, { orgId, id, memoryIds }: OpenBatch): void {
  tx.atCommit('INSERT INTO memory_batches (org_id, id, memory_ids) VALUES ($1, $2, $3)', [
    orgId,
    id,
    memoryIds,
  ]);
}

export function closeBatchAtCommit(tx: Transaction, { orgId, id }: OpenBatch): void {
  tx.atCommit('DELETE FROM memory_batches WHERE org_id = $1 AND id = $2', [orgId, id]);
}

/** Crosses orgs, so only for the start of a process. */
export async function listOpenBatches(db: Queryable): Promise<OpenBatch[]> {
  return db.query<OpenBatch>(
    `/* all orgs */ SELECT org_id AS "orgId", id, memory_ids AS "memoryIds" FROM memory_batches ORDER BY org_id, id`,
  );
}

/** What the statistics have to forget of a memory, which stays locked until the transaction ends. */
export async function lockCounted(
  tx: Transaction,
  orgId: string,
  memoryId: string,
): Promise<{ scope: string; terms: number[] } | undefined> {
  const [row] = await tx.query<{ scope: string; terms: number[] }>(
    `SELECT scope, to_json(terms) AS terms FROM memories WHERE org_id = $1 AND id = $2 FOR UPDATE`,
    [orgId, memoryId],
  );
  return row;
}
