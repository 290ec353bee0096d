import type { UserContext } from '../../core/context.ts';
import type { Transaction } from '../../db/types.ts';
import { utcTime } from '../../db/utc-time.ts';
import { RECORDS_PER_PAGE, type RecordQuery, type ScannedRow } from '../../lists/record-page.ts';
import { callerOf, IS_PROJECT_MEMBER, isProjectMember } from '../../access/standing.ts';
import { IS_DIRECT } from '../../access/direct.ts';
import { CAN_READ_SESSION } from '../../access/readable.ts';
import { IS_FOLLOWED, levelOf, type Level } from '../../access/following.ts';
import { UNREAD_COUNT } from '../../access/unread.ts';
import type { ListSessions, UpdateSession } from './schema.ts';

export interface SessionRow {
  id: string;
  projectId: string;
  kind: 'PROJECT' | 'DIRECT';
  /** PARTICIPANTS: only they may read it. */
  access: 'PROJECT' | 'PARTICIPANTS';
  name: string;
  title: string | null;
  description: string | null;
  defaultAgent: string | null;
  model: string | null;
  participantUserIds: string[];
  answersWithoutMention: boolean;
  /** Set if it is where a task is discussed. */
  taskId: string | null;
  /** This and the other times as `utcTime` has them. */
  lastMessageAt: string | null;
  /** Every member of the Project follows it, unless they left. */
  isForEveryone: boolean;
  unreadCount: number;
  isFollowed: boolean;
  level: Level;
  createdById: string;
  createdAt: string;
  updatedAt: string;
  archivedAt: string | null;
}

/** The Project from the path, with the caller's rights in it. No row: 404. Not a member: 403. */
export interface Space {
  projectId: string;
  projectArchivedAt: Date | null;
  projectDefaultAgent: string | null;
  isMember: boolean;
}

const SPACE_COLUMNS = `p.id AS "projectId", p.archived_at AS "projectArchivedAt",
  p.default_agent AS "projectDefaultAgent", ${IS_PROJECT_MEMBER} AS "isMember"`;

/** What is the same for every reader. */
export const SESSION_FIELDS = `s.id, s.project_id AS "projectId", s.access,
  CASE WHEN ${IS_DIRECT} THEN 'DIRECT' ELSE 'PROJECT' END AS kind, s.name, s.title, s.description,
  s.default_agent AS "defaultAgent", s.model, s.participant_user_ids AS "participantUserIds",
  s.answers_without_mention AS "answersWithoutMention", s.task_id AS "taskId",
  s.is_for_everyone AS "isForEveryone",
  ${utcTime('s.last_message_at')} AS "lastMessageAt",
  s.created_by_id AS "createdById", ${utcTime('s.created_at')} AS "createdAt",
  ${utcTime('s.updated_at')} AS "updatedAt", ${utcTime('s.archived_at')} AS "archivedAt"`;

/** What the caller ($2) is told about in session s. */
export const LEVEL = levelOf('$2', 's.id');

const SESSION_COLUMNS = `${SESSION_FIELDS}, ${UNREAD_COUNT} AS "unreadCount",
  ${IS_FOLLOWED} AS "isFollowed", ${LEVEL} AS level`;

/** With the `outsiders` among these people: those who are not members of the Project. */
export async function findSpace(ctx: UserContext, slug: string, userIds: readonly string[]) {
  const [row] = await ctx.db.sharedRead<Space & { outsiders: string[] }>(
    `SELECT ${SPACE_COLUMNS}, ARRAY(
       SELECT asked FROM unnest($5::text[]) asked
       WHERE NOT EXISTS (SELECT 1 FROM memberships m
         WHERE m.org_id = $1 AND m.user_id = asked
           AND ${isProjectMember('m.user_id', 'm.role')})) AS outsiders
     FROM projects p WHERE p.org_id = $1 AND p.slug = $4`,
    [...callerOf(ctx), slug, userIds],
  );
  return row;
}

export type SessionInSpace = Space & (SessionRow | { id: null });

/** Project and session in one query. `id` is null if the caller may not read such a session there. */
export async function findSession(ctx: UserContext, slug: string, sessionId: string) {
  const [row] = await ctx.db.sharedRead<SessionInSpace>(
    `SELECT ${SESSION_COLUMNS}, ${SPACE_COLUMNS} FROM projects p
     LEFT JOIN sessions s ON s.org_id = $1 AND s.project_id = p.id AND s.id = $5
       AND ${CAN_READ_SESSION}
     WHERE p.org_id = $1 AND p.slug = $4`,
    [...callerOf(ctx), slug, sessionId],
  );
  return row;
}

/** Most recently active first. Project, total and page come from one snapshot, in one round trip. */
export async function listSessions(
  ctx: UserContext,
  slug: string,
  { page, limit, status }: ListSessions,
) {
  const rows = await ctx.db.query<SessionInSpace & { total: number }>(
    `WITH listed AS (
       SELECT s.* FROM sessions s JOIN projects p ON p.org_id = $1 AND p.id = s.project_id
       WHERE s.org_id = $1 AND p.slug = $4 AND (s.archived_at IS NOT NULL) = $5
         AND ${CAN_READ_SESSION} AND s.task_id IS NULL
     )
     SELECT ${SESSION_COLUMNS}, ${SPACE_COLUMNS}, (SELECT count(*) FROM listed) AS total
     FROM projects p LEFT JOIN (
       SELECT * FROM listed ORDER BY coalesce(last_message_at, created_at) DESC, position DESC
       LIMIT $6 OFFSET $7) s ON true
     WHERE p.org_id = $1 AND p.slug = $4
     ORDER BY coalesce(s.last_message_at, s.created_at) DESC, s.position DESC`,
    [...callerOf(ctx), slug, status === 'ARCHIVED', limit, (page - 1) * limit],
  );
  const items = rows.filter(
    (row): row is Space & SessionRow & { total: number } => row.id !== null,
  );
  return { space: rows[0], items, total: rows[0]?.total ?? 0 };
}

type NewSession = Pick<
  SessionRow,
  | 'id'
  | 'projectId'
  | 'access'
  | 'name'
  | 'description'
  | 'defaultAgent'
  | 'participantUserIds'
  | 'answersWithoutMention'
> & {
  /** Its first message gives it another name. */
  isUnnamed: boolean;
  /** Undefined: if it is the Project's first session that every member can read. */
  isForEveryone: boolean | undefined;
};

/** The session after a change, which travels in the same packet. */
async function readSession(ctx: UserContext, sessionId: string): Promise<SessionRow | undefined> {
  const [row] = await ctx.db.query<SessionRow>(
    `SELECT ${SESSION_COLUMNS} FROM sessions s WHERE s.org_id = $1 AND s.id = $3`,
    [ctx.orgId, ctx.actor.userId, sessionId],
  );
  return row;
}

/** Undefined if the Project was archived meanwhile. */
export async function insertSession(
  ctx: UserContext & { db: Transaction },
  session: NewSession,
): Promise<SessionRow | undefined> {
  const { id, projectId, access, name, description, defaultAgent, participantUserIds } = session;
  const [, , row] = await Promise.all([
    // Until the transaction ends, nobody archives it.
    ctx.db.query('SELECT 1 AS held FROM projects WHERE org_id = $1 AND id = $2 FOR SHARE', [
      ctx.orgId,
      projectId,
    ]),
    ctx.db.query(
      `INSERT INTO sessions (org_id, id, project_id, name, description, default_agent,
         participant_user_ids, access, created_by_id, answers_without_mention, named_by_turn_id,
         is_for_everyone)
       SELECT p.org_id, $3, p.id, $5, $6, $7, $8::text[], $9::text, $2, $11::boolean, $12::text,
         coalesce($10::boolean, $9::text = 'PROJECT' AND NOT EXISTS (SELECT 1 FROM sessions other
           WHERE other.org_id = $1 AND other.org_id = p.org_id AND other.project_id = $4
             AND other.access = 'PROJECT' AND other.task_id IS NULL))
       FROM projects p
       WHERE p.org_id = $1 AND p.id = $4 AND p.archived_at IS NULL`,
      [
        ctx.orgId,
        ctx.actor.userId,
        id,
        projectId,
        name,
        description,
        defaultAgent,
        participantUserIds,
        access,
        session.isForEveryone,
        session.answersWithoutMention,
        session.isUnnamed ? '' : null,
      ],
    ),
    readSession(ctx, id),
  ]);
  return row;
}

/** Makes a new session the place where the task is discussed. */
export async function setTask(
  { db, orgId }: Pick<UserContext, 'db' | 'orgId'>,
  sessionId: string,
  taskId: string,
): Promise<void> {
  await db.query('UPDATE sessions SET task_id = $3 WHERE org_id = $1 AND id = $2', [
    orgId,
    sessionId,
    taskId,
  ]);
}

/** Those who have left, without the participants who are added ($9): they follow it again. */
const WITHOUT_ADDED = `ARRAY(SELECT gone.id FROM unnest(s.left_user_ids) AS gone (id)
  WHERE NOT gone.id = ANY (coalesce($9::text[], '{}')) OR gone.id = ANY (s.participant_user_ids))`;

/** Undefined if meanwhile the session was archived, or the caller may no longer read it. */
export async function updateSession(
  ctx: UserContext & { db: Transaction },
  sessionId: string,
  { title, model, participantUserIds, answersWithoutMention, isForEveryone }: UpdateSession,
): Promise<SessionRow | undefined> {
  const updated = ctx.db.query(
    `UPDATE sessions s SET updated_at = now(), version = s.version + 1,
       title = CASE WHEN $5::boolean THEN $6 ELSE s.title END,
       model = CASE WHEN $7::boolean THEN $8 ELSE s.model END,
       participant_user_ids = coalesce($9, s.participant_user_ids),
       left_user_ids = ${WITHOUT_ADDED},
       answers_without_mention = coalesce($10, s.answers_without_mention),
       is_for_everyone = coalesce($11, s.is_for_everyone)
     FROM projects p
     WHERE s.org_id = $1 AND s.id = $4 AND s.archived_at IS NULL
       AND p.org_id = $1 AND p.id = s.project_id AND ${CAN_READ_SESSION}
     RETURNING 1 AS updated`,
    [
      ...callerOf(ctx),
      sessionId,
      title !== undefined,
      title,
      model !== undefined,
      model,
      participantUserIds,
      answersWithoutMention,
      isForEveryone,
    ],
  );
  return ifChanged(updated, readSession(ctx, sessionId));
}

async function ifChanged(
  changed: Promise<object[]>,
  read: Promise<SessionRow | undefined>,
): Promise<SessionRow | undefined> {
  const [rows, row] = await Promise.all([changed, read]);
  return rows.length === 1 ? row : undefined;
}

/**
 * If it has no name yet, or one from an earlier version of this turn. Its title is what people call it, and stays.
 */
export function nameSessionAtCommit(
  tx: Transaction,
  orgId: string,
  sessionId: string,
  { name, turnId }: { name: string; turnId: string },
): void {
  tx.atCommit(
    `UPDATE sessions SET name = $3, named_by_turn_id = $4
     WHERE org_id = $1 AND id = $2 AND named_by_turn_id IN ('', $4)`,
    [orgId, sessionId, name, turnId],
    { order: 'last', lock: sessionId },
  );
}

/** From now on, posts of the org look whether their session answers without a mention, or has no name. */
export function notePlainQuestionsAtCommit(tx: Transaction, orgId: string): void {
  tx.atCommit(
    'UPDATE orgs SET has_plain_questions = true WHERE id = $1 AND NOT has_plain_questions',
    [orgId],
  );
}

/** False if it was already archived, or the caller may no longer read it. Its archivedAt stays. */
export async function archiveSession(ctx: UserContext, sessionId: string): Promise<boolean> {
  const rows = await ctx.db.query(
    `UPDATE sessions s SET archived_at = now(), updated_at = now(), version = s.version + 1
     FROM projects p
     WHERE s.org_id = $1 AND s.id = $4 AND s.archived_at IS NULL
       AND p.org_id = $1 AND p.id = s.project_id AND ${CAN_READ_SESSION}
     RETURNING 1 AS archived`,
    [...callerOf(ctx), sessionId],
  );
  return rows.length === 1;
}

/** Undefined if it is not archived, or the caller may no longer read it. */
export async function restoreSession(
  ctx: UserContext & { db: Transaction },
  sessionId: string,
): Promise<SessionRow | undefined> {
  const restored = ctx.db.query(
    `UPDATE sessions s SET archived_at = NULL, updated_at = now(), version = s.version + 1
     FROM projects p
     WHERE s.org_id = $1 AND s.id = $4 AND s.archived_at IS NOT NULL
       AND p.org_id = $1 AND p.id = s.project_id AND ${CAN_READ_SESSION}
     RETURNING 1 AS restored`,
    [...callerOf(ctx), sessionId],
  );
  return ifChanged(restored, readSession(ctx, sessionId));
}

/** Every session of the org in the order of their ids, or only the caller's own that they can see. */
export function scanSessions(
  ctx: UserContext,
  { isOwn, after }: RecordQuery,
): Promise<ScannedRow<SessionRow>[]> {
  return ctx.db.query(
    `SELECT page.id AS at, ${SESSION_COLUMNS}
     FROM (SELECT id FROM sessions WHERE org_id = $1 AND id > $4 ORDER BY id LIMIT $6) page
     LEFT JOIN sessions s ON s.org_id = $1 AND s.id = page.id AND (NOT $5
       OR s.created_by_id = $2 AND EXISTS (SELECT 1 FROM projects p
         WHERE p.org_id = $1 AND p.id = s.project_id AND ${CAN_READ_SESSION}))
     ORDER BY page.id`,
    [...callerOf(ctx), after, isOwn, RECORDS_PER_PAGE],
  );
}
