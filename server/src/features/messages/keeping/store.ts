import type { UserContext } from '../../../core/context.ts';
import type { OrgDb, OrgTransaction, Transaction } from '../../../db/types.ts';
import { utcTime } from '../../../db/utc-time.ts';
import { readInPieces } from '../../../lists/page-bytes.ts';
import { CAN_READ_SESSION } from '../../../access/readable.ts';
import { callerOf } from '../../../access/standing.ts';
import { MESSAGE_BYTES, MESSAGE_COLUMNS, RAISE_VERSION, type MessageRow } from '../store.ts';
import type { ListPins, ListSaved, SavedMessage } from './schema.ts';

export const MOST_PINS = 100;
export const MOST_SAVED = 1_000;

type MessageKey = Pick<MessageRow, 'id' | 'sessionId'>;

/**
 * False if it is pinned or deleted already, or the session has as many as it may. The session's lock comes
 * first, so that people who pin at the same time are counted one after the other.
 */
export async function pin(
  ctx: UserContext & { db: Transaction },
  { id, sessionId }: MessageKey,
): Promise<boolean> {
  const [, pinned] = await Promise.all([
    ctx.db.query(RAISE_VERSION, [ctx.orgId, sessionId]),
    ctx.db.query(
      `UPDATE messages SET pinned_at = now(), pinned_by_id = $3
       WHERE org_id = $1 AND id = $2 AND deleted_at IS NULL AND pinned_at IS NULL
         AND (SELECT count(*) FROM messages other WHERE other.org_id = $1 AND other.session_id = $4
           AND other.pinned_at IS NOT NULL AND other.deleted_at IS NULL) < ${MOST_PINS}
       RETURNING 1 AS pinned`,
      [ctx.orgId, id, ctx.actor.userId, sessionId],
    ),
  ]);
  return pinned.length === 1;
}

export function unpinAtCommit({ db, orgId }: OrgTransaction, { id, sessionId }: MessageKey): void {
  db.atCommit(RAISE_VERSION, [orgId, sessionId], { order: 'last' });
  db.atCommit(
    'UPDATE messages SET pinned_at = NULL, pinned_by_id = NULL WHERE org_id = $1 AND id = $2',
    [orgId, id],
    { order: 'last' },
  );
}

interface Listed {
  id: string;
  bytes: number;
}
interface Page<Row> {
  items: Row[];
  total: number;
}

/** Of a session whose reader's right was just read, the last pinned first. */
export async function listPins(
  { db, orgId }: OrgDb,
  sessionId: string,
  { page, limit }: ListPins,
): Promise<Page<MessageRow>> {
  const rows = await db.query<Listed & { total: number }>(
    `SELECT m.id, ${MESSAGE_BYTES} AS bytes, count(*) OVER () AS total FROM messages m
     WHERE m.org_id = $1 AND m.session_id = $2 AND m.pinned_at IS NOT NULL AND m.deleted_at IS NULL
       AND m.inactive_branch_id IS NULL
     ORDER BY m.pinned_at DESC, m.id`,
    [orgId, sessionId],
  );
  const listed = rows.slice((page - 1) * limit, page * limit);
  const byId = await readMessages({ db, orgId }, listed);
  return { items: listed.flatMap(({ id }) => byId.get(id) ?? []), total: rows.length };
}

/** False if it is saved already, or the person has as many as they may. */
export async function save({ db, orgId, actor }: UserContext, messageId: string): Promise<boolean> {
  const rows = await db.query(
    `INSERT INTO saved_messages (org_id, user_id, message_id)
     SELECT $1::text, $2::text, $3::text
     WHERE (SELECT count(*) FROM saved_messages saved
       WHERE saved.org_id = $1 AND saved.user_id = $2) < ${MOST_SAVED}
     ON CONFLICT (org_id, user_id, message_id) DO NOTHING RETURNING 1 AS saved`,
    [orgId, actor.userId, messageId],
  );
  return rows.length === 1;
}

export async function isSaved(
  { db, orgId, actor }: UserContext,
  messageId: string,
): Promise<boolean> {
  const rows = await db.query(
    `SELECT 1 AS saved FROM saved_messages WHERE org_id = $1 AND user_id = $2 AND message_id = $3`,
    [orgId, actor.userId, messageId],
  );
  return rows.length === 1;
}

export async function unsave({ db, orgId, actor }: UserContext, messageId: string): Promise<void> {
  await db.query(
    'DELETE FROM saved_messages WHERE org_id = $1 AND user_id = $2 AND message_id = $3',
    [orgId, actor.userId, messageId],
  );
}

export type SavedRow = Pick<SavedMessage, 'session' | 'project' | 'savedAt'> & {
  message: MessageRow;
};

type FoundSaved = Listed & Omit<SavedRow, 'message'>;

/** What the caller saved and may still read, the last saved first. */
export async function listSaved(
  ctx: UserContext,
  { page, limit, sessionId }: ListSaved,
): Promise<Page<SavedRow>> {
  const rows = await ctx.db.query<FoundSaved & { total: number }>(
    `WITH visible AS (
       SELECT m.id, ${MESSAGE_BYTES} AS bytes, saved.saved_at,
         json_build_object('id', s.id, 'name', s.name, 'title', s.title) AS session,
         json_build_object('id', p.id, 'slug', p.slug, 'name', p.name) AS project
       FROM saved_messages saved
       JOIN messages m ON m.org_id = $1 AND m.id = saved.message_id AND m.deleted_at IS NULL
       JOIN sessions s ON s.org_id = $1 AND s.id = m.session_id
       JOIN projects p ON p.org_id = $1 AND p.id = s.project_id
       WHERE saved.org_id = $1 AND saved.user_id = $2 AND ${CAN_READ_SESSION}
         AND ($4::text IS NULL OR s.id = $4))
     SELECT counted.total, page.id, page.bytes, page.session, page.project,
       ${utcTime('page.saved_at')} AS "savedAt"
     FROM (SELECT count(*) AS total FROM visible) counted
     LEFT JOIN (SELECT * FROM visible ORDER BY saved_at DESC, id LIMIT $5 OFFSET $6) page ON true
     ORDER BY page.saved_at DESC, page.id`,
    [...callerOf(ctx), sessionId ?? null, limit, (page - 1) * limit],
  );
  const listed = rows.filter(({ id }) => id !== null);
  const byId = await readMessages(ctx, listed);
  const items = listed.flatMap(({ id, session, project, savedAt }) => {
    const message = byId.get(id);
    return message ? [{ message, session, project, savedAt }] : [];
  });
  return { items, total: rows[0]?.total ?? 0 };
}

/** Long ones in several statements. */
async function readMessages(
  { db, orgId }: OrgDb,
  listed: readonly Listed[],
): Promise<Map<string, MessageRow>> {
  const found = await readInPieces(
    listed,
    ({ bytes }) => bytes,
    (piece) =>
      db.query<MessageRow>(
        `SELECT ${MESSAGE_COLUMNS} FROM messages m
         WHERE m.org_id = $1 AND m.id = ANY ($2) AND m.deleted_at IS NULL`,
        [orgId, piece.map(({ id }) => id)],
      ),
  );
  return new Map(found.map((message) => [message.id, message]));
}

/** For the person's own export: what they saved and may still read. */
export function scanSaved(ctx: UserContext): Promise<{ messageId: string; savedAt: string }[]> {
  return ctx.db.query(
    `SELECT m.id AS "messageId", ${utcTime('saved.saved_at')} AS "savedAt"
     FROM saved_messages saved
     JOIN messages m ON m.org_id = $1 AND m.id = saved.message_id AND m.deleted_at IS NULL
     JOIN sessions s ON s.org_id = $1 AND s.id = m.session_id
     JOIN projects p ON p.org_id = $1 AND p.id = s.project_id
     WHERE saved.org_id = $1 AND saved.user_id = $2 AND ${CAN_READ_SESSION}
     ORDER BY saved.saved_at, m.id`,
    callerOf(ctx),
  );
}
