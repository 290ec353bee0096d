import type { Role } from '../../data/web-api.ts';

/** What an invited person will be, in a sentence. */
export const ROLE_MEANS: Record<Role, string> = {
  OWNER: 'Owner: decides on everything, also the plan and other owners.',
  ADMIN: 'Admin: also sees to members, keys, integrations and credits.',
  MEMBER: 'Member: works with Projects, sessions and memory.',
};
