import type { Role } from '../../data/web-api.ts';

/** What a role allows, in a sentence. */
export const ROLE_MEANS: Record<Role, string> = {
  OWNER: 'Owner: can do everything, including changing the plan and other owners.',
  ADMIN: 'Admin: can also manage members, keys, integrations and credits.',
  MEMBER: 'Member: can use projects, sessions and memory.',
};
