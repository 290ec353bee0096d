import type { Role, UserContext } from '../core/context.ts';

/** Whether a person belongs to Project p of org $1. The only place that decides this. */
export function isProjectMember(person: string, role: string): string {
  return `(p.access = 'ORG' OR ${role} IN ('OWNER', 'ADMIN')
  OR p.created_by_id = ${person} OR EXISTS (SELECT 1 FROM project_members pm
    WHERE pm.org_id = $1 AND pm.project_id = p.id AND pm.user_id = ${person}))`;
}

/** The same for the caller ($2 person, $3 role), for every feature that works inside a Project. */
export const IS_PROJECT_MEMBER = isProjectMember('$2', '$3::text');

/**
 * Since when the caller ($2) sees Project p. What was said before counts as read. People who see it for
 * several reasons have seen it since the first of them.
 */
export const SEES_SINCE = `(SELECT greatest(member.joined_at, least(
    CASE WHEN p.created_by_id = $2 THEN '-infinity'::timestamptz END,
    CASE WHEN p.access = 'ORG' THEN coalesce(p.opened_at, '-infinity') END,
    CASE WHEN member.role <> 'MEMBER' THEN coalesce(member.promoted_at, '-infinity') END,
    (SELECT pm.added_at FROM project_members pm
      WHERE pm.org_id = $1 AND pm.project_id = p.id AND pm.user_id = $2)))
  FROM memberships member WHERE member.org_id = $1 AND member.user_id = $2)`;

/** The first three parameters of every query that needs the caller's rights in a Project. */
export function callerOf(ctx: UserContext): [orgId: string, userId: string, role: Role] {
  return [ctx.orgId, ctx.actor.userId, ctx.actor.role];
}
