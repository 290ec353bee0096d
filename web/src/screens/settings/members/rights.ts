import type { Member } from '@atrium/sdk';
import type { Role } from '../../../data/web-api.ts';

/** What the person who looks may do with a member, and why not where they may not. */
export interface MemberRights {
  /** Roles that can be chosen; empty where none can. */
  roles: Role[];
  whyNoRoles: string;
  mayRemove: boolean;
  whyNoRemoval: string;
}

const LAST_OWNER =
  'The last OWNER can neither change role nor leave. Make somebody else OWNER first.';

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
    const why = 'Only an OWNER may change or remove an OWNER.';
    return { roles: [], whyNoRoles: why, mayRemove: false, whyNoRemoval: why };
  }
  if (isLastOwner) {
    return { roles: [], whyNoRoles: LAST_OWNER, mayRemove: false, whyNoRemoval: LAST_OWNER };
  }
  const roles: Role[] = me.role === 'OWNER' ? ['OWNER', 'ADMIN', 'MEMBER'] : ['ADMIN', 'MEMBER'];
  return { roles, whyNoRoles: '', mayRemove: true, whyNoRemoval: '' };
}
