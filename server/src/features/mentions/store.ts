import { purgeByTime } from '../../db/purge.ts';
import type { Queryable, Transaction } from '../../db/types.ts';
import { refusing } from '../../db/transactions/violations.ts';
import { ANSWERS_IN_PROJECT } from '../../access/serving-agents.ts';
import { SERVING_MODELS } from '../../access/serving-models.ts';

/** How long a handle that somebody gave up stays theirs: old mentions must not point at somebody else. */
export const REST_DAYS = 90;

/** Somebody who joins an org. */
export interface NewMember {
  orgId: string;
  userId: string;
  name: string;
  email: string;
}

/** Whoever has a name that can be mentioned, besides the server's models. */
export type NameOwner =
  | { serverId: string }
  | { agentId: string }
  | { userId: string }
  | { modelProviderId: string };

/** Sent with COMMIT, after the owner's row. A membership has a copy, which lists and mentions read. */
export function claimAtCommit(
  { db, orgId }: { db: Transaction; orgId: string },
  name: string,
  owner: NameOwner,
  taken: () => Error,
): void {
  const claim = (statement: string, ownerId: string) =>
    db.atCommit(statement, [orgId, name, ownerId], {
      explain: refusing('mentionNameTaken', taken),
    });
  if ('serverId' in owner) {
    claim(CLAIM_FOR_SERVER, owner.serverId);
    return;
  }
  adoptServerAtCommit(db, orgId, name);
  if ('agentId' in owner) {
    claim(CLAIM_FOR_AGENT, owner.agentId);
    return;
  }
  if ('modelProviderId' in owner) {
    claim(CLAIM_FOR_MODEL, owner.modelProviderId);
    return;
  }
  const { userId } = owner;
  db.atCommit(REST_HANDLE, [orgId, userId]);
  db.atCommit(TAKE_BACK, [orgId, name, userId]);
  claim(CLAIM_FOR_PERSON, userId);
  db.atCommit(SET_HANDLE, [orgId, name, userId]);
}

const CLAIM_FOR_SERVER = 'INSERT INTO mention_names (org_id, name, server_id) VALUES ($1, $2, $3)';
const CLAIM_FOR_PERSON = 'INSERT INTO mention_names (org_id, name, user_id) VALUES ($1, $2, $3)';
const CLAIM_FOR_MODEL =
  'INSERT INTO mention_names (org_id, name, model_provider_id) VALUES ($1, $2, $3)';
const CLAIM_FOR_AGENT = `INSERT INTO mention_names (org_id, name, agent_id) VALUES ($1, $2, $3)
  ON CONFLICT (org_id, agent_id) DO UPDATE SET name = excluded.name`;

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

/** Names of models that are removed. They are free at once, like those of MCP servers. */
export async function freeModelNames(
  db: Queryable,
  orgId: string,
  modelProviderId: string,
  names: readonly string[],
): Promise<void> {
  await db.query(
    `DELETE FROM mention_names WHERE org_id = $1 AND name = ANY ($3) AND model_provider_id = $2`,
    [orgId, modelProviderId, names],
  );
}

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
    `${CLAIM_FOR_PERSON} ON CONFLICT (org_id, name) DO NOTHING RETURNING 1 AS inserted`,
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

/** An agent that answers in the Project, or a model that the org added. */
export async function isAnswererOf(
  db: Queryable,
  orgId: string,
  projectId: string,
  slug: string,
): Promise<boolean> {
  const rows = await db.query(
    `SELECT 1 FROM agents a JOIN projects p ON p.org_id = $1 AND p.id = $2
     WHERE a.org_id = $1 AND a.slug = $3 AND ${ANSWERS_IN_PROJECT}
     UNION ALL SELECT 1 FROM ${SERVING_MODELS} WHERE m.org_id = $1 AND m.slug = $3`,
    [orgId, projectId, slug],
  );
  return rows.length > 0;
}

/** Models that the org added and that answer, the oldest provider's first. */
export async function listModelNames(db: Queryable, orgId: string): Promise<string[]> {
  const rows = await db.query<{ slug: string }>(
    `SELECT m.slug FROM ${SERVING_MODELS}
     WHERE m.org_id = $1 ORDER BY v.created_at, v.id, m.ordinal`,
    [orgId],
  );
  return rows.map(({ slug }) => slug);
}
