import type { UserContext } from '../../core/context.ts';
import { purgeByTime } from '../../db/purge.ts';
import type { Queryable, Transaction } from '../../db/types.ts';
import { utcTime } from '../../db/utc-time.ts';
import type { TaskNews } from '../../events/list.ts';
import { callerOf, isProjectMember } from '../../access/standing.ts';
import { canReadSession } from '../../access/readable.ts';
import type { Kind } from './kinds.ts';

export interface NotificationRow {
  id: string;
  kind: Kind;
  projectId: string | null;
  projectSlug: string | null;
  projectName: string | null;
  sessionId: string | null;
  sessionName: string | null;
  messageId: string | null;
  taskId: string | null;
  taskNumber: number | null;
  actorUserId: string | null;
  actorName: string | null;
  actorAgent: string | null;
  /** The beginning of the message, or the title of the task. */
  body: string | null;
  /** This and the other time as `utcTime` has them. */
  createdAt: string;
  readAt: string | null;
}

/** How much of a message a notification shows. */
const EXCERPT = 300;

export const NOTIFICATION_COLUMNS = `n.id, n.kind, p.id AS "projectId", p.slug AS "projectSlug",
  p.name AS "projectName", s.id AS "sessionId", s.name AS "sessionName", m.id AS "messageId",
  t.id AS "taskId", t.number AS "taskNumber", actor.id AS "actorUserId",
  coalesce(actor.name, m.external_author->>'name') AS "actorName",
  coalesce(m.agent_slug, n.actor_agent) AS "actorAgent",
  coalesce(left(m.body, ${EXCERPT}), t.title) AS body,
  ${utcTime('n.created_at')} AS "createdAt", ${utcTime('n.read_at')} AS "readAt"`;

/** These say everything else about themselves in the message that has their id. */
const IS_ABOUT_MESSAGE = `n.kind IN ('MENTION', 'THREAD_REPLY', 'AGENT_REPLY')`;

/**
 * The notifications of a person in org $1 that tell them nothing they may not see: they may read the
 * session, or belong to the Project, and the message is not deleted. The only place that decides this.
 */
export function visibleTo(person: string, role: string): string {
  return `FROM notifications n
    LEFT JOIN messages m ON m.org_id = $1 AND m.id = n.id AND m.deleted_at IS NULL
    LEFT JOIN sessions s ON s.org_id = $1 AND s.id = m.session_id
    LEFT JOIN tasks t ON t.org_id = $1 AND t.id = n.task_id
    LEFT JOIN projects p ON p.org_id = $1 AND p.id = coalesce(s.project_id, n.project_id)
    LEFT JOIN users actor ON actor.id = coalesce(m.author_user_id, n.actor_user_id)
    WHERE n.org_id = $1 AND n.user_id = ${person}
      AND CASE WHEN ${IS_ABOUT_MESSAGE} THEN s.id IS NOT NULL AND ${canReadSession(person, role)}
        WHEN n.project_id IS NOT NULL THEN p.id IS NOT NULL AND ${isProjectMember(person, role)}
        ELSE true END`;
}

const VISIBLE = visibleTo('$2', '$3::text');

export interface NotificationQuery {
  unread: boolean;
  before: string | null;
  limit: number;
}

export interface NotificationPage {
  unreadTotal: number;
  /** False if the caller has no such notification. */
  isCursorKnown: boolean;
  /** Newest first. */
  rows: NotificationRow[];
}

/** The number of unread ones and the page come from one snapshot. */
export async function listNotifications(
  ctx: UserContext,
  { unread, before, limit }: NotificationQuery,
): Promise<NotificationPage> {
  const rows = await ctx.db.query<NotificationRow & Omit<NotificationPage, 'rows'>>(
    `SELECT counted.unread AS "unreadTotal", cursor.id IS NOT NULL AS "isCursorKnown", page.*
     FROM (SELECT count(*) AS unread ${VISIBLE} AND n.read_at IS NULL) counted
     LEFT JOIN notifications cursor
       ON cursor.org_id = $1 AND cursor.user_id = $2 AND cursor.id = $4
     LEFT JOIN LATERAL (
       SELECT ${NOTIFICATION_COLUMNS} ${VISIBLE}
         AND (NOT $5::boolean OR n.read_at IS NULL)
         AND ($4::text IS NULL OR (n.created_at, n.id) < (cursor.created_at, cursor.id))
       ORDER BY n.created_at DESC, n.id DESC LIMIT $6
     ) page ON true`,
    [...callerOf(ctx), before, unread, limit],
  );
  const { unreadTotal = 0, isCursorKnown = false } = rows[0] ?? {};
  return { unreadTotal, isCursorKnown, rows: rows.filter((row) => row.id !== null) };
}

export async function countUnread(ctx: UserContext): Promise<number> {
  const [row] = await ctx.db.query<{ unread: number }>(
    `SELECT count(*) AS unread ${VISIBLE} AND n.read_at IS NULL`,
    callerOf(ctx),
  );
  return row?.unread ?? 0;
}

/** Clocks of processes differ: one may have dated a notification later than it is for another. */
export async function hasNotificationSince(
  { db, orgId, actor }: UserContext,
  time: Date,
): Promise<boolean> {
  const rows = await db.query(
    `SELECT 1 AS found FROM notifications WHERE org_id = $1 AND user_id = $2 AND created_at >= $3 LIMIT 1`,
    [orgId, actor.userId, time],
  );
  return rows.length === 1;
}

/** What to mark: everything, or by its ids, by its time, or by the task it is about. */
export interface ReadChoice {
  all?: boolean;
  ids?: readonly string[] | undefined;
  until?: Date | undefined;
  taskId?: string | undefined;
}

/** Returns how many were unread. */
export async function markReadBy(
  { db, orgId }: { db: Queryable; orgId: string },
  userId: string,
  { all, ids, until, taskId }: ReadChoice,
): Promise<number> {
  const rows = await db.query(
    `UPDATE notifications SET read_at = now(), is_mail_due = false
     WHERE org_id = $1 AND user_id = $2 AND read_at IS NULL
       AND ($6::boolean OR id = ANY ($3::text[]) OR created_at <= $4::timestamptz OR task_id = $5)
     RETURNING 1 AS marked`,
    [orgId, userId, ids ?? null, until ?? null, taskId ?? null, all ?? false],
  );
  return rows.length;
}

/** Where somebody has read to: in a session, or in one of its threads. */
export interface ReadPlace {
  sessionId: string;
  messageId: string;
  /** The first message of the thread. */
  parentMessageId?: string | undefined;
}

/**
 * Those about the messages of this place up to this one. Returns how many were unread. It starts from the
 * person's unread notifications, which are few; a session may have any number of messages.
 */
export async function markReadUntil(
  { db, orgId }: { db: Queryable; orgId: string },
  userId: string,
  { sessionId, messageId, parentMessageId }: ReadPlace,
): Promise<number> {
  const rows = await db.query(
    `UPDATE notifications n SET read_at = now(), is_mail_due = false
     WHERE n.org_id = $1 AND n.user_id = $2 AND n.read_at IS NULL
       AND (SELECT m.position FROM messages m WHERE m.org_id = $1 AND m.id = n.id
           AND m.session_id = $3 AND m.parent_message_id IS NOT DISTINCT FROM $5)
         <= (SELECT last.position FROM messages last WHERE last.org_id = $1
           AND last.session_id = $3 AND last.id = $4)
     RETURNING 1 AS marked`,
    [orgId, userId, sessionId, messageId, parentMessageId ?? null],
  );
  return rows.length;
}

/** Tells the person who invited somebody, if they are still a member. Sent with COMMIT. */
export function insertAcceptedAtCommit(
  tx: Transaction,
  orgId: string,
  { id, invitedById, accepterId }: { id: string; invitedById: string; accepterId: string },
): void {
  tx.atCommit(
    `INSERT INTO notifications (org_id, user_id, id, kind, actor_user_id, created_at, is_mail_due)
     SELECT m.org_id, m.user_id, $3::text, 'INVITATION_ACCEPTED', $4::text, now(), m.email_notifications = 'ALL'
     FROM memberships m WHERE m.org_id = $1 AND m.user_id = $2 AND m.user_id <> $4`,
    [orgId, invitedById, id, accepterId],
  );
}

/** What a person, or an agent, did to a task that concerns somebody. */
interface NewTaskNews extends TaskNews {
  taskId: string;
  actorUserId: string | null;
  actorAgent: string | null;
}

/**
 * Tells one person, if they belong to the Project and have not muted the task's session. Sent with COMMIT.
 * Their membership is locked first, so that whoever is being removed has nothing left afterwards.
 */
export function insertTaskNewsAtCommit(
  tx: Transaction,
  orgId: string,
  { kind, userId, taskId, actorUserId, actorAgent, id, at }: NewTaskNews,
  onTold: () => void,
): void {
  tx.atCommit(
    'SELECT 1 AS locked FROM memberships WHERE org_id = $1 AND user_id = $2 FOR KEY SHARE',
    [orgId, userId],
  );
  tx.atCommit(
    `INSERT INTO notifications (org_id, user_id, id, kind, project_id, task_id, actor_user_id,
       actor_agent, created_at, is_mail_due)
     SELECT t.org_id, person.user_id, $3::text, $4::text, p.id, t.id, $6::text, $7::text,
       $8::timestamptz, person.email_notifications = 'ALL'
     FROM memberships person
     JOIN tasks t ON t.org_id = $1 AND t.id = $5
     JOIN projects p ON p.org_id = $1 AND p.id = t.project_id
     WHERE person.org_id = $1 AND person.user_id = $2
       AND ${isProjectMember('person.user_id', 'person.role')}
       AND NOT EXISTS (SELECT 1 FROM muted_sessions muted WHERE muted.org_id = $1
         AND muted.session_id = t.session_id AND muted.user_id = person.user_id)
     RETURNING 1 AS told`,
    [orgId, userId, id, kind, taskId, actorUserId, actorAgent, at],
    {
      returned(rows) {
        if (rows.length > 0) onTold();
      },
    },
  );
}

/**
 * Tells everybody who manages the organisation that a channel no longer works, or the whole connection if
 * `projectId` is null. Sent with COMMIT.
 */
export function insertChannelBrokenAtCommit(
  tx: Transaction,
  orgId: string,
  { id, projectId }: { id: string; projectId: string | null },
  onTold: (people: string[]) => void,
): void {
  tx.atCommit(
    `INSERT INTO notifications (org_id, user_id, id, kind, project_id, created_at, is_mail_due)
     SELECT m.org_id, m.user_id, $2::text, 'CHANNEL_BROKEN', $3::text, now(),
       m.email_notifications = 'ALL'
     FROM memberships m WHERE m.org_id = $1 AND m.role IN ('OWNER', 'ADMIN')
     RETURNING user_id AS "userId"`,
    [orgId, id, projectId],
    { returned: (rows) => onTold(rows.map((row) => (row as { userId: string }).userId)) },
  );
}

export function deleteNotificationsAtCommit(tx: Transaction, orgId: string, userId: string): void {
  tx.atCommit('DELETE FROM notifications WHERE org_id = $1 AND user_id = $2', [orgId, userId]);
}

/** A chore, across orgs. */
export function purgeNotifications(db: Queryable): Promise<number> {
  return purgeByTime(db, { table: 'notifications', time: 'created_at', keep: '90 days' });
}
