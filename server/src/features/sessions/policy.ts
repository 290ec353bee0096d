import { conflict } from '../../errors.ts';

export function requireLiveSession(session: { archivedAt: Date | string | null }): void {
  if (session.archivedAt !== null) throw sessionArchived();
}

export function sessionArchived(): Error {
  return conflict('session_archived', 'This session is archived. It can be read but not changed.');
}
