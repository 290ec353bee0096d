import type { UserContext } from '../../../core/context.ts';
import type { OrgTransaction, Transaction } from '../../../db/types.ts';
import { MAY_BROADCAST } from '../../../access/broadcasts.ts';
import { followersWhere, isFollowed, type Level } from '../../../access/following.ts';
import { canReadInProject } from '../../../access/readable.ts';
import { callerOf } from '../../../access/standing.ts';
import { MOST_REACHED } from '../../../text/group-words.ts';

/** Whether `person` is one of those in $3, may read session $2, and does not follow it. */
const isNew = (person: string) => `s.org_id = $1 AND s.id = $2 AND ${person} = ANY ($3::text[])
  AND ${canReadInProject(person)} AND NOT ${isFollowed(person)}`;

/** They start with everything read that was said up to there. */
const follow = (
  position: string,
) => `INSERT INTO followed_sessions (org_id, user_id, session_id, position)
  SELECT $1::text, person.user_id, s.id, ${position} FROM memberships person
  JOIN sessions s ON ${isNew('person.user_id')}
  WHERE person.org_id = $1
  ORDER BY person.user_id
  ON CONFLICT (org_id, user_id, session_id) DO NOTHING`;

const FOLLOW_FROM_NOW = follow('s.last_position');
const FOLLOW_FROM_MESSAGE = follow('s.last_position - 1');

/** The same for the threads that they take part in. */
const START_THREADS = `UPDATE thread_marks mark SET position = greatest(mark.position, s.last_position)
  FROM sessions s
  WHERE mark.org_id = $1 AND mark.session_id = $2 AND mark.takes_part AND ${isNew('mark.user_id')}`;

/**
 * Those whom a message mentions follow its session from then on, and only it and what comes after it is unread for
 * them. Sent with COMMIT, after the message, whose position is the session's last one until then.
 */
export function followMentionedAtCommit(
  { db, orgId }: OrgTransaction,
  { sessionId, mentionedUserIds }: { sessionId: string; mentionedUserIds: readonly string[] },
): void {
  const values = [orgId, sessionId, mentionedUserIds];
  db.atCommit(FOLLOW_FROM_MESSAGE, values, { order: 'last', lock: sessionId });
}

/** From now on the caller follows the session, whose row is locked so that nothing is said meanwhile. */
export async function saveFollow(
  { db, orgId, actor }: UserContext & { db: Transaction },
  sessionId: string,
): Promise<void> {
  const values = [orgId, sessionId, [actor.userId]];
  await Promise.all([
    db.query('SELECT 1 AS locked FROM sessions WHERE org_id = $1 AND id = $2 FOR NO KEY UPDATE', [
      orgId,
      sessionId,
    ]),
    db.query(START_THREADS, values),
    db.query(FOLLOW_FROM_NOW, values),
  ]);
}

/**
 * Nobody has to be a participant of a session that the whole Project reads, so they are taken out of it. In a
 * private one they stay, because that is what lets them read it.
 */
export async function saveLeave(
  { db, orgId, actor }: UserContext & { db: Transaction },
  sessionId: string,
): Promise<void> {
  const values = [orgId, sessionId, actor.userId];
  await Promise.all([
    db.query(
      `UPDATE sessions s SET version = s.version + 1,
         left_user_ids = array_append(array_remove(s.left_user_ids, $3), $3),
         participant_user_ids = CASE WHEN s.access = 'PROJECT'
           THEN array_remove(s.participant_user_ids, $3) ELSE s.participant_user_ids END
       WHERE s.org_id = $1 AND s.id = $2`,
      values,
    ),
    // What they had read when they began to follow stays read.
    db.query(
      `INSERT INTO read_marks AS mark (org_id, session_id, user_id, position)
       SELECT org_id, session_id, user_id, position FROM followed_sessions
       WHERE org_id = $1 AND session_id = $2 AND user_id = $3 AND position > 0
       ON CONFLICT (org_id, session_id, user_id)
         DO UPDATE SET position = greatest(mark.position, excluded.position)`,
      values,
    ),
    db.query(
      'DELETE FROM followed_sessions WHERE org_id = $1 AND session_id = $2 AND user_id = $3',
      values,
    ),
  ]);
}

export interface Reach {
  mayBroadcast: boolean;
  here: number;
  everyone: number;
}

const countFollowers = (condition: string) =>
  `(SELECT count(*) FROM (${followersWhere(
    `follower.user_id <> $2 AND ${condition}`,
    MOST_REACHED,
  )}) reached)`;

/** How many followers of the session the caller would reach, and how many of those who are there. */
export async function countReach(
  ctx: UserContext,
  sessionId: string,
  present: readonly string[],
): Promise<Reach> {
  const [row] = await ctx.db.query<Reach>(
    `SELECT ${MAY_BROADCAST} AS "mayBroadcast", ${countFollowers('true')} AS everyone,
       ${countFollowers('follower.user_id = ANY ($5)')} AS here
     FROM sessions s JOIN projects p ON p.org_id = $1 AND p.id = s.project_id
     WHERE s.org_id = $1 AND s.id = $4`,
    [...callerOf(ctx), sessionId, present],
  );
  return row ?? { mayBroadcast: false, here: 0, everyone: 0 };
}

/** Everything is what people are told who have not chosen. */
export async function saveLevel(
  { db, orgId, actor }: UserContext,
  sessionId: string,
  level: Level,
): Promise<void> {
  const values = [orgId, sessionId, actor.userId];
  if (level === 'ALL') {
    await db.query(
      'DELETE FROM muted_sessions WHERE org_id = $1 AND session_id = $2 AND user_id = $3',
      values,
    );
    return;
  }
  await db.query(
    `INSERT INTO muted_sessions (org_id, session_id, user_id, level) VALUES ($1, $2, $3, $4)
     ON CONFLICT (org_id, session_id, user_id) DO UPDATE SET level = excluded.level`,
    [...values, level],
  );
}
