import type { Context, UserContext } from '../../core/context.ts';
import { purgeByTime } from '../../db/purge.ts';
import type { Queryable, Transaction } from '../../db/types.ts';
import { RECORDS_PER_PAGE, type RecordQuery, type ScannedRow } from '../../lists/record-page.ts';
import { callerOf, IS_PROJECT_MEMBER } from '../../access/standing.ts';
import { CAN_READ_SESSION } from '../../access/readable.ts';

export interface AuditRow {
  id: string;
  action: string;
  resourceType: string;
  resourceId: string;
  actorKind: string;
  actorUserId: string | null;
  keyId: string | null;
  requestId: string;
  details: Record<string, unknown>;
  createdAt: Date;
}

const ENTRY_COLUMNS = `e.id, e.action, e.resource_type AS "resourceType",
  e.resource_id AS "resourceId", e.actor_kind AS "actorKind", e.actor_user_id AS "actorUserId",
  e.key_id AS "keyId", e.request_id AS "requestId", e.details, e.created_at AS "createdAt"`;

/** Sent with COMMIT, so a change and its entry are stored together or not at all. */
export function insertAtCommit(
  tx: Transaction,
  orgId: string,
  entry: Omit<AuditRow, 'createdAt'>,
): void {
  tx.atCommit(
    `INSERT INTO audit_entries (org_id, id, action, resource_type, resource_id, actor_kind,
       actor_user_id, key_id, request_id, details)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      orgId,
      entry.id,
      entry.action,
      entry.resourceType,
      entry.resourceId,
      entry.actorKind,
      entry.actorUserId,
      entry.keyId,
      entry.requestId,
      JSON.stringify(entry.details),
    ],
  );
}

/** Which entries to list. A filter that is undefined matches everything. */
export interface AuditFilter {
  action?: string | undefined;
  resourceType?: string | undefined;
  resourceId?: string | undefined;
  actorUserId?: string | undefined;
  createdAfter?: Date | undefined;
  createdBefore?: Date | undefined;
}

export async function listEntries(
  { db, orgId }: Context,
  { page, limit, ...filter }: { page: number; limit: number } & AuditFilter,
): Promise<{ items: AuditRow[]; total: number }> {
  const rows = await db.query<AuditRow & { total: number }>(
    `SELECT counted.total, ${ENTRY_COLUMNS}
     FROM (SELECT count(*) AS total FROM audit_entries WHERE org_id = $1 AND ${IS_LISTED}) counted
     LEFT JOIN (SELECT * FROM audit_entries WHERE org_id = $1 AND ${IS_LISTED}
                ORDER BY position DESC LIMIT $2 OFFSET $3) e ON true
     ORDER BY e.position DESC`,
    [
      orgId,
      limit,
      (page - 1) * limit,
      filter.action,
      filter.resourceType,
      filter.resourceId,
      filter.actorUserId,
      filter.createdAfter,
      filter.createdBefore,
    ],
  );
  return { total: rows[0]?.total ?? 0, items: rows.filter((row) => row.id !== null) };
}

const IS_LISTED = `($4::text IS NULL OR action = $4) AND ($5::text IS NULL OR resource_type = $5)
  AND ($6::text IS NULL OR resource_id = $6) AND ($7::text IS NULL OR actor_user_id = $7)
  AND ($8::timestamptz IS NULL OR created_at >= $8)
  AND ($9::timestamptz IS NULL OR created_at < $9)`;

/** Where each type of resource ($2: ids) has its name. Others have none, such as a message. */
const NAMES: Readonly<Record<string, string>> = {
  org: `SELECT id, name FROM orgs WHERE id = $1 AND id = ANY ($2::text[])`,
  project: `SELECT id, name FROM projects WHERE org_id = $1 AND id = ANY ($2::text[])`,
  agent: `SELECT id, name FROM agents WHERE org_id = $1 AND id = ANY ($2::text[])`,
  key: `SELECT id, name FROM api_keys WHERE org_id = $1 AND id = ANY ($2::text[])`,
  org_key: `SELECT id, name FROM api_keys WHERE org_id = $1 AND id = ANY ($2::text[])`,
  mcp_server: `SELECT id, display_name AS name FROM mcp_servers
    WHERE org_id = $1 AND id = ANY ($2::text[])`,
  model_provider: `SELECT id, name FROM model_providers WHERE org_id = $1 AND id = ANY ($2::text[])`,
  channel_connection: `SELECT id, display_name AS name FROM channel_connections
    WHERE org_id = $1 AND id = ANY ($2::text[])`,
  invitation: `SELECT id, email AS name FROM invitations
    WHERE org_id = $1 AND id = ANY ($2::text[]) AND email <> ''`,
  member: `SELECT u.id, u.name FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.org_id = $1 AND m.user_id = ANY ($2::text[])`,
};

interface Named {
  id: string;
  name: string;
}

/** The current names of resources of one type. Those that no longer exist are missing. */
export async function findNames(
  ctx: UserContext,
  resourceType: string,
  ids: readonly string[],
): Promise<Named[]> {
  if (resourceType === 'session') return findSessionNames(ctx, ids);
  if (resourceType === 'task') return findTaskNames(ctx, ids);
  const sql = Object.hasOwn(NAMES, resourceType) ? NAMES[resourceType] : undefined;
  return sql === undefined ? [] : ctx.db.query<Named>(sql, [ctx.orgId, ids]);
}

/** Only of sessions and tasks that the caller may read. */
function findSessionNames(ctx: UserContext, ids: readonly string[]): Promise<Named[]> {
  return ctx.db.query<Named>(
    `SELECT s.id, coalesce(s.title, s.name) AS name FROM sessions s
     JOIN projects p ON p.org_id = $1 AND p.id = s.project_id
     WHERE s.org_id = $1 AND s.id = ANY ($4::text[]) AND ${CAN_READ_SESSION}`,
    [...callerOf(ctx), ids],
  );
}

/** Of these messages, those in sessions that the caller may read. */
export async function findReadableMessages(
  ctx: UserContext,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await ctx.db.query<{ id: string }>(
    `SELECT m.id FROM messages m
     JOIN sessions s ON s.org_id = $1 AND s.id = m.session_id
     JOIN projects p ON p.org_id = $1 AND p.id = s.project_id
     WHERE m.org_id = $1 AND m.id = ANY ($4::text[]) AND ${CAN_READ_SESSION}`,
    [...callerOf(ctx), ids],
  );
  return rows.map(({ id }) => id);
}

function findTaskNames(ctx: UserContext, ids: readonly string[]): Promise<Named[]> {
  return ctx.db.query<Named>(
    `SELECT t.id, '#' || t.number || ' ' || t.title AS name FROM tasks t
     JOIN projects p ON p.org_id = $1 AND p.id = t.project_id
     WHERE t.org_id = $1 AND t.id = ANY ($4::text[]) AND ${IS_PROJECT_MEMBER}`,
    [...callerOf(ctx), ids],
  );
}

/** Every entry, oldest first. */
export function scanEntries(
  { db, orgId }: Context,
  { after }: RecordQuery,
): Promise<ScannedRow<AuditRow>[]> {
  return db.query(
    `SELECT e.position::text AS at, ${ENTRY_COLUMNS} FROM audit_entries e
     WHERE e.org_id = $1 AND e.position > $2::bigint ORDER BY e.position LIMIT $3`,
    [orgId, after || '0', RECORDS_PER_PAGE],
  );
}

/** A chore, across orgs. */
export function purgeEntries(db: Queryable, days: number): Promise<number> {
  return purgeByTime(db, { table: 'audit_entries', time: 'created_at', keep: `${days} days` });
}
