import type { Role, UserContext } from '../../context.ts';

/**
 * Whether the caller ($1 org, $2 person, $3 role) belongs to Project p. The one place that says so,
 * for the queries of every feature that lives inside Projects.
 */
export const IS_PROJECT_MEMBER = `(p.access = 'ORG' OR $3::text IN ('OWNER', 'ADMIN')
  OR p.created_by_id = $2 OR EXISTS (SELECT 1 FROM project_members pm
    WHERE pm.org_id = $1 AND pm.project_id = p.id AND pm.user_id = $2))`;

/** The first three parameters of every query that asks for the caller's standing. */
export function callerOf(ctx: UserContext): [orgId: string, userId: string, role: Role] {
  return [ctx.orgId, ctx.actor.userId, ctx.actor.role];
}
