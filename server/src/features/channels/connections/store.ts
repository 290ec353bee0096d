import type { ChatIdentity, ChatProviderName } from '../../../adapters/chat/provider.ts';
import type { UserContext } from '../../../core/context.ts';
import type { Queryable } from '../../../db/types.ts';
import type { OrgDb, OrgTransaction } from '../../../db/types.ts';
import { IS_OWN_PROJECT } from '../../../access/direct.ts';

export interface ConnectionRow extends ChatIdentity {
  id: string;
  provider: ChatProviderName;
  displayName: string;
  serverUrl: string | null;
  /** Whether we open a connection for events, or the chat system calls us. */
  mode: 'SOCKET' | 'WEBHOOK';
  trustsEmails: boolean;
  sealedSecrets: Buffer;
  status: 'CONNECTING' | 'CONNECTED' | 'BROKEN';
  lastError: string | null;
  lastEventAt: Date | null;
  /** Grows with every change that the process which serves it has to know of. */
  version: number;
  createdAt: Date;
}

const CONNECTION_COLUMNS = `k.id, k.provider, k.display_name AS "displayName", k.server_url AS "serverUrl",
  k.workspace_id AS "workspaceId", k.workspace_name AS "workspaceName", k.bot_id AS "botId",
  k.bot_name AS "botName", k.mode, k.trusts_emails AS "trustsEmails",
  k.sealed_secrets AS "sealedSecrets", k.status, k.last_error AS "lastError",
  k.last_event_at AS "lastEventAt", k.version, k.created_at AS "createdAt"`;

/** Newest first. */
export function listConnections({ db, orgId }: OrgDb): Promise<ConnectionRow[]> {
  return db.query<ConnectionRow>(
    `SELECT ${CONNECTION_COLUMNS} FROM channel_connections k WHERE k.org_id = $1
     ORDER BY k.created_at DESC, k.id DESC`,
    [orgId],
  );
}

export async function findConnection(
  { db, orgId }: OrgDb,
  connectionId: string,
): Promise<ConnectionRow | undefined> {
  const [row] = await db.query<ConnectionRow>(
    `SELECT ${CONNECTION_COLUMNS} FROM channel_connections k WHERE k.org_id = $1 AND k.id = $2`,
    [orgId, connectionId],
  );
  return row;
}

/** For a webhook, whose address names nothing else. */
export async function findConnectionAnywhere(
  db: Queryable,
  connectionId: string,
): Promise<(ConnectionRow & { orgId: string }) | undefined> {
  const [row] = await db.query<ConnectionRow & { orgId: string }>(
    `/* all orgs */ SELECT k.org_id AS "orgId", ${CONNECTION_COLUMNS} FROM channel_connections k WHERE k.id = $1`,
    [connectionId],
  );
  return row;
}

/** Whether the caller created a Project that is not archived. */
export async function hasOwnProject({ db, orgId, actor }: UserContext): Promise<boolean> {
  const rows = await db.query(
    `SELECT 1 AS found FROM projects p WHERE p.org_id = $1 AND p.created_by_id = $2
       AND p.archived_at IS NULL AND ${IS_OWN_PROJECT} LIMIT 1`,
    [orgId, actor.userId],
  );
  return rows.length > 0;
}

/** Locked until the transaction ends, so that connections are counted and added one at a time. */
export async function countConnections({ db, orgId }: OrgTransaction): Promise<number> {
  await db.query('SELECT 1 AS locked FROM orgs WHERE id = $1 FOR NO KEY UPDATE', [orgId]);
  const [row] = await db.query<{ count: number }>(
    'SELECT count(*) AS count FROM channel_connections WHERE org_id = $1',
    [orgId],
  );
  return row?.count ?? 0;
}

export async function insertConnection(
  { db, orgId }: OrgDb,
  row: ConnectionRow & { createdById: string },
): Promise<void> {
  await db.query(
    `INSERT INTO channel_connections (org_id, id, provider, display_name, server_url, workspace_id,
       workspace_name, bot_id, bot_name, mode, trusts_emails, sealed_secrets, status, created_by_id,
       created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    [
      orgId,
      row.id,
      row.provider,
      row.displayName,
      row.serverUrl,
      row.workspaceId,
      row.workspaceName,
      row.botId,
      row.botName,
      row.mode,
      row.trustsEmails,
      row.sealedSecrets,
      row.status,
      row.createdById,
      row.createdAt,
    ],
  );
}

/** Undefined if it was removed. Raising the version tells the process that serves it. */
export async function updateConnection(
  { db, orgId }: OrgDb,
  after: ConnectionRow,
): Promise<ConnectionRow | undefined> {
  const [row] = await db.query<ConnectionRow>(
    `UPDATE channel_connections k SET display_name = $3, trusts_emails = $4, sealed_secrets = $5,
       mode = $6, workspace_name = $7, bot_id = $8, bot_name = $9, status = $10, last_error = $11,
       version = k.version + 1
     WHERE k.org_id = $1 AND k.id = $2 RETURNING ${CONNECTION_COLUMNS}`,
    [
      orgId,
      after.id,
      after.displayName,
      after.trustsEmails,
      after.sealedSecrets,
      after.mode,
      after.workspaceName,
      after.botId,
      after.botName,
      after.status,
      after.lastError,
    ],
  );
  return row;
}

/** The process that serves it connects again, and fetches what it may have missed. */
export async function restartConnection({ db, orgId }: OrgDb, connectionId: string): Promise<void> {
  await db.query(
    'UPDATE channel_connections SET version = version + 1 WHERE org_id = $1 AND id = $2',
    [orgId, connectionId],
  );
}

/** Mappings that a broken connection stopped go on. One that became private waits for a manager. */
export async function reviveMappings({ db, orgId }: OrgDb, connectionId: string): Promise<void> {
  await db.query(
    `UPDATE channel_mappings SET status = 'ACTIVE', last_error = NULL
     WHERE org_id = $1 AND connection_id = $2 AND status = 'BROKEN' AND privacy <> 'CLOSED'`,
    [orgId, connectionId],
  );
}

/** With its mappings and what belongs to them. Messages stay. */
export async function deleteConnection(
  { db, orgId }: OrgDb,
  connectionId: string,
): Promise<boolean> {
  const rows = await db.query(
    'DELETE FROM channel_connections WHERE org_id = $1 AND id = $2 RETURNING 1 AS deleted',
    [orgId, connectionId],
  );
  return rows.length === 1;
}

/** False if it was removed or given another token meanwhile, or is broken already. */
export async function breakConnection(
  { db, orgId }: OrgDb,
  { id: connectionId, version }: Pick<ConnectionRow, 'id' | 'version'>,
  lastError: string,
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE channel_connections SET status = 'BROKEN', last_error = $3
     WHERE org_id = $1 AND id = $2 AND version = $4 AND status <> 'BROKEN' RETURNING 1 AS broken`,
    [orgId, connectionId, lastError, version],
  );
  if (rows.length === 0) return false;
  await db.query(
    `UPDATE channel_mappings SET status = 'BROKEN', last_error = $3
     WHERE org_id = $1 AND connection_id = $2 AND status = 'ACTIVE'`,
    [orgId, connectionId, lastError],
  );
  return true;
}

/** The status stays: whoever serves the connection knows it better. */
export async function saveProblem(
  { db, orgId }: OrgDb,
  connectionId: string,
  lastError: string,
): Promise<void> {
  await db.query('UPDATE channel_connections SET last_error = $3 WHERE org_id = $1 AND id = $2', [
    orgId,
    connectionId,
    lastError,
  ]);
}

/** A problem that may pass, or none. */
export async function saveStatus(
  { db, orgId }: OrgDb,
  { id: connectionId, version }: Pick<ConnectionRow, 'id' | 'version'>,
  status: 'CONNECTING' | 'CONNECTED',
  lastError: string | null,
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE channel_connections SET status = $3, last_error = $4
     WHERE org_id = $1 AND id = $2 AND version = $5 AND status <> 'BROKEN'
       AND (status, coalesce(last_error, '')) <> ($3, coalesce($4, '')) RETURNING 1 AS changed`,
    [orgId, connectionId, status, lastError, version],
  );
  return rows.length === 1;
}
