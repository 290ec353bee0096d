import { conflict, invalid, invalidValue, notFound } from '../../core/errors.ts';
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

/** A message says something, or has a file. What is only white space says nothing. */
export function requireContent(body: string | undefined, hasFiles: boolean): string {
  if (body !== undefined && body.trim() !== '') return body;
  if (hasFiles) return '';
  const message = body === undefined ? 'is required' : 'must not be empty';
  throw invalid([{ location: 'body.body', code: 'required', message }]);
}

export function messageDeleted(): Error {
  return conflict('message_deleted', 'This message was deleted.');
}

export function badParent(location: string): Error {
  return invalidValue(location, 'is not a top-level message in this session');
}
