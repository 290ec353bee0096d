import { conflict, invalid } from '../../core/errors.ts';
import type { SessionRow } from './store.ts';

export function requireLiveSession(session: { archivedAt: Date | string | null }): void {
  if (session.archivedAt !== null) throw sessionArchived();
}

export function sessionArchived(): Error {
  return conflict('session_archived', 'This session is archived. It can be read but not changed.');
}

/** Without participants, nobody could ever read a private session again. */
export function requireSomeone(
  { access }: Pick<SessionRow, 'access'>,
  participantUserIds: readonly string[],
): void {
  if (access === 'PROJECT' || participantUserIds.length > 0) return;
  const message = 'must name at least one participant of a private session';
  throw invalid([{ location: 'body.participantUserIds', code: 'too_few', message }]);
}
