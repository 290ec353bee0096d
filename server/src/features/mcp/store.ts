import type { Context } from '../../core/context.ts';
import type { Transaction } from '../../db/types.ts';
import { refusing } from '../../db/transactions/violations.ts';
import { SERVES_PROJECT } from '../../access/serving-mcp-servers.ts';
import { IS_OWN_PROJECT } from '../../access/direct.ts';

type OrgContext = Pick<Context, 'db' | 'orgId'>;

export interface McpServerRow {
  id: string;
  displayName: string;
  mentionSlug: string;
  endpointUrl: string;
  authType: 'NONE' | 'BEARER' | 'API_KEY';
  sealedSecret: Buffer | null;
  projectIds: string[];
  lastTestedAt: Date | null;
  lastError: string | null;
  createdAt: Date;
}

const SERVER_COLUMNS = `i.id, i.display_name AS "displayName", i.mention_slug AS "mentionSlug",
  i.endpoint_url AS "endpointUrl", i.auth_type AS "authType", i.sealed_secret AS "sealedSecret",
  ARRAY(SELECT b.project_id FROM mcp_server_projects b
    WHERE b.org_id = $1 AND b.server_id = i.id ORDER BY b.project_id) AS "projectIds",
  i.last_tested_at AS "lastTestedAt", i.last_error AS "lastError", i.created_at AS "createdAt"`;

export function listMcpServers({ db, orgId }: OrgContext): Promise<McpServerRow[]> {
  return db.query<McpServerRow>(
    `SELECT ${SERVER_COLUMNS} FROM mcp_servers i WHERE i.org_id = $1 ORDER BY i.position DESC`,
    [orgId],
  );
}

export async function findServer({ db, orgId }: OrgContext, serverId: string) {
  const [row] = await db.query<McpServerRow>(
    `SELECT ${SERVER_COLUMNS} FROM mcp_servers i WHERE i.org_id = $1 AND i.id = $2`,
    [orgId, serverId],
  );
  return row;
}

/** By its slug, if it serves the Project. */
export async function findServingServer(
  { db, orgId }: OrgContext,
  projectId: string,
  mentionSlug: string,
): Promise<McpServerRow | undefined> {
  const [row] = await db.query<McpServerRow>(
    `SELECT ${SERVER_COLUMNS} FROM mcp_servers i JOIN projects p ON p.org_id = $1 AND p.id = $2
     WHERE i.org_id = $1 AND i.mention_slug = $3 AND ${SERVES_PROJECT}`,
    [orgId, projectId, mentionSlug],
  );
  return row;
}

/** Those of these servers that serve the Project, oldest first. */
export function findServingServers(
  { db, orgId }: OrgContext,
  projectId: string,
  serverIds: readonly string[],
): Promise<McpServerRow[]> {
  return db.query<McpServerRow>(
    `SELECT ${SERVER_COLUMNS} FROM mcp_servers i JOIN projects p ON p.org_id = $1 AND p.id = $2
     WHERE i.org_id = $1 AND i.id = ANY ($3) AND ${SERVES_PROJECT} ORDER BY i.position`,
    [orgId, projectId, serverIds],
  );
}

/** Sent with COMMIT. It can only fail because the slug is taken. */
export function insertServerAtCommit(
  tx: Transaction,
  orgId: string,
  server: Omit<McpServerRow, 'projectIds' | 'lastTestedAt'> & { createdById: string },
  slugTaken: () => Error,
): void {
  tx.atCommit(
    `INSERT INTO mcp_servers (org_id, id, display_name, mention_slug, endpoint_url, auth_type,
       sealed_secret, last_error, created_by_id, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      orgId,
      server.id,
      server.displayName,
      server.mentionSlug,
      server.endpointUrl,
      server.authType,
      server.sealedSecret,
      server.lastError,
      server.createdById,
      server.createdAt,
    ],
    { explain: refusing('mentionSlugTaken', slugTaken) },
  );
}

export async function deleteServer({ db, orgId }: OrgContext, serverId: string): Promise<boolean> {
  const rows = await db.query(
    'DELETE FROM mcp_servers WHERE org_id = $1 AND id = $2 RETURNING 1 AS deleted',
    [orgId, serverId],
  );
  return rows.length === 1;
}

/** False if it was removed during the test. */
export async function saveTest(
  { db, orgId }: OrgContext,
  serverId: string,
  lastError: string | null,
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE mcp_servers SET last_tested_at = now(), last_error = $3
     WHERE org_id = $1 AND id = $2 RETURNING 1 AS saved`,
    [orgId, serverId, lastError],
  );
  return rows.length === 1;
}

/** Locked until the transaction ends, so that concurrent bindings take turns. */
export async function lockServer({ db, orgId }: OrgContext, serverId: string): Promise<boolean> {
  const rows = await db.query(
    'SELECT 1 AS found FROM mcp_servers WHERE org_id = $1 AND id = $2 FOR UPDATE',
    [orgId, serverId],
  );
  return rows.length === 1;
}

/** Replaces the bound Projects. Returns false and binds nothing if one of them does not exist. */
export async function replaceBindings(
  { db, orgId }: OrgContext,
  serverId: string,
  projectIds: readonly string[],
): Promise<boolean> {
  await db.query('DELETE FROM mcp_server_projects WHERE org_id = $1 AND server_id = $2', [
    orgId,
    serverId,
  ]);
  const rows = await db.query(
    `INSERT INTO mcp_server_projects (org_id, server_id, project_id)
     SELECT $1, $2, p.id FROM projects p
     WHERE p.org_id = $1 AND p.id = ANY ($3) AND ${IS_OWN_PROJECT} RETURNING 1 AS bound`,
    [orgId, serverId, projectIds],
  );
  return rows.length === projectIds.length;
}
