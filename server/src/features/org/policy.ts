import type { Role, UserContext } from '../../core/context.ts';
import { conflict, forbidden } from '../../core/errors.ts';
import type { MemberRow } from './store.ts';

/** An OWNER may change anyone. An ADMIN may change anyone except OWNERs, and can't make an OWNER. */
export function requireRoleChange(ctx: UserContext, member: MemberRow, role: Role): void {
  if (ctx.actor.role === 'OWNER') return;
  if (ctx.actor.role === 'ADMIN' && member.role !== 'OWNER' && role !== 'OWNER') return;
  throw forbidden(
    'role',
    'Only an OWNER may change the role of an OWNER or make someone an OWNER.',
  );
}

export function requireRemoval(ctx: UserContext, member: MemberRow): void {
  const { role, userId } = ctx.actor;
  if (role === 'OWNER' || member.userId === userId) return;
  if (role === 'ADMIN' && member.role !== 'OWNER') return;
  throw forbidden(
    'role',
    'Only an OWNER or ADMIN may remove other members, and only an OWNER may remove an OWNER.',
  );
}

/** Without an OWNER, nobody could ever make one again. */
export function requireAnotherOwner(member: MemberRow, owners: number): void {
  if (member.role !== 'OWNER' || owners > 1) return;
  throw conflict(
    'last_owner',
    'This is the last OWNER of the organisation. Make someone else an OWNER first.',
  );
}
