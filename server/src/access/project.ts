import type { UserContext } from '../core/context.ts';
import { conflict, forbidden, notFound } from '../core/errors.ts';

/** Every feature refuses a Project this way: 404 if it is not there, 403 if the caller is not a member. */
export function requireProject<P extends { isMember: boolean }>(project: P | undefined): P {
  if (!project) throw notFound('This Project');
  if (!project.isMember) {
    throw forbidden('not_project_member', 'You are not a member of this Project.');
  }
  return project;
}

/** Changing a Project, its access or its members, and archiving it or a session. */
export function requireManager(
  ctx: UserContext,
  record: { createdById: string },
  kind: 'Project' | 'session' = 'Project',
): void {
  const { role, userId } = ctx.actor;
  if (role === 'OWNER' || role === 'ADMIN' || record.createdById === userId) return;
  throw forbidden('role', `Only the ${kind}'s creator, an OWNER or an ADMIN can do this.`);
}

export function requireLiveProject(archivedAt: Date | null): void {
  if (archivedAt !== null) throw projectArchived();
}

export function projectArchived(): Error {
  return conflict('project_archived', 'This Project is archived. It can be read but not changed.');
}
