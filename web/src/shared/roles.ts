import type { Role } from '../data/web-api.ts';

/** What each role is called. */
export const ROLE_NAMES: Record<Role, string> = {
  OWNER: 'Owner',
  ADMIN: 'Admin',
  MEMBER: 'Member',
};

/** What each role may do, beyond what the one below it may. */
export const ROLE_MEANINGS: Record<Role, string> = {
  OWNER: 'Everything, including the plan and who else is an owner.',
  ADMIN:
    'Members and invitations, organisation keys, integrations, credits, the audit log and all shared memories.',
  MEMBER: 'Projects, sessions, memory and their own keys.',
};
