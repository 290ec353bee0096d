import { IS_PROJECT_MEMBER, SEES_SINCE } from './standing.ts';
import { canReadInProject } from './readable.ts';
import { IS_AMONG_FOLLOWED, IS_FOLLOWED, ONLY_FOLLOWED } from './following.ts';

/**
 * What the caller ($2) has not read in session s of org $1, as SQL. This is the only place that decides
 * it. In a session that they don't follow, nothing is unread. `seen` is a row with how far they have read:
 * `position`, and `since` (nothing older counts).
 */

/**
 * Ends a sub-query that the planner must not merge into the one around it. Otherwise it would compute a
 * column wherever it is used, or read every reply in the org to find those in a few threads.
 */
const SEPARATELY = 'OFFSET 0';

/**
 * The sessions `s` that the caller ($2, role $3) may read, in Projects `place`, which they have seen since
 * then. Every query across Projects begins with it.
 */
export const CALLERS_SESSIONS = `(SELECT p.id, ${SEES_SINCE} AS since FROM projects p
    WHERE p.org_id = $1 AND p.archived_at IS NULL AND ${IS_PROJECT_MEMBER} ${SEPARATELY}) place
  JOIN sessions s ON s.org_id = $1 AND s.project_id = place.id AND ${canReadInProject('$2')}`;

/** Those among them that the caller follows. Costs as much as they are. */
export const FOLLOWED_SESSIONS = `${CALLERS_SESSIONS} AND ${ONLY_FOLLOWED}`;

/** Counting ends here: 100 means 100 or more. */
const MOST_COUNTED = 100;
/** Of a session, only this many of the newest messages are looked at. Positions have no gaps. */
const LOOKED_AT = 500;

/**
 * The columns of `seen`, from the caller's read mark `mark` (or none), the row `started` (or none) that says since
 * which message they follow, and when they came to see the Project.
 */
const SEEN_COLUMNS = `greatest(mark.position, started.position, 0) AS position, place.since AS joined_at,
  CASE WHEN mark.set_back_at >= place.since THEN '-infinity'::timestamptz ELSE place.since END AS since`;

export const SEEN_OF_MARK = `(SELECT ${SEEN_COLUMNS} ${SEPARATELY})`;

export const HAS_MARK = `mark.org_id = $1 AND mark.session_id = s.id AND mark.user_id = $2`;
const HAS_STARTED = `started.org_id = $1 AND started.session_id = s.id AND started.user_id = $2`;

/** The rows that `seen` is made of. */
export const MARKS = `LEFT JOIN read_marks mark ON ${HAS_MARK}
  LEFT JOIN followed_sessions started ON ${HAS_STARTED}`;

/** How far the caller has read session s. */
const SEEN = `(SELECT ${SEEN_COLUMNS}
  FROM (SELECT ${SEES_SINCE} AS since FROM projects p
    WHERE p.org_id = $1 AND p.id = s.project_id ${SEPARATELY}) place
  ${MARKS} ${SEPARATELY})`;

const countsFor = (message: string) =>
  `${message}.deleted_at IS NULL AND ${message}.inactive_branch_id IS NULL
    AND ${message}.author_user_id IS DISTINCT FROM $2`;

const OLDEST_LOOKED_AT = `greatest(seen.position, s.last_position - ${LOOKED_AT})`;

/** Above the read mark, except replies that were read in their thread. */
const ABOVE_MARK = `SELECT m.id, m.position, m.parent_message_id FROM messages m
  WHERE m.org_id = $1 AND m.session_id = s.id AND m.position > ${OLDEST_LOOKED_AT}
    AND ${countsFor('m')} AND m.created_at >= seen.since
    AND NOT EXISTS (SELECT 1 FROM thread_marks opened
      WHERE opened.org_id = $1 AND opened.user_id = $2
        AND opened.parent_message_id = m.parent_message_id AND opened.position >= m.position)`;

/** Whether the caller takes part in thread t. */
export const TAKES_PART = `t.org_id = $1 AND t.user_id = $2 AND t.takes_part`;

/** The replies `reply` of thread t that the caller has not read in it, also from before they joined. */
const NEWS = `reply.org_id = $1 AND reply.parent_message_id = t.parent_message_id
  AND reply.position > t.position AND ${countsFor('reply')}`;

export const HAS_NEWS = `EXISTS (SELECT 1 FROM messages reply WHERE ${NEWS} ${SEPARATELY})`;

/** The unread replies `reply` of thread t, for somebody who has seen the Project since then. */
export const unreadReply = (since: string) => `${NEWS}
  AND (reply.created_at >= ${since} OR t.set_back_at >= ${since})`;

/** The rest, in threads that the caller takes part in and has not opened since. */
const IN_THREADS = `SELECT reply.id, reply.position, reply.parent_message_id
  FROM thread_marks t JOIN messages reply ON ${unreadReply('seen.joined_at')}
    AND (reply.position <= ${OLDEST_LOOKED_AT} OR reply.created_at < seen.since)
  WHERE ${TAKES_PART} AND t.session_id = s.id`;

const COUNTED = `(SELECT count(*) FROM (
  ${ABOVE_MARK} UNION ALL ${IN_THREADS} LIMIT ${MOST_COUNTED}) unread)`;

/** The number of unread messages of session s, next to `seen`. Sessions without news cost no lookup. */
export const UNREAD_IN_SEEN = `CASE
  WHEN ${IS_AMONG_FOLLOWED} AND (s.last_position > seen.position AND s.last_message_at >= seen.since
    OR s.id IN (SELECT t.session_id FROM thread_marks t WHERE ${TAKES_PART} AND ${HAS_NEWS}))
  THEN ${COUNTED} ELSE 0 END`;

/** The same for a query that has only s. */
export const UNREAD_COUNT = `CASE WHEN ${IS_FOLLOWED}
  THEN (SELECT ${COUNTED} FROM ${SEEN} seen) ELSE 0 END`;

/** The first unread message of session s outside its threads, or null. */
export const FIRST_UNREAD = `(SELECT first.id FROM ${SEEN} seen
  CROSS JOIN LATERAL (SELECT above.id FROM (${ABOVE_MARK}) above
    WHERE above.parent_message_id IS NULL ORDER BY above.position LIMIT 1) first
  WHERE ${IS_FOLLOWED})`;
