import type { Member } from '@atrium/sdk';
import type { Role } from '../../../data/web-api.ts';

/** What the current person may do to a member, and if not, why. */
export interface MemberRights {
  /** Roles that can be chosen. May be empty. */
  roles: Role[];
  whyNoRoles: string;
  mayRemove: boolean;
  whyNoRemoval: string;
}

const LAST_OWNER = 'The last owner can’t change role or leave. Make someone else an owner first.';

export function rightsOver(
  member: Member,
  me: { userId: string; role: Role },
  owners: number,
): MemberRights {
  const isSelf = member.userId === me.userId;
  const isLastOwner = member.role === 'OWNER' && owners === 1;
  if (me.role === 'MEMBER') {
    return { roles: [], whyNoRoles: '', mayRemove: isSelf, whyNoRemoval: '' };
  }
  if (me.role === 'ADMIN' && member.role === 'OWNER') {
    const why = 'Only an owner can change or remove an owner.';
    return { roles: [], whyNoRoles: why, mayRemove: false, whyNoRemoval: why };
  }
  if (isLastOwner) {
    return { roles: [], whyNoRoles: LAST_OWNER, mayRemove: false, whyNoRemoval: LAST_OWNER };
  }
  const roles: Role[] = me.role === 'OWNER' ? ['OWNER', 'ADMIN', 'MEMBER'] : ['ADMIN', 'MEMBER'];
  return { roles, whyNoRoles: '', mayRemove: true, whyNoRemoval: '' };
}
