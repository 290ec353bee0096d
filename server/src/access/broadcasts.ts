/** Who may use @here and @everyone in a Project. */
export const BROADCAST_RULES = ['EVERYONE', 'ADMINS', 'NOBODY'] as const;
export type BroadcastRule = (typeof BROADCAST_RULES)[number];

/**
 * Whether the caller ($2 person, $3 role), who belongs to Project p, may use them there. The only place that
 * decides this.
 */
export const MAY_BROADCAST = `(p.broadcasts = 'EVERYONE' OR p.broadcasts = 'ADMINS'
  AND ($3::text IN ('OWNER', 'ADMIN') OR p.created_by_id = $2))`;
