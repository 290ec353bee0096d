import { isProjectMember } from './standing.ts';

/**
 * Whether a person may read session s of Project p, in org $1. A private session is for its participants
 * only, whatever the role of the others. The only place that decides this.
 */
export function canReadSession(person: string, role: string): string {
  return `(${isProjectMember(person, role)} AND ${canReadInProject(person)})`;
}

/** The half of it that is left if the person is known to belong to the Project of session s. */
export function canReadInProject(person: string): string {
  return `(s.access = 'PROJECT' OR ${person} = ANY (s.participant_user_ids))`;
}

/** The same for the caller, with the parameters of `callerOf`. Part of every query of sessions or messages. */
export const CAN_READ_SESSION = canReadSession('$2', '$3::text');

/** The people who alone may read session s. Null if every member of its Project may. */
export const ONLY_READERS = `CASE WHEN s.access = 'PROJECT' THEN NULL ELSE s.participant_user_ids END`;

/** Whether a member of the Project may read a session, by its ONLY_READERS. Undefined: no such session. */
export function isReader(
  onlyReaders: readonly string[] | null | undefined,
  userId: string,
): boolean {
  return onlyReaders === null || (onlyReaders?.includes(userId) ?? false);
}

export const MOST_PARTICIPANTS = 200;

/** The participants of session s, and this person, unless it is null. A full list stays as it is. */
export const withParticipant = (person: string) => `CASE WHEN ${person}::text IS NULL
    OR ${person} = ANY (s.participant_user_ids)
    OR cardinality(s.participant_user_ids) >= ${MOST_PARTICIPANTS} THEN s.participant_user_ids
  ELSE array_append(s.participant_user_ids, ${person}) END`;
