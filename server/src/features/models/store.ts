import type { Queryable, Transaction } from '../../db/types.ts';

/** How a model's latest reply in an org ended. */
export interface ModelResult {
  model: string;
  status: 'COMPLETED' | 'FAILED';
  error: { code: string; message: string } | null;
  at: Date;
}

/**
 * Two replies may land at once: the later one counts, whichever commits first. Every reply of the org locks
 * this row, after its session's: a retried reply locks its session first.
 */
export function saveResultAtCommit(
  tx: Transaction,
  orgId: string,
  { model, status, error, at }: ModelResult,
): void {
  tx.atCommit(
    `INSERT INTO model_results AS old (org_id, model, status, error, at)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (org_id, model) DO UPDATE
       SET status = excluded.status, error = excluded.error, at = excluded.at
       WHERE old.at <= excluded.at`,
    [orgId, model, status, error && JSON.stringify(error), at],
    { order: 'last' },
  );
}

export function listResults(db: Queryable, orgId: string): Promise<ModelResult[]> {
  return db.query<ModelResult>(
    'SELECT model, status, error, at FROM model_results WHERE org_id = $1',
    [orgId],
  );
}
