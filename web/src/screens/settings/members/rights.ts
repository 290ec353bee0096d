import type { Member } from '@atrium/sdk';
import type { Role } from '../../../data/web-api.ts';

/** What the current person may do to a member, and if not, why. */
export interface MemberRights {
  /** Roles that can be chosen. May be empty. */
  roles: Role[];
  mayRemove: boolean;
  /** Empty if nothing is to be said. */
  why: string;
}

const LAST_OWNER = 'The last owner can’t change role or leave. Make someone else an owner first.';

export function rightsOver(
  member: Pick<Member, 'userId' | 'role'>,
  me: { userId: string; role: Role },
  owners: number,
): MemberRights {
  if (me.role === 'MEMBER') {
    return { roles: [], mayRemove: member.userId === me.userId, why: '' };
  }
  if (me.role === 'ADMIN' && member.role === 'OWNER') {
    const why = 'Only an owner can change or remove an owner.';
    return { roles: [], mayRemove: false, why };
  }
  if (member.role === 'OWNER' && owners === 1) {
    return { roles: [], mayRemove: false, why: LAST_OWNER };
  }
  const roles: Role[] = me.role === 'OWNER' ? ['OWNER', 'ADMIN', 'MEMBER'] : ['ADMIN', 'MEMBER'];
  return { roles, mayRemove: true, why: '' };
}
