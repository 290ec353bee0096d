import { purgeByTime } from '../../db/purge.ts';
import type { Queryable, Transaction } from '../../db/types.ts';
import { refusing } from '../../db/transactions/violations.ts';
import { ANSWERS_IN_PROJECT } from '../../access/serving-agents.ts';

/** How long a handle that somebody gave up stays theirs: old mentions must not point at somebody else. */
export const REST_DAYS = 90;

/** Somebody who joins an org. */
export interface NewMember {
  orgId: string;
  userId: string;
  name: string;
  email: string;
}

/** Sent with COMMIT, after the server's row. */
export function claimForServerAtCommit(
  tx: Transaction,
  orgId: string,
  name: string,
  serverId: string,
  taken: () => Error,
): void {
  tx.atCommit(
    'INSERT INTO mention_names (org_id, name, server_id) VALUES ($1, $2, $3)',
    [orgId, name, serverId],
    { explain: refusing('mentionNameTaken', taken) },
  );
}

/** Sent with COMMIT, after the agent's row. */
export function claimForAgentAtCommit(
  tx: Transaction,
  orgId: string,
  name: string,
  agentId: string,
  taken: () => Error,
): void {
  adoptServerAtCommit(tx, orgId, name);
  tx.atCommit(
    `INSERT INTO mention_names (org_id, name, agent_id) VALUES ($1, $2, $3)
     ON CONFLICT (org_id, agent_id) DO UPDATE SET name = excluded.name`,
    [orgId, name, agentId],
    { explain: refusing('mentionNameTaken', taken) },
  );
}

/** Sent with COMMIT. The membership has a copy, which lists and mentions read. */
export function claimForPersonAtCommit(
  tx: Transaction,
  orgId: string,
  handle: string,
  userId: string,
  taken: () => Error,
): void {
  adoptServerAtCommit(tx, orgId, handle);
  tx.atCommit(REST_HANDLE, [orgId, userId]);
  tx.atCommit(TAKE_BACK, [orgId, handle, userId]);
  tx.atCommit(
    'INSERT INTO mention_names (org_id, name, user_id) VALUES ($1, $2, $3)',
    [orgId, handle, userId],
    { explain: refusing('mentionNameTaken', taken) },
  );
  tx.atCommit(SET_HANDLE, [orgId, handle, userId]);
}

/** Keeps the row, without an owner, so that the name stays taken. */
const REST_HANDLE = `UPDATE mention_names SET user_id = NULL, former_user_id = $2, freed_at = now()
  WHERE org_id = $1 AND user_id = $2`;

/** A handle that rests is free for the person who gave it up. */
const TAKE_BACK = `DELETE FROM mention_names
  WHERE org_id = $1 AND name = $2 AND former_user_id = $3 AND freed_at IS NOT NULL`;

/** For somebody who leaves; before the membership goes, and the name with it. */
export async function restHandle(db: Queryable, orgId: string, userId: string): Promise<void> {
  await db.query(REST_HANDLE, [orgId, userId]);
}

/** Without the one that the person is about to take back. */
export async function countRestingHandles(
  db: Queryable,
  orgId: string,
  userId: string,
  except: string,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `SELECT count(*) FROM mention_names
     WHERE org_id = $1 AND former_user_id = $2 AND name <> $3 AND freed_at IS NOT NULL`,
    [orgId, userId, except],
  );
  return row?.count ?? 0;
}

export function purgeRestingHandles(db: Queryable): Promise<number> {
  return purgeByTime(db, { table: 'mention_names', time: 'freed_at', keep: `${REST_DAYS} days` });
}

const SET_HANDLE = 'UPDATE memberships SET handle = $2 WHERE org_id = $1 AND user_id = $3';

/** A process of an older version registers servers without claiming their names. */
function adoptServerAtCommit(tx: Transaction, orgId: string, name: string): void {
  tx.atCommit(
    `INSERT INTO mention_names (org_id, name, server_id)
     SELECT i.org_id, i.mention_slug, i.id FROM mcp_servers i
     WHERE i.org_id = $1 AND i.mention_slug = $2 ON CONFLICT DO NOTHING`,
    [orgId, name],
  );
}

/** False if the name is taken. The membership must be there. */
export async function insertHandle(
  db: Queryable,
  { orgId, userId }: { orgId: string; userId: string },
  handle: string,
): Promise<boolean> {
  const values = [orgId, handle, userId];
  await db.query(TAKE_BACK, values);
  const rows = await db.query(
    `INSERT INTO mention_names (org_id, name, user_id) VALUES ($1, $2, $3)
     ON CONFLICT (org_id, name) DO NOTHING RETURNING 1 AS inserted`,
    values,
  );
  if (rows.length === 1) await db.query(SET_HANDLE, values);
  return rows.length === 1;
}

export function listMembersWithoutHandle(db: Queryable): Promise<NewMember[]> {
  return db.query<NewMember>(
    `SELECT m.org_id AS "orgId", m.user_id AS "userId", u.name, u.email
     FROM memberships m JOIN users u ON u.id = m.user_id
     WHERE m.handle IS NULL ORDER BY m.org_id, m.joined_at LIMIT 1000`,
  );
}

export async function isAgentOf(
  db: Queryable,
  orgId: string,
  projectId: string,
  slug: string,
): Promise<boolean> {
  const rows = await db.query(
    `SELECT 1 FROM agents a JOIN projects p ON p.org_id = $1 AND p.id = $2
     WHERE a.org_id = $1 AND a.slug = $3 AND ${ANSWERS_IN_PROJECT}`,
    [orgId, projectId, slug],
  );
  return rows.length > 0;
}
