import type { Queryable } from '../../../db/types.ts';
import type { OrgDb } from '../../../db/types.ts';

export interface HeldConnection {
  orgId: string;
  id: string;
  version: number;
  isBroken: boolean;
}

const HELD_COLUMNS = `org_id AS "orgId", id, version, status = 'BROKEN' AS "isBroken"`;

/** Across orgs: connections that no process serves. */
export function listUnserved(
  db: Queryable,
  limit: number,
): Promise<Pick<HeldConnection, 'orgId' | 'id'>[]> {
  return db.query(
    `/* all orgs */ SELECT org_id AS "orgId", id FROM channel_connections
     WHERE status <> 'BROKEN' AND (held_until IS NULL OR held_until <= now()) LIMIT $1`,
    [limit],
  );
}

/** Undefined if another process was faster. */
export async function claimConnection(
  db: Queryable,
  { orgId, id }: Pick<HeldConnection, 'orgId' | 'id'>,
  holder: string,
  leaseSeconds: number,
): Promise<HeldConnection | undefined> {
  const [row] = await db.query<HeldConnection>(
    `UPDATE channel_connections SET holder = $3, held_until = now() + make_interval(secs => $4)
     WHERE org_id = $1 AND id = $2 AND status <> 'BROKEN'
       AND (held_until IS NULL OR held_until <= now()) RETURNING ${HELD_COLUMNS}`,
    [orgId, id, holder, leaseSeconds],
  );
  return row;
}

/** Across orgs. Returns those that this process still has: a lease that has run out is lost. */
export function renewConnections(
  db: Queryable,
  holder: string,
  leaseSeconds: number,
): Promise<HeldConnection[]> {
  return db.query<HeldConnection>(
    `/* all orgs */ UPDATE channel_connections SET held_until = now() + make_interval(secs => $2)
     WHERE holder = $1 AND held_until > now() RETURNING ${HELD_COLUMNS}`,
    [holder, leaseSeconds],
  );
}

/** Another process can take it at once. */
export async function releaseConnection(
  db: Queryable,
  { orgId, id }: Pick<HeldConnection, 'orgId' | 'id'>,
  holder: string,
): Promise<void> {
  await db.query(
    `UPDATE channel_connections SET holder = NULL, held_until = NULL
     WHERE org_id = $1 AND id = $2 AND holder = $3`,
    [orgId, id, holder],
  );
}

export interface ServedMapping {
  orgId: string;
  connectionId: string;
  mappingId: string;
  sessionId: string;
  /** Whether something is to be taken in or sent. */
  isWaiting: boolean;
}

/** Across orgs: the channels that this process serves. */
export function listServed(db: Queryable, holder: string): Promise<ServedMapping[]> {
  return db.query<ServedMapping>(
    `/* all orgs */ SELECT c.org_id AS "orgId", c.connection_id AS "connectionId", c.id AS "mappingId",
       c.session_id AS "sessionId",
       (c.direction <> 'IN' AND s.last_position > c.collected_position)
         OR EXISTS (SELECT 1 FROM channel_events e
           WHERE e.org_id = c.org_id AND e.mapping_id = c.id AND e.event IS NOT NULL)
         OR EXISTS (SELECT 1 FROM channel_outbox o
           WHERE o.org_id = c.org_id AND o.mapping_id = c.id) AS "isWaiting"
     FROM channel_connections k
     JOIN channel_mappings c ON c.org_id = k.org_id AND c.connection_id = k.id
     JOIN sessions s ON s.org_id = c.org_id AND s.id = c.session_id
     WHERE k.holder = $1 AND c.status = 'ACTIVE'`,
    [holder],
  );
}

/** Every mapping of a connection that works. */
export async function listActive({ db, orgId }: OrgDb, connectionId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT id FROM channel_mappings
     WHERE org_id = $1 AND connection_id = $2 AND status = 'ACTIVE'`,
    [orgId, connectionId],
  );
  return rows.map(({ id }) => id);
}

/** The channel that the session is also, if messages go there. */
export async function findMappedSession(
  { db, orgId }: OrgDb,
  sessionId: string,
): Promise<{ id: string; connectionId: string } | undefined> {
  const [row] = await db.query<{ id: string; connectionId: string }>(
    `SELECT id, connection_id AS "connectionId" FROM channel_mappings
     WHERE org_id = $1 AND session_id = $2 AND status = 'ACTIVE' AND direction <> 'IN'`,
    [orgId, sessionId],
  );
  return row;
}
