import type { Role, UserContext } from '../../../core/context.ts';
import { NO_ID } from '../../../db/no-id.ts';
import type { OrgDb, Queryable } from '../../../db/types.ts';
import { BEFORE_IT, PAGE_BYTES } from '../../../lists/page-bytes.ts';
import { RECORDS_PER_PAGE, type RecordQuery, type ScannedRow } from '../../../lists/record-page.ts';
import { callerOf, isProjectMember } from '../../../access/standing.ts';
import { CAN_READ_SESSION, canReadSession } from '../../../access/readable.ts';
import type { SessionMessagesPath } from '../schema.ts';
import { MESSAGE_BYTES, MESSAGE_COLUMNS, type MessageRow, type SessionAccess } from '../store.ts';

export interface ListAccess extends SessionAccess {
  /** The session's. Pages that were read at the same version are the same. */
  version: number;
}

// Release 0.1.0 only counts messages. What else it changes is noted by a trigger: see 0013_lists.sql.
const VERSION = `s.version + s.last_position + (SELECT count(*) FROM unversioned_changes u
    WHERE u.org_id = $1 AND u.session_id = s.id)`;

/** Who asks for which list. */
export interface ListAsker extends SessionMessagesPath {
  orgId: string;
  userId: string;
  role: Role;
}

/** One statement for all who ask in the same org. Undefined if the Project does not exist. */
export async function findListAccess(
  db: Queryable,
  askers: ListAsker[],
): Promise<(ListAccess | undefined)[]> {
  const byOrg = Map.groupBy(askers, ({ orgId }) => orgId);
  const found = new Map<ListAsker, ListAccess>();
  await Promise.all(
    [...byOrg].map(async ([orgId, asking]) => {
      const columns = (['userId', 'role', 'slug', 'sessionId'] as const).map((name) =>
        asking.map((asker) => asker[name]),
      );
      const rows = await db.sharedRead<ListAccess & { nth: number }>(
        `SELECT asker.nth, p.id AS "projectId", p.archived_at AS "projectArchivedAt",
           ${isProjectMember('asker.user_id', 'asker.role')} AS "isMember",
           s.id AS "foundSessionId", s.archived_at AS "archivedAt",
           ${VERSION} AS version
         FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) WITH ORDINALITY
           AS asker (user_id, role, slug, session_id, nth)
         JOIN projects p ON p.org_id = $1 AND p.slug = asker.slug
         LEFT JOIN sessions s ON s.org_id = $1 AND s.project_id = p.id AND s.id = asker.session_id
           AND ${canReadSession('asker.user_id', 'asker.role')}`,
        [orgId, ...columns],
      );
      for (const { nth, ...access } of rows) found.set(asking[nth - 1] as ListAsker, access);
    }),
  );
  return askers.map((asker) => found.get(asker));
}

export interface Window {
  /** Only positions below this message's. */
  before: string | null;
  /** The window with this message in the middle. */
  around: string | null;
  limit: number;
}

export interface MessageWindow {
  version: number;
  total: number;
  /** Null without a cursor, or if the list has no such message. */
  cursorPosition: number | null;
  /** Newest first: at most `limit`, and no more than fit on a page. */
  rows: (MessageRow & { hasOlder: boolean })[];
}

type WindowRow = MessageWindow['rows'][number] & Omit<MessageWindow, 'rows'>;

/** The number of the session's messages that are in branches that are not shown. */
const PUT_ASIDE = `(SELECT count(*) FROM messages aside WHERE aside.org_id = $1
  AND aside.session_id = s.id AND aside.inactive_branch_id IS NOT NULL)`;

/** The position of its oldest message that is shown. */
const FIRST_SHOWN = `(SELECT first.position FROM messages first WHERE first.org_id = $1
  AND first.session_id = s.id AND first.inactive_branch_id IS NULL ORDER BY first.position LIMIT 1)`;

/** The position of the last message of a window around the cursor, which has $4 after it. */
const LAST_NEWER = `(SELECT max(newer.position) FROM (SELECT newer.position FROM messages newer
  WHERE newer.org_id = $1 AND newer.session_id = s.id AND newer.position >= cursor.position
    AND newer.inactive_branch_id IS NULL ORDER BY newer.position LIMIT $4 + 1) newer)`;

const IS_NEAR = `cursor.position IN (m.position, lag(m.position) OVER in_order,
  lead(m.position) OVER in_order)`;

/**
 * Version, cursor and page come from one snapshot. Paging by position is equally fast at any depth. Who
 * may see the session is for the caller to check: every reader gets the same page.
 */
export async function listWindow(
  { db, orgId }: OrgDb,
  sessionId: string,
  { before, around, limit }: Window,
): Promise<MessageWindow | undefined> {
  const isAround = around !== null;
  const newer = isAround ? Math.floor((limit - 1) / 2) : -1;
  const last = isAround ? LAST_NEWER : 'cursor.position + $4';
  const nearestFirst = isAround
    ? 'abs(m.position - cursor.position), m.position DESC'
    : 'm.position DESC';
  // A page with little room keeps the messages next to the cursor, which is how clients go on from there.
  const isNear = isAround ? IS_NEAR : 'false';
  const rows = await db.sharedRead<WindowRow>(
    `SELECT ${VERSION} AS version, s.last_position - shown.put_aside AS total,
       cursor.position AS "cursorPosition", m.*
     FROM sessions s
     LEFT JOIN messages cursor ON cursor.org_id = $1 AND cursor.session_id = s.id AND cursor.id = $3
       ${isAround ? 'AND cursor.inactive_branch_id IS NULL' : ''}
     -- Once, and not for each message.
     CROSS JOIN LATERAL (SELECT ${PUT_ASIDE} AS put_aside, ${FIRST_SHOWN} AS first,
       coalesce(${last}, s.last_position) AS last OFFSET 0) shown
     LEFT JOIN LATERAL (
       SELECT ${MESSAGE_COLUMNS}, m.position > shown.first AS "hasOlder"
       FROM (SELECT m.*, sum(${MESSAGE_BYTES}) OVER (ORDER BY ${nearestFirst} ${BEFORE_IT}) AS before_it,
           ${isNear} AS is_near
         FROM (SELECT * FROM messages m WHERE m.org_id = $1 AND m.session_id = s.id
             AND m.position <= shown.last AND m.inactive_branch_id IS NULL
           ORDER BY m.position DESC LIMIT $5) m
         WINDOW in_order AS (ORDER BY m.position)) m
       WHERE m.before_it IS NULL OR m.before_it < ${PAGE_BYTES} OR m.is_near
       ORDER BY m.position DESC
     ) m ON true
     WHERE s.org_id = $1 AND s.id = $2`,
    [orgId, sessionId, before ?? around ?? NO_ID, newer, limit],
  );
  return windowOf(rows);
}

/** The same for the replies to one message; undefined if it is not a top-level message of the session. */
export async function listThread(
  { db, orgId }: OrgDb,
  sessionId: string,
  parentId: string,
  { before, limit }: { before: string | null; limit: number },
): Promise<MessageWindow | undefined> {
  const rows = await db.sharedRead<WindowRow>(
    `SELECT ${VERSION} AS version, parent.reply_count AS total,
       cursor.position AS "cursorPosition", m.*
     FROM sessions s
     JOIN messages parent ON parent.org_id = $1 AND parent.session_id = s.id AND parent.id = $3
       AND parent.parent_message_id IS NULL
     LEFT JOIN messages cursor ON cursor.org_id = $1 AND cursor.parent_message_id = parent.id
       AND cursor.id = $4
     LEFT JOIN LATERAL (
       SELECT ${MESSAGE_COLUMNS}, m."hasOlder"
       FROM (SELECT m.*, sum(${MESSAGE_BYTES}) OVER newest_first AS before_it,
           lead(true) OVER newest_first IS NOT NULL AS "hasOlder"
         FROM (SELECT * FROM messages m WHERE m.org_id = $1 AND m.parent_message_id = parent.id
             AND m.position < coalesce(cursor.position, 9223372036854775807)
           ORDER BY m.position DESC LIMIT $5 + 1) m
         WINDOW newest_first AS (ORDER BY m.position DESC ${BEFORE_IT})) m
       WHERE m.before_it IS NULL OR m.before_it < ${PAGE_BYTES}
       ORDER BY m.position DESC LIMIT $5
     ) m ON true
     WHERE s.org_id = $1 AND s.id = $2`,
    [orgId, sessionId, parentId, before ?? NO_ID, limit],
  );
  return windowOf(rows);
}

function windowOf(rows: WindowRow[]): MessageWindow | undefined {
  const [first] = rows;
  if (!first) return undefined;
  const { version, total, cursorPosition } = first;
  return { version, total, cursorPosition, rows: rows.filter((row) => row.id !== null) };
}

/** Every message of the org by session and position, or only the caller's own that they can see. */
export function scanMessages(
  ctx: UserContext,
  { isOwn, after }: RecordQuery,
): Promise<ScannedRow<MessageRow>[]> {
  const [sessionId = '', position = '0'] = after.split(' ');
  return ctx.db.query(
    `SELECT page.session_id || ' ' || page.position AS at, ${MESSAGE_COLUMNS}
     FROM (SELECT id, session_id, position FROM messages
       WHERE org_id = $1 AND (session_id, position) > ($4, $5::bigint)
       ORDER BY session_id, position LIMIT $7) page
     LEFT JOIN messages m ON m.org_id = $1 AND m.id = page.id AND (NOT $6
       OR m.author_user_id = $2 AND EXISTS (SELECT 1 FROM sessions s
         JOIN projects p ON p.org_id = $1 AND p.id = s.project_id
         WHERE s.org_id = $1 AND s.id = m.session_id AND ${CAN_READ_SESSION}))
     ORDER BY page.session_id, page.position`,
    [...callerOf(ctx), sessionId, position, isOwn, RECORDS_PER_PAGE],
  );
}
