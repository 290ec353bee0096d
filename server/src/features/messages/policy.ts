import { conflict, invalid, notFound } from '../../core/errors.ts';
import { requireLiveProject, requireProject } from '../../access/project.ts';
import { requireLiveSession } from '../sessions/service.ts';
import type { MessageRow, SessionAccess } from './store.ts';

export function requireSession<A extends SessionAccess>(found: A | undefined): A {
  const access = requireProject(found);
  if (access.foundSessionId === null) throw notFound('This session');
  return access;
}

export function requireWritableSession<A extends SessionAccess>(found: A | undefined): A {
  const access = requireSession(found);
  requireLiveProject(access.projectArchivedAt);
  requireLiveSession(access);
  return access;
}

export function requireWritable(access: SessionAccess, message: MessageRow): void {
  requireLiveProject(access.projectArchivedAt);
  requireLiveSession(access);
  if (message.deletedAt !== null) throw messageDeleted();
}

export function messageDeleted(): Error {
  return conflict('message_deleted', 'This message was deleted.');
}

export function badParent(location: string): Error {
  const message = 'is not a top-level message in this session';
  return invalid([{ location, code: 'invalid_value', message }]);
}
