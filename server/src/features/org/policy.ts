import type { Role, UserContext } from '../../context.ts';
import { conflict, forbidden } from '../../errors.ts';
import type { MemberRow } from './store.ts';

/** OWNERs may change everybody; ADMINs everybody but OWNERs, and cannot make one. */
export function requireRoleChange(ctx: UserContext, member: MemberRow, role: Role): void {
  if (ctx.actor.role === 'OWNER') return;
  if (ctx.actor.role === 'ADMIN' && member.role !== 'OWNER' && role !== 'OWNER') return;
  throw forbidden('role', 'Only an OWNER may change an OWNER, or make one.');
}

export function requireRemoval(ctx: UserContext, member: MemberRow): void {
  const { role, userId } = ctx.actor;
  if (role === 'OWNER' || member.userId === userId) return;
  if (role === 'ADMIN' && member.role !== 'OWNER') return;
  throw forbidden(
    'role',
    'Only an OWNER may remove an OWNER, and only an OWNER or ADMIN a member.',
  );
}

/** An org without an OWNER could never get one again. */
export function requireAnotherOwner(member: MemberRow, owners: number): void {
  if (member.role !== 'OWNER' || owners > 1) return;
  throw conflict('last_owner', 'This is the last OWNER of the org; make somebody else one first.');
}
