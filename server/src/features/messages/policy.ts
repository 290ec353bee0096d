import { conflict, invalidValue, notFound } from '../../core/errors.ts';
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

/** What is in a branch that is not shown can't be asked again. */
export function branchInactive(): Error {
  const message = 'This message is in a branch that is not shown. Switch to the branch first.';
  return conflict('branch_inactive', message);
}

export function messageDeleted(): Error {
  return conflict('message_deleted', 'This message was deleted.');
}

export function badParent(location: string): Error {
  return invalidValue(location, 'is not a top-level message in this session');
}
