import type { UserContext } from '../../../core/context.ts';
import type { OrgDb, OrgTransaction, Transaction } from '../../../db/types.ts';
import {
  IS_ALONE,
  PENDING_REPLIES,
  RAISE_VERSION,
  type MessageRow,
  type PendingReply,
} from '../store.ts';

/**
 * The versions of a question share `turn_id`, the first one's id. One of them is current. Another version, its answers and
 * what followed have the version's id as `inactive_branch_id`. What was not shown within them keeps what it had.
 */
export interface BranchState {
  position: number;
  /** Of all versions of the turn, oldest first. Only its own if it was never asked again. */
  versions: string[];
  turnId: string;
  /** The branch that it is in, if that is not shown. */
  inactiveBranchId: string | null;
  /** Whether the caller is the only person in the session, which is not about a task. */
  isAlone: boolean;
}

/** Until the transaction ends, nobody posts in the session, and no branch of it changes. */
export async function lockBranches(
  { db, orgId, actor }: UserContext & { db: Transaction },
  { id, sessionId }: Pick<MessageRow, 'id' | 'sessionId'>,
): Promise<BranchState> {
  await db.query(RAISE_VERSION, [orgId, sessionId]);
  const [row] = await db.query<BranchState>(
    `SELECT m.position, coalesce(m.turn_id, m.id) AS "turnId",
       m.inactive_branch_id AS "inactiveBranchId",
       CASE WHEN m.turn_id IS NULL THEN ARRAY[m.id] ELSE ARRAY(
         SELECT version.id FROM messages version
         WHERE version.org_id = $1 AND version.turn_id = m.turn_id
         ORDER BY version.position) END AS versions,
       s.task_id IS NULL AND ${IS_ALONE} AS "isAlone"
     FROM messages m JOIN sessions s ON s.org_id = $1 AND s.id = m.session_id
     WHERE m.org_id = $1 AND m.id = $3`,
    [orgId, actor.userId, id],
  );
  return row as BranchState;
}

export interface PutAside {
  id: string;
  authorKind: MessageRow['authorKind'];
  authorUserId: string | null;
  pending: PendingReply[];
}

/** Where a branch begins. */
export interface BranchStart {
  id: string;
  position: number;
}

/**
 * What an answer or a thread belongs to: the question, or the message that started the thread. A late answer to an earlier
 * question comes after the start of the branch, and is not part of it.
 */
const BEGINS_EARLIER = `EXISTS (SELECT 1 FROM messages top
  LEFT JOIN messages asked ON asked.org_id = $1 AND asked.id = top.in_reply_to_message_id
  WHERE top.org_id = $1 AND top.id = coalesce(m.parent_message_id, m.id)
    AND coalesce(asked.position, top.position) < $4)`;

/** What is shown from this question on is no longer shown. */
export function putAside(
  { db, orgId }: OrgTransaction,
  sessionId: string,
  { id, position }: BranchStart,
): Promise<PutAside[]> {
  return db.query<PutAside>(
    `UPDATE messages m SET inactive_branch_id = $3,
       turn_id = CASE WHEN m.id = $3 THEN coalesce(m.turn_id, m.id) ELSE m.turn_id END
     WHERE m.org_id = $1 AND m.session_id = $2 AND m.position >= $4
       AND m.inactive_branch_id IS NULL AND NOT ${BEGINS_EARLIER}
     RETURNING m.id, m.author_kind AS "authorKind", m.author_user_id AS "authorUserId",
       m.pending_replies AS pending`,
    [orgId, sessionId, id, position],
  );
}

/** What was put aside with this question is shown again. */
export async function bringBack(
  { db, orgId }: OrgTransaction,
  sessionId: string,
  branchId: string,
): Promise<void> {
  await db.query(
    `UPDATE messages SET inactive_branch_id = NULL
     WHERE org_id = $1 AND session_id = $2 AND inactive_branch_id = $3`,
    [orgId, sessionId, branchId],
  );
}

export interface CurrentVersion extends BranchStart {
  /** The branch that it is in, if that is not shown either. */
  inactiveBranchId: string | null;
  turnId: string;
  /** Of the version that takes its place. */
  enteredBody: string;
}

/** The version that is shown instead of this one. */
export async function findCurrentVersion(
  { db, orgId }: OrgDb,
  branchId: string,
): Promise<CurrentVersion | undefined> {
  const [row] = await db.query<CurrentVersion>(
    `SELECT current.id, current.position, current.inactive_branch_id AS "inactiveBranchId",
       coalesce(current.turn_id, current.id) AS "turnId", entered.body AS "enteredBody"
     FROM messages entered JOIN messages current ON current.org_id = $1
       AND current.turn_id = entered.turn_id
       AND current.inactive_branch_id IS DISTINCT FROM current.id
     WHERE entered.org_id = $1 AND entered.id = $2`,
    [orgId, branchId],
  );
  return row;
}

/** Whether a reply to something that is shown is still to come. */
export async function isAnswering({ db, orgId }: OrgDb, sessionId: string): Promise<boolean> {
  const rows = await db.query(
    `SELECT 1 AS found FROM messages m
     WHERE m.org_id = $1 AND m.session_id = $2 AND m.pending_replies <> '[]'
       AND m.inactive_branch_id IS NULL AND ${PENDING_REPLIES} <> '[]' LIMIT 1`,
    [orgId, sessionId],
  );
  return rows.length > 0;
}
