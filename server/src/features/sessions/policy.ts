import { conflict, forbidden, notFound } from '../../errors.ts';

/** The place a path under `/spaces/{slug}` names: nothing of it is told to those who do not belong. */
export function requireSpace<S extends { isMember: boolean }>(space: S | undefined): S {
  if (!space) throw notFound('This Project');
  if (!space.isMember) {
    throw forbidden('not_project_member', 'You are not a member of this Project.');
  }
  return space;
}

export function requireLiveProject(space: { projectArchivedAt: Date | null }): void {
  if (space.projectArchivedAt !== null) throw projectArchived();
}

export function projectArchived(): Error {
  return conflict('project_archived', 'This Project is archived; it can be read, not changed.');
}

export function requireLiveSession(session: { archivedAt: Date | null }): void {
  if (session.archivedAt !== null) throw sessionArchived();
}

export function sessionArchived(): Error {
  return conflict('session_archived', 'This session is archived; it can be read, not changed.');
}
