import type { Context, Role } from '../../core/context.ts';
import { IS_PROJECT_MEMBER } from '../../access/standing.ts';

/** The person or key on whose behalf memory is read. Every query of this feature takes one. */
export interface Reader {
  orgId: string;
  /** Null for readers that see no PRIVATE memory: v1 keys, and agents, whose replies others read. */
  userId: string | null;
  role: Role;
  /** Only these Projects. Null: all Projects the reader is a member of. */
  projectIds: string[] | null;
  /** True if people outside the organisation read along, so that its ORG memory is left out. */
  isOverheard?: boolean;
}

/** A v1 key sees what an OWNER without PRIVATE memories would see. */
export function readerOf({ orgId, actor }: Pick<Context, 'orgId' | 'actor'>): Reader {
  return actor.kind === 'user'
    ? { orgId, userId: actor.userId, role: actor.role, projectIds: null }
    : { orgId, userId: null, role: 'OWNER', projectIds: null };
}

/** The first four parameters of every query that reads memory. The last one names scopes: ORG, and Projects. */
export function readerParameters(
  reader: Reader,
): [orgId: string, userId: string | null, role: Role, scopes: string[] | null] {
  const { orgId, userId, role, projectIds, isOverheard = false } = reader;
  const scopes = projectIds && [...(isOverheard ? [] : ['ORG']), ...projectIds];
  return [orgId, userId, role, scopes];
}

/**
 * What the reader ($1 to $4) may see, as an array of scopes: the org's, their current Projects' and their
 * own. This is the only place that defines it; every part of every query compares `scope` with it.
 */
export const VISIBLE_SCOPES = `ARRAY(SELECT 'ORG' WHERE $4::text[] IS NULL OR 'ORG' = ANY ($4)
  UNION ALL SELECT $2::text WHERE $2 IS NOT NULL
  UNION ALL SELECT p.id FROM projects p
  WHERE p.org_id = $1 AND ($4::text[] IS NULL OR p.id = ANY ($4)) AND ${IS_PROJECT_MEMBER})`;
