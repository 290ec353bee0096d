import type { Queryable } from '../db/types.ts';
import { IS_OWN_PROJECT } from './direct.ts';
import { isProjectMember } from './standing.ts';

/** Any two members share a Project that is open to all, which one lookup finds for everybody. */
const SHARE_A_PROJECT = `(EXISTS (SELECT 1 FROM projects p WHERE p.org_id = $1 AND p.access = 'ORG'
    AND ${IS_OWN_PROJECT})
  OR EXISTS (SELECT 1 FROM projects p WHERE p.org_id = $1 AND ${IS_OWN_PROJECT}
    AND ${isProjectMember('other.user_id', 'other.role')} AND ${isProjectMember('m.user_id', 'm.role')}))`;

/** Which of the others each of these people shares a Project with. Without anybody who has left the org. */
export async function findSharers(
  db: Queryable,
  orgId: string,
  userIds: readonly string[],
  others: readonly string[],
): Promise<Map<string, ReadonlySet<string>>> {
  if (userIds.length === 0 || others.length === 0) return new Map();
  const rows = await db.query<{ userId: string; others: string[] }>(
    `SELECT m.user_id AS "userId", ARRAY(SELECT other.user_id FROM memberships other
       WHERE other.org_id = $1 AND other.user_id = ANY ($3) AND ${SHARE_A_PROJECT}) AS others
     FROM memberships m WHERE m.org_id = $1 AND m.user_id = ANY ($2)`,
    [orgId, userIds, others],
  );
  return new Map(rows.map((row) => [row.userId, new Set(row.others)]));
}
