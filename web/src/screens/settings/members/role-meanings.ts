import type { Role } from '../../../data/web-api.ts';

/** What each role may do, beyond what the one below it may. */
export const ROLE_MEANINGS: Record<Role, string> = {
  OWNER: 'Everything, also the plan, and who else is OWNER.',
  ADMIN:
    'Members and invitations, organisation keys, integrations, credits, the audit log, and all shared memories.',
  MEMBER: 'Projects, sessions, memory, and keys of their own.',
};
