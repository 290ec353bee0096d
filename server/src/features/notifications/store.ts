import type { UserContext } from '../../core/context.ts';
import { purgeByTime } from '../../db/purge.ts';
import type { OrgDb, OrgTransaction, Queryable } from '../../db/types.ts';
import { utcTime } from '../../db/utc-time.ts';
import type { TaskNews, UpcomingOf } from '../../events/list.ts';
import { FILE_NAMES } from '../../access/attachments.ts';
import { callerOf, isProjectMember } from '../../access/standing.ts';
import { levelOf } from '../../access/following.ts';
import { canReadSession } from '../../access/readable.ts';
import type { ListNotifications, MarkNotificationsRead, Notification } from './schema.ts';

/** The times are as `utcTime` has them. */
export interface NotificationRow extends Omit<Notification, 'text'> {
  /** The beginning of the message, or the title of the task. */
  body: string | null;
  /** The names of its files, if the message says nothing else. They are plain text. */
  fileNames: string | null;
}

/** How much of a message is read for a notification. Without its Markdown, less is left to show. */
const EXCERPT = 600;

export const NOTIFICATION_COLUMNS = `n.id, n.kind, p.id AS "projectId", p.slug AS "projectSlug",
  p.name AS "projectName", s.id AS "sessionId", s.name AS "sessionName", m.id AS "messageId",
  t.id AS "taskId", t.number AS "taskNumber", actor.id AS "actorUserId",
  coalesce(actor.name, m.external_author->>'name') AS "actorName",
  coalesce(m.agent_slug, n.actor_agent) AS "actorAgent",
  coalesce(n.note, left(m.body, ${EXCERPT}), t.title) AS body,
  CASE WHEN n.note IS NULL THEN ${FILE_NAMES} END AS "fileNames",
  n.is_quiet AS "isQuiet",
  ${utcTime('n.created_at')} AS "createdAt", ${utcTime('n.read_at')} AS "readAt"`;

/** These say everything else about themselves in a message: the one that has their id, unless they name another. */
const IS_ABOUT_MESSAGE = `(n.kind IN ('MENTION', 'DIRECT_MESSAGE', 'BROADCAST', 'THREAD_REPLY', 'AGENT_REPLY')
  OR n.message_id IS NOT NULL)`;

/**
 * The notifications of a person in org $1 that tell them nothing they may not see: they may read the
 * session, or belong to the Project, and the message is not deleted. The only place that decides this.
 */
export function visibleTo(person: string, role: string): string {
  return `FROM notifications n
    LEFT JOIN messages m ON m.org_id = $1 AND m.id = coalesce(n.message_id, n.id)
      AND m.deleted_at IS NULL
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
  { unread, before, limit }: ListNotifications,
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
    [...callerOf(ctx), before ?? null, unread, limit],
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

/** Marks those, or all. Returns how many were unread. */
export async function markReadBy(
  { db, orgId }: OrgDb,
  userId: string,
  { all, ids, until, taskId }: MarkNotificationsRead & { all?: boolean },
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

/**
 * Those about the messages of this place up to this one. Returns how many were unread. It starts from the
 * person's unread notifications, which are few; a session may have any number of messages.
 */
export async function markReadUntil(
  { db, orgId }: OrgDb,
  { userId, sessionId, messageId, parentMessageId }: UpcomingOf<'session.reading'>,
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
  { db, orgId }: OrgTransaction,
  { id, invitedById, accepterId }: { id: string; invitedById: string; accepterId: string },
): void {
  db.atCommit(
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
 * Tells one person, if they belong to the Project and have not chosen NONE for the task's session. Sent with COMMIT.
 * Their membership is locked first, so that whoever is being removed has nothing left afterwards.
 */
export function insertTaskNewsAtCommit(
  { db, orgId }: OrgTransaction,
  { kind, userId, taskId, actorUserId, actorAgent, id, at }: NewTaskNews,
  onTold: () => void,
): void {
  db.atCommit(
    'SELECT 1 AS locked FROM memberships WHERE org_id = $1 AND user_id = $2 FOR KEY SHARE',
    [orgId, userId],
  );
  db.atCommit(
    `INSERT INTO notifications (org_id, user_id, id, kind, project_id, task_id, actor_user_id,
       actor_agent, created_at, is_mail_due)
     SELECT $1::text, person.user_id, $3::text, $4::text, p.id, t.id, $6::text, $7::text,
       $8::timestamptz, person.email_notifications = 'ALL'
     FROM memberships person
     JOIN tasks t ON t.org_id = $1 AND t.id = $5
     JOIN projects p ON p.org_id = $1 AND p.id = t.project_id
     WHERE person.org_id = $1 AND person.user_id = $2
       AND ${isProjectMember('person.user_id', 'person.role')}
       AND ${levelOf('person.user_id', 't.session_id')} <> 'NONE'
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
  { db, orgId }: OrgTransaction,
  { id, projectId }: { id: string; projectId: string | null },
  onTold: (people: string[]) => void,
): void {
  db.atCommit(
    `INSERT INTO notifications (org_id, user_id, id, kind, project_id, created_at, is_mail_due)
     SELECT m.org_id, m.user_id, $2::text, 'CHANNEL_BROKEN', $3::text, now(),
       m.email_notifications = 'ALL'
     FROM memberships m WHERE m.org_id = $1 AND m.role IN ('OWNER', 'ADMIN')
     RETURNING user_id AS "userId"`,
    [orgId, id, projectId],
    { returned: (rows) => onTold(rows.map((row) => (row as { userId: string }).userId)) },
  );
}

/** Tells a person what they wanted to be reminded of. What they may not read now is not named. Sent with COMMIT. */
export function insertReminderAtCommit(
  { db, orgId }: OrgTransaction,
  reminderId: string,
  onTold: () => void,
): void {
  db.atCommit(
    `INSERT INTO notifications (org_id, user_id, id, kind, project_id, task_id, message_id, note,
       created_at, is_mail_due)
     SELECT $1::text, person.user_id, r.id, 'REMINDER', task.project_id, task.id, message.id, r.note,
       date_trunc('milliseconds', now()), person.email_notifications <> 'NONE'
     FROM reminders r
     JOIN memberships person ON person.org_id = $1 AND person.user_id = r.user_id
     LEFT JOIN LATERAL (SELECT m.id FROM messages m
       JOIN sessions s ON s.org_id = $1 AND s.id = m.session_id
       JOIN projects p ON p.org_id = $1 AND p.id = s.project_id
       WHERE m.org_id = $1 AND m.id = r.message_id AND m.deleted_at IS NULL
         AND ${canReadSession('person.user_id', 'person.role')}) message ON true
     LEFT JOIN LATERAL (SELECT t.id, t.project_id FROM tasks t
       JOIN projects p ON p.org_id = $1 AND p.id = t.project_id
       WHERE t.org_id = $1 AND t.id = r.task_id
         AND ${isProjectMember('person.user_id', 'person.role')}) task ON true
     WHERE r.org_id = $1 AND r.id = $2
     RETURNING 1 AS told`,
    [orgId, reminderId],
    {
      returned(rows) {
        if (rows.length > 0) onTold();
      },
    },
  );
}

/** Tells a person that what they wanted to send later could not be sent. Sent with COMMIT. */
export function insertUnsentAtCommit(
  { db, orgId }: OrgTransaction,
  { id, scheduledId }: { id: string; scheduledId: string },
): void {
  db.atCommit(
    `INSERT INTO notifications (org_id, user_id, id, kind, note, created_at, is_mail_due)
     SELECT $1::text, person.user_id, $3::text, 'SCHEDULED_FAILED',
       'Your scheduled message was not sent. ' || unsent.failure,
       date_trunc('milliseconds', now()), person.email_notifications <> 'NONE'
     FROM scheduled_messages unsent
     JOIN memberships person ON person.org_id = $1 AND person.user_id = unsent.user_id
     WHERE unsent.org_id = $1 AND unsent.id = $2`,
    [orgId, scheduledId, id],
  );
}

export function deleteNotificationsAtCommit({ db, orgId }: OrgTransaction, userId: string): void {
  db.atCommit('DELETE FROM notifications WHERE org_id = $1 AND user_id = $2', [orgId, userId]);
}

/** A chore, across orgs. */
export function purgeNotifications(db: Queryable): Promise<number> {
  return purgeByTime(db, { table: 'notifications', time: 'created_at', keep: '90 days' });
}
