import { conflict, invalid, invalidValue } from '../../core/errors.ts';
import type { SessionRow } from './store.ts';

export function requireLiveSession(session: { archivedAt: Date | string | null }): void {
  if (session.archivedAt !== null) throw sessionArchived();
}

export function sessionArchived(): Error {
  return conflict('session_archived', 'This session is archived. It can be read but not changed.');
}

/** Its people are what a direct conversation is. With others, or fewer, it would be another one. */
export function requireInProject({ kind }: Pick<SessionRow, 'kind'>, message: string): void {
  if (kind === 'DIRECT') throw conflict('direct_session', message);
}

/** A private session is for those whom its participants choose. */
export function requireForAll(
  { access }: Pick<SessionRow, 'access'>,
  isForEveryone: boolean | undefined,
): void {
  if (access === 'PROJECT' || !isForEveryone) return;
  throw invalidValue('body.isForEveryone', 'must be false for a private session');
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
