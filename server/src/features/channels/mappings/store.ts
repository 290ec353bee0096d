import type { ChatProviderName } from '../../../adapters/chat/provider.ts';
import { isViolation } from '../../../db/transactions/violations.ts';
import type { OrgDb, OrgTransaction } from '../../../db/types.ts';

export interface Gap {
  /** ISO 8601, because they are stored in JSON. */
  from: string;
  to: string | null;
}

/**
 * Whether the channel may be private. PUBLIC: a MEMBER mapped it, as a public one. CLOSED: it became private
 * after that, so it waits for an OWNER or ADMIN. ALLOWED: one of those mapped or confirmed it.
 */
export type Privacy = 'PUBLIC' | 'CLOSED' | 'ALLOWED';

/** Replies that were asked for in a channel within the last minute. A note about too many has 0 of them. */
export interface Answered {
  /** ISO 8601, because they are stored in JSON. */
  at: string;
  /** Null for a note about the whole channel. */
  authorId: string | null;
  replies: number;
}

export interface MappingRow {
  id: string;
  projectId: string;
  connectionId: string;
  provider: ChatProviderName;
  workspaceId: string;
  channelId: string;
  channelName: string;
  sessionId: string;
  direction: 'BOTH' | 'IN' | 'OUT';
  answers: 'MEMBERS' | 'EVERYONE' | 'NONE';
  sharesOrgMemory: boolean;
  status: 'ACTIVE' | 'PAUSED' | 'BROKEN';
  lastError: string | null;
  /** Nothing older is taken over. */
  startsAt: Date;
  /** Up to when everything there is known here, by the chat system's clock. */
  place: Date;
  gaps: Gap[];
  privacy: Privacy;
  createdById: string;
  createdAt: Date;
}

const MAPPING_COLUMNS = `c.id, c.project_id AS "projectId", c.connection_id AS "connectionId", k.provider,
  c.workspace_id AS "workspaceId", c.channel_id AS "channelId", c.channel_name AS "channelName",
  c.session_id AS "sessionId", c.direction, c.answers, c.shares_org_memory AS "sharesOrgMemory",
  c.status, c.last_error AS "lastError", c.starts_at AS "startsAt", c.place, c.gaps,
  c.privacy, c.created_by_id AS "createdById", c.created_at AS "createdAt"`;

const MAPPINGS = `channel_mappings c
  JOIN channel_connections k ON k.org_id = $1 AND k.id = c.connection_id`;

/** Oldest first. Without a Project, those of the whole organisation. */
export function listMappings(
  { db, orgId }: OrgDb,
  projectId: string | null,
): Promise<MappingRow[]> {
  return db.query<MappingRow>(
    `SELECT ${MAPPING_COLUMNS} FROM ${MAPPINGS}
     WHERE c.org_id = $1 AND ($2::text IS NULL OR c.project_id = $2) ORDER BY c.created_at, c.id`,
    [orgId, projectId],
  );
}

export async function findMapping(
  { db, orgId }: OrgDb,
  mappingId: string,
): Promise<MappingRow | undefined> {
  const [row] = await db.query<MappingRow>(
    `SELECT ${MAPPING_COLUMNS} FROM ${MAPPINGS} WHERE c.org_id = $1 AND c.id = $2`,
    [orgId, mappingId],
  );
  return row;
}

/** Sent with COMMIT. `mapped` says what is taken: the channel, or the session. */
export function insertMappingAtCommit(
  { db, orgId }: OrgTransaction,
  mapping: MappingRow,
  mapped: (what: 'channel' | 'session') => Error,
): void {
  db.atCommit(
    `INSERT INTO channel_mappings (org_id, id, project_id, connection_id, workspace_id, channel_id,
       channel_name, session_id, direction, answers, shares_org_memory, status, starts_at, place,
       collected_position, created_by_id, created_at, privacy)
     SELECT $1, $2, $3, $4, $5, $6, $7, s.id, $9, $10, $11::boolean, $12,
       $13::timestamptz, $14::timestamptz, s.last_position, $15, $16::timestamptz, $17
     FROM sessions s WHERE s.org_id = $1 AND s.id = $8`,
    [
      orgId,
      mapping.id,
      mapping.projectId,
      mapping.connectionId,
      mapping.workspaceId,
      mapping.channelId,
      mapping.channelName,
      mapping.sessionId,
      mapping.direction,
      mapping.answers,
      mapping.sharesOrgMemory,
      mapping.status,
      mapping.startsAt,
      mapping.place,
      mapping.createdById,
      mapping.createdAt,
      mapping.privacy,
    ],
    {
      explain(error) {
        if (isViolation(error, 'channelMapped')) return mapped('channel');
        return isViolation(error, 'sessionMapped') ? mapped('session') : undefined;
      },
    },
  );
}

/** Locked until the transaction ends. */
export async function lockMapping(
  { db, orgId }: OrgTransaction,
  mappingId: string,
): Promise<MappingRow | undefined> {
  await db.query(
    'SELECT 1 AS locked FROM channel_mappings WHERE org_id = $1 AND id = $2 FOR NO KEY UPDATE',
    [orgId, mappingId],
  );
  return findMapping({ db, orgId }, mappingId);
}

export async function updateMapping({ db, orgId }: OrgDb, after: MappingRow): Promise<void> {
  await db.query(
    `UPDATE channel_mappings SET direction = $3, answers = $4, shares_org_memory = $5, status = $6,
       last_error = $7, starts_at = $8, place = $9, gaps = $10, privacy = $11
     WHERE org_id = $1 AND id = $2`,
    [
      orgId,
      after.id,
      after.direction,
      after.answers,
      after.sharesOrgMemory,
      after.status,
      after.lastError,
      after.startsAt,
      after.place,
      JSON.stringify(after.gaps),
      after.privacy,
    ],
  );
}

/** What was written here until now does not go there. */
export async function skipRest({ db, orgId }: OrgTransaction, mappingId: string): Promise<void> {
  await db.query(
    `UPDATE channel_mappings c SET collected_position = s.last_position FROM sessions s
     WHERE c.org_id = $1 AND c.id = $2 AND s.org_id = $1 AND s.id = c.session_id`,
    [orgId, mappingId],
  );
}

/** What arrived while it was paused is not taken over. */
export async function dropEvents({ db, orgId }: OrgDb, mappingId: string): Promise<void> {
  await db.query(
    `UPDATE channel_events SET event = NULL
     WHERE org_id = $1 AND mapping_id = $2 AND event IS NOT NULL`,
    [orgId, mappingId],
  );
}

export async function deleteMapping({ db, orgId }: OrgDb, mappingId: string): Promise<boolean> {
  const rows = await db.query(
    'DELETE FROM channel_mappings WHERE org_id = $1 AND id = $2 RETURNING 1 AS deleted',
    [orgId, mappingId],
  );
  return rows.length === 1;
}

/** False if it was removed or paused meanwhile, or is broken already. */
export async function breakMapping(
  { db, orgId }: OrgDb,
  mappingId: string,
  lastError: string,
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE channel_mappings SET status = 'BROKEN', last_error = $3
     WHERE org_id = $1 AND id = $2 AND status = 'ACTIVE' RETURNING 1 AS broken`,
    [orgId, mappingId, lastError],
  );
  return rows.length === 1;
}

/** Nothing is taken in from now on. Undoes nothing that an OWNER or ADMIN allowed meanwhile. */
export async function closeMapping({ db, orgId }: OrgDb, mappingId: string): Promise<boolean> {
  const rows = await db.query(
    `UPDATE channel_mappings SET privacy = 'CLOSED'
     WHERE org_id = $1 AND id = $2 AND privacy = 'PUBLIC' RETURNING 1 AS closed`,
    [orgId, mappingId],
  );
  return rows.length === 1;
}

/** Locked until the transaction ends, so that replies are counted one message at a time. */
export async function lockAnswered(
  { db, orgId }: OrgTransaction,
  mappingId: string,
): Promise<Answered[]> {
  const [row] = await db.query<{ answered: Answered[] }>(
    `SELECT answered FROM channel_mappings WHERE org_id = $1 AND id = $2 FOR NO KEY UPDATE`,
    [orgId, mappingId],
  );
  return row?.answered ?? [];
}

export async function saveAnswered(
  { db, orgId }: OrgTransaction,
  mappingId: string,
  answered: readonly Answered[],
): Promise<void> {
  await db.query('UPDATE channel_mappings SET answered = $3 WHERE org_id = $1 AND id = $2', [
    orgId,
    mappingId,
    JSON.stringify(answered),
  ]);
}

export async function savePlace(
  { db, orgId }: OrgDb,
  mappingId: string,
  place: Date,
): Promise<void> {
  await db.query(
    `UPDATE channel_mappings SET place = greatest(place, $3::timestamptz)
     WHERE org_id = $1 AND id = $2`,
    [orgId, mappingId, place],
  );
}

export async function renameChannel(
  { db, orgId }: OrgDb,
  mappingId: string,
  name: string,
): Promise<void> {
  await db.query('UPDATE channel_mappings SET channel_name = $3 WHERE org_id = $1 AND id = $2', [
    orgId,
    mappingId,
    name,
  ]);
}
