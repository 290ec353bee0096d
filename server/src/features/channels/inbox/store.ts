import type { ChatEvent } from '../../../adapters/chat/provider.ts';
import { purgeByTime } from '../../../db/purge.ts';
import type { Queryable } from '../../../db/types.ts';
import { canReadSession } from '../../../access/readable.ts';
import type { OrgDb } from '../../../db/types.ts';
import type { ChannelKey } from '../outbox/store.ts';

export type ChannelEvent = Exclude<ChatEvent, { kind: 'revoked' }>;

export function isAboutChannel(event: ChatEvent): event is ChannelEvent {
  return event.kind !== 'revoked';
}

/**
 * Stores what is about mapped channels, each event once. Returns whether any of it is new. A chat system
 * spreads events over all connections of one app, so the channel may be another connection's.
 */
export async function saveEvents(
  { db, orgId }: OrgDb,
  connectionId: string,
  events: readonly ChannelEvent[],
): Promise<boolean> {
  const rows = await db.query(
    `INSERT INTO channel_events (org_id, connection_id, event_id, mapping_id, event, received_at)
     SELECT $1::text, c.connection_id, e.id, c.id, e.event::jsonb, now()
     FROM unnest($3::text[], $4::text[], $5::text[]) AS e (id, channel_id, event)
     JOIN channel_connections k ON k.org_id = $1 AND k.id = $2
     JOIN channel_mappings c ON c.org_id = $1 AND c.workspace_id = k.workspace_id
       AND c.channel_id = e.channel_id AND c.status <> 'PAUSED' AND c.direction <> 'OUT'
     ON CONFLICT (org_id, connection_id, event_id) DO NOTHING RETURNING 1 AS saved`,
    [
      orgId,
      connectionId,
      events.map(({ eventId }) => eventId),
      events.map(({ channelId }) => channelId),
      events.map((event) => JSON.stringify(event)),
    ],
  );
  return rows.length > 0;
}

/** At most every few seconds. */
export async function noteEvent({ db, orgId }: OrgDb, connectionId: string): Promise<void> {
  await db.query(
    `UPDATE channel_connections SET last_event_at = now(), status = 'CONNECTED', last_error = NULL
     WHERE org_id = $1 AND id = $2 AND status <> 'BROKEN'
       AND (last_event_at IS NULL OR last_event_at < now() - interval '5 seconds')`,
    [orgId, connectionId],
  );
}

/** The first ones, in the order in which they arrived. */
export async function listEvents(
  { db, orgId }: OrgDb,
  mappingId: string,
  limit: number,
): Promise<{ event: ChannelEvent; ageMs: number }[]> {
  const rows = await db.query<{ event: unknown; ageMs: number }>(
    `SELECT event, (extract(epoch FROM now() - received_at) * 1000)::float8 AS "ageMs"
     FROM channel_events WHERE org_id = $1 AND mapping_id = $2 AND event IS NOT NULL
     ORDER BY received_at, event_id LIMIT $3`,
    [orgId, mappingId, limit],
  );
  return rows.map(({ event, ageMs }) => ({ event: readEvent(event), ageMs }));
}

/** Times are text in JSON. */
function readEvent(stored: unknown): ChannelEvent {
  const event = { ...(stored as ChannelEvent) };
  event.time = new Date(event.time);
  if (event.kind !== 'message') return event;
  const { createdAt, editedAt, ...message } = event.message;
  const times = {
    createdAt: new Date(createdAt),
    ...(editedAt !== undefined && { editedAt: new Date(editedAt) }),
  };
  return { ...event, message: { ...message, ...times } };
}

export async function finishEvents(
  { db, orgId }: OrgDb,
  connectionId: string,
  eventIds: readonly string[],
): Promise<void> {
  await db.query(
    `UPDATE channel_events SET event = NULL
     WHERE org_id = $1 AND connection_id = $2 AND event_id = ANY ($3)`,
    [orgId, connectionId, eventIds],
  );
}

/** False if a request with this signature has come before. */
export async function insertSignature(
  { db, orgId }: OrgDb,
  connectionId: string,
  signature: string,
): Promise<boolean> {
  const rows = await db.query(
    `INSERT INTO channel_signatures (org_id, connection_id, signature, received_at)
     VALUES ($1, $2, $3, now()) ON CONFLICT (org_id, connection_id, signature) DO NOTHING
     RETURNING 1 AS inserted`,
    [orgId, connectionId, signature],
  );
  return rows.length === 1;
}

/**
 * A chore, across orgs. Chat systems repeat an event for an hour at most, and a signature counts for five
 * minutes.
 */
export async function purgeEvents(db: Queryable): Promise<number> {
  const time = 'received_at';
  const events = await purgeByTime(db, { table: 'channel_events', time, keep: '7 days' });
  const signatures = await purgeByTime(db, { table: 'channel_signatures', time, keep: '1 hour' });
  return events + signatures;
}

/** A message there that is known here. */
export interface Link {
  externalId: string;
  /** Null while a reply is being written, and for what was deleted before it arrived. */
  messageId: string | null;
  /** Null if it was written there. */
  ownId: string | null;
  threadId: string | null;
  editedAt: Date | null;
  deletedAt: Date | null;
  textHash: string | null;
}

const LINK_COLUMNS = `external_id AS "externalId", message_id AS "messageId", own_id AS "ownId",
  thread_id AS "threadId", edited_at AS "editedAt", deleted_at AS "deletedAt",
  text_hash AS "textHash"`;

export async function findLink(
  { db, orgId }: OrgDb,
  { connectionId, channelId }: ChannelKey,
  externalId: string,
): Promise<Link | undefined> {
  const [row] = await db.query<Link>(
    `SELECT ${LINK_COLUMNS} FROM channel_messages
     WHERE org_id = $1 AND connection_id = $2 AND channel_id = $3 AND external_id = $4`,
    [orgId, connectionId, channelId, externalId],
  );
  return row;
}

/** Written there, so it has no id of ours. */
export interface NewLink extends Omit<Link, 'ownId'> {
  writtenAt: Date;
}

/** False if the message is known already. */
export async function insertLink(
  { db, orgId }: OrgDb,
  { id, connectionId, channelId }: ChannelKey,
  link: NewLink,
): Promise<boolean> {
  const rows = await db.query(
    `INSERT INTO channel_messages (org_id, connection_id, channel_id, external_id, mapping_id,
       message_id, thread_id, written_at, edited_at, deleted_at, text_hash)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     ON CONFLICT (org_id, connection_id, channel_id, external_id) DO NOTHING RETURNING 1 AS linked`,
    [
      orgId,
      connectionId,
      channelId,
      link.externalId,
      id,
      link.messageId,
      link.threadId,
      link.writtenAt,
      link.editedAt,
      link.deletedAt,
      link.textHash,
    ],
  );
  return rows.length === 1;
}

export async function updateLink(
  { db, orgId }: OrgDb,
  { connectionId, channelId }: ChannelKey,
  externalId: string,
  changes: Pick<NewLink, 'editedAt' | 'deletedAt' | 'textHash'>,
): Promise<void> {
  await db.query(
    `UPDATE channel_messages SET edited_at = $5, deleted_at = $6, text_hash = $7
     WHERE org_id = $1 AND connection_id = $2 AND channel_id = $3 AND external_id = $4`,
    [
      orgId,
      connectionId,
      channelId,
      externalId,
      changes.editedAt,
      changes.deletedAt,
      changes.textHash,
    ],
  );
}

/** The messages that were written in this time, without deleted ones. */
export function listKnown(
  { db, orgId }: OrgDb,
  mappingId: string,
  from: Date,
  to: Date,
): Promise<{ id: string; threadId: string | null }[]> {
  return db.query(
    `SELECT external_id AS id, thread_id AS "threadId" FROM channel_messages
     WHERE org_id = $1 AND mapping_id = $2 AND written_at BETWEEN $3 AND $4 AND deleted_at IS NULL
     ORDER BY written_at, external_id`,
    [orgId, mappingId, from, to],
  );
}

/** The replies in a thread there, without deleted ones. */
export function listReplies(
  { db, orgId }: OrgDb,
  mappingId: string,
  threadId: string,
): Promise<Link[]> {
  return db.query<Link>(
    `SELECT ${LINK_COLUMNS} FROM channel_messages
     WHERE org_id = $1 AND mapping_id = $2 AND thread_id = $3 AND deleted_at IS NULL`,
    [orgId, mappingId, threadId],
  );
}

/** Of the files that a message has here. */
export async function listNamesOfFiles({ db, orgId }: OrgDb, messageId: string): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `SELECT f.name FROM file_uses u JOIN files f ON f.org_id = $1 AND f.id = u.file_id
     WHERE u.org_id = $1 AND u.used_by_id = $2`,
    [orgId, messageId],
  );
  return rows.map(({ name }) => name);
}

/** The member with this address who may read the session. */
export async function findMember(
  { db, orgId }: OrgDb,
  sessionId: string,
  emailKey: string,
): Promise<{ userId: string; handle: string | null } | undefined> {
  const [row] = await db.query<{ userId: string; handle: string | null }>(
    `SELECT member.user_id AS "userId", member.handle FROM users u
     JOIN memberships member ON member.org_id = $1 AND member.user_id = u.id
     JOIN sessions s ON s.org_id = $1 AND s.id = $2
     JOIN projects p ON p.org_id = $1 AND p.id = s.project_id
     WHERE u.email_key = $3 AND u.deleted_at IS NULL
       AND ${canReadSession('member.user_id', 'member.role')}`,
    [orgId, sessionId, emailKey],
  );
  return row;
}
