import type { Role, UserContext } from '../../context.ts';

/** Whether a person belongs to Project p of org $1. The only place that decides this. */
export function isProjectMember(person: string, role: string): string {
  return `(p.access = 'ORG' OR ${role} IN ('OWNER', 'ADMIN')
  OR p.created_by_id = ${person} OR EXISTS (SELECT 1 FROM project_members pm
    WHERE pm.org_id = $1 AND pm.project_id = p.id AND pm.user_id = ${person}))`;
}

/** The same for the caller ($2 person, $3 role), for every feature that works inside a Project. */
export const IS_PROJECT_MEMBER = isProjectMember('$2', '$3::text');

/** The first three parameters of every query that needs the caller's rights in a Project. */
export function callerOf(ctx: UserContext): [orgId: string, userId: string, role: Role] {
  return [ctx.orgId, ctx.actor.userId, ctx.actor.role];
}
