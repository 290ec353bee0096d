import type { Queryable, Transaction } from '../../../db/types.ts';

/** What was said in a session up to a message. */
export interface SummaryRow {
  text: string;
  untilPosition: number;
  untilMessageId: string;
  updatedAt: Date;
}

export async function findSummary(db: Queryable, orgId: string, sessionId: string) {
  const [row] = await db.sharedRead<SummaryRow>(
    `SELECT text, until_position AS "untilPosition", until_message_id AS "untilMessageId",
       updated_at AS "updatedAt"
     FROM session_summaries WHERE org_id = $1 AND session_id = $2`,
    [orgId, sessionId],
  );
  return row;
}

/** Whoever edits or deletes a message of the session waits until the transaction ends. */
export async function lockSession(tx: Transaction, orgId: string, sessionId: string) {
  const [row] = await tx.query<{ projectId: string }>(
    `SELECT project_id AS "projectId" FROM sessions
     WHERE org_id = $1 AND id = $2 FOR NO KEY UPDATE`,
    [orgId, sessionId],
  );
  return row;
}

const HOUR_MS = 3_600_000;

/** Counts a call of a model. False if there were `most` in the hour that began with the first of them. */
export async function takeSummaryCall(
  db: Queryable,
  orgId: string,
  sessionId: string,
  { now, most }: { now: Date; most: number },
): Promise<boolean> {
  // Not computed from $3: Citus refuses that in a CASE.
  const isSameHour = 'summary_calls_since > $5';
  const rows = await db.query(
    `UPDATE sessions SET
       summary_calls = CASE WHEN ${isSameHour} THEN summary_calls + 1 ELSE 1 END,
       summary_calls_since = CASE WHEN ${isSameHour} THEN summary_calls_since ELSE $3 END
     WHERE org_id = $1 AND id = $2 AND (NOT (${isSameHour}) OR summary_calls < $4)
     RETURNING 1 AS taken`,
    [orgId, sessionId, now, most, new Date(now.getTime() - HOUR_MS)],
  );
  return rows.length === 1;
}

/** Replaces `previous`. False if it was replaced or forgotten meanwhile. */
export async function saveSummary(
  tx: Transaction,
  orgId: string,
  sessionId: string,
  { summary, previous }: { summary: SummaryRow; previous: SummaryRow | undefined },
): Promise<boolean> {
  const { text, untilPosition, untilMessageId, updatedAt } = summary;
  const values = [orgId, sessionId, text, untilPosition, untilMessageId, updatedAt];
  const rows = previous
    ? await tx.query(
        `UPDATE session_summaries SET text = $3, until_position = $4, until_message_id = $5,
           updated_at = $6
         WHERE org_id = $1 AND session_id = $2 AND until_position = $7 AND text = $8
         RETURNING 1 AS saved`,
        [...values, previous.untilPosition, previous.text],
      )
    : await tx.query(
        `INSERT INTO session_summaries (org_id, session_id, text, until_position,
           until_message_id, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (org_id, session_id) DO NOTHING RETURNING 1 AS saved`,
        values,
      );
  return rows.length === 1;
}

/** If it covers this message. */
export function forgetSummaryAtCommit(
  tx: Transaction,
  orgId: string,
  { id, sessionId }: { id: string; sessionId: string },
): void {
  tx.atCommit(
    `DELETE FROM session_summaries WHERE org_id = $1 AND session_id = $2 AND until_position >= (
       SELECT m.position FROM messages m WHERE m.org_id = $1 AND m.id = $3)`,
    [orgId, sessionId, id],
  );
}
