import { canReadSession } from './readable.ts';

/**
 * Who follows session s of org $1, as SQL. This is the only place that decides it. Those who have a row do, because
 * they chose to or were mentioned. Unless they left, so do participants, which includes whoever made the session or
 * wrote in it, and in a session for everyone every member of the Project.
 */
export function isFollowed(person: string): string {
  return `(${followsUnasked(person)} OR EXISTS (SELECT 1 FROM followed_sessions followed
    WHERE followed.org_id = $1 AND followed.user_id = ${person} AND followed.session_id = s.id))`;
}

/** Up to so many people who follow session s of Project p and may read it, those who take part in it first. */
export const followersWhere = (condition: string, most: number) => `
  SELECT follower.user_id FROM memberships follower WHERE follower.org_id = $1 AND ${condition}
    AND ${canReadSession('follower.user_id', 'follower.role')} AND ${isFollowed('follower.user_id')}
  ORDER BY follower.user_id = ANY (s.participant_user_ids) DESC, follower.user_id LIMIT ${most}`;

/** The same for the caller ($2). */
export const IS_FOLLOWED = isFollowed('$2');

/**
 * The same for a query of many sessions: the ids are read once, each kind from its index, so that it costs as
 * much as they are, however many sessions there are.
 */
const WITH_ROW = `SELECT followed.session_id FROM followed_sessions followed
    WHERE followed.org_id = $1 AND followed.user_id = $2`;
const FOLLOWED_IDS = `${WITH_ROW}
  UNION ALL SELECT joined.id FROM sessions joined
    WHERE joined.org_id = $1 AND joined.participant_user_ids @> ARRAY[$2::text]
      AND NOT $2 = ANY (joined.left_user_ids)
  UNION ALL SELECT opened.id FROM sessions opened
    WHERE opened.org_id = $1 AND opened.is_for_everyone AND NOT $2 = ANY (opened.left_user_ids)`;

export const IS_AMONG_FOLLOWED = `(${followsUnasked('$2')} OR s.id IN (${WITH_ROW}))`;
export const ONLY_FOLLOWED = `s.id = ANY (ARRAY(${FOLLOWED_IDS}))`;

function followsUnasked(person: string): string {
  return `((s.is_for_everyone OR ${person} = ANY (s.participant_user_ids))
    AND NOT ${person} = ANY (s.left_user_ids))`;
}

/** Those who have left session s, without this person, who writes in it. Mostly it stays as it is. */
export const withoutWriter = (person: string) => `CASE WHEN ${person}::text = ANY (s.left_user_ids)
  THEN array_remove(s.left_user_ids, ${person}) ELSE s.left_user_ids END`;

export const LEVELS = ['ALL', 'MENTIONS', 'NONE'] as const;
/** What a person is told about in a session: everything, only what is said to them, or nothing. */
export type Level = (typeof LEVELS)[number];

/** The level that a person has chosen for a session. */
export const levelOf = (person: string, sessionId: string) => `coalesce((
    SELECT muted.level FROM muted_sessions muted WHERE muted.org_id = $1
      AND muted.session_id = ${sessionId} AND muted.user_id = ${person}), 'ALL')`;
