import type { UserContext } from '../../context.ts';
import { conflict, forbidden } from '../../errors.ts';
import type { ProjectRow } from './store.ts';

export function requireMember(project: { isMember: boolean }): void {
  if (!project.isMember) {
    throw forbidden('not_project_member', 'You are not a member of this Project.');
  }
}

/** Changing a Project, its access or its members is for its creator, OWNERs and ADMINs. */
export function requireManager(ctx: UserContext, project: ProjectRow): void {
  const { role, userId } = ctx.actor;
  if (role === 'OWNER' || role === 'ADMIN' || project.createdById === userId) return;
  throw forbidden('role', "This is for the Project's creator, an OWNER or an ADMIN.");
}

export function requireLive(project: ProjectRow): void {
  if (project.archivedAt !== null) throw archived();
}

export function archived(): Error {
  return conflict('project_archived', 'This Project is archived; it can be read, not changed.');
}
