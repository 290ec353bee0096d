import type { OrgDb, OrgTransaction, Queryable } from '../../../db/types.ts';
import { RAISE_VERSION, type PendingReply } from '../store.ts';

/**
 * What a question waits for. Until the transaction ends, no reply to it lands, is retried or stopped. Like
 * every change of what a list shows, it locks the session first.
 */
export async function lockPending(
  { db, orgId }: OrgTransaction,
  { id, sessionId }: { id: string; sessionId: string },
): Promise<PendingReply[]> {
  await db.query(RAISE_VERSION, [orgId, sessionId]);
  return lockPendingRow({ db, orgId }, id);
}

/** The same, for whoever changes nothing that a list shows. */
export async function lockPendingRow(
  { db, orgId }: OrgTransaction,
  questionId: string,
): Promise<PendingReply[]> {
  const [row] = await db.query<{ pending: PendingReply[] }>(
    `SELECT pending_replies AS pending FROM messages
     WHERE org_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE`,
    [orgId, questionId],
  );
  return row?.pending ?? [];
}

/** Marks a FAILED or STOPPED reply as pending again. For whoever has locked what the question waits for. */
export function addPendingRetryAtCommit(
  { db, orgId }: OrgTransaction,
  questionId: string,
  retry: PendingReply,
): void {
  db.atCommit(
    `UPDATE messages SET pending_replies = ${withoutMention('$3')} || $4::jsonb
     WHERE org_id = $1 AND id = $2`,
    [orgId, questionId, retry.mention, JSON.stringify(retry)],
  );
}

/** For a pending reply that nobody needs any more, which lists do not show. */
export async function dropPending(
  { db, orgId }: OrgDb,
  questionId: string,
  { mention, startedAt }: PendingReply,
): Promise<void> {
  await db.query(
    `UPDATE messages SET pending_replies = ${withoutMention('$3')}
     WHERE org_id = $1 AND id = $2 AND pending_replies @> $4::jsonb`,
    [orgId, questionId, mention, JSON.stringify([{ mention, startedAt }])],
  );
}

export interface Waiting {
  orgId: string;
  id: string;
  pending: PendingReply[];
}

/** A page of the messages of all organisations that wait for a reply. */
export function listWaiting(
  db: Queryable,
  after: Pick<Waiting, 'orgId' | 'id'>,
  limit: number,
): Promise<Waiting[]> {
  return db.query<Waiting>(
    `/* all orgs */ SELECT org_id AS "orgId", id, pending_replies AS pending FROM messages
     WHERE pending_replies <> '[]' AND (org_id > $1 OR (org_id = $1 AND id > $2))
     ORDER BY org_id, id LIMIT $3`,
    [after.orgId, after.id, limit],
  );
}

/** False if the reply has landed. */
export async function markStop(
  { db, orgId }: OrgDb,
  { questionId, mention }: { questionId: string; mention: string },
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE messages SET pending_replies = (
       SELECT jsonb_agg(CASE WHEN pending.entry->>'mention' = $3
         THEN pending.entry || '{"stop": true}' ELSE pending.entry END ORDER BY pending.nth)
       FROM jsonb_array_elements(pending_replies) WITH ORDINALITY AS pending (entry, nth))
     WHERE org_id = $1 AND id = $2 AND deleted_at IS NULL AND pending_replies @> $4::jsonb
     RETURNING 1 AS marked`,
    [orgId, questionId, mention, JSON.stringify([{ mention }])],
  );
  return rows.length === 1;
}

/** The row's pending replies without this mention. */
export function withoutMention(mention: string): string {
  return `(SELECT coalesce(jsonb_agg(pending.entry ORDER BY pending.nth), '[]')
    FROM jsonb_array_elements(pending_replies) WITH ORDINALITY AS pending (entry, nth)
    WHERE pending.entry->>'mention' <> ${mention})`;
}
