import type { Queryable } from '../../db/types.ts';
import { isProjectMember } from '../projects/standing.ts';

/** What a stream may currently be sent. */
export interface Standing {
  webSessionId: string;
  /** The requested Projects that they belong to. */
  projectIds: string[];
}

/** One row for each session that is still valid and whose person is still in the org. */
export function findStandings(
  db: Queryable,
  orgId: string,
  webSessionIds: readonly string[],
  projectIds: readonly string[],
): Promise<Standing[]> {
  return db.query<Standing>(
    `SELECT s.id AS "webSessionId", ARRAY(
       SELECT p.id FROM projects p WHERE p.org_id = $1 AND p.id = ANY ($3)
         AND ${isProjectMember('m.user_id', 'm.role')}) AS "projectIds"
     FROM web_sessions s JOIN memberships m ON m.org_id = $1 AND m.user_id = s.user_id
     WHERE s.id = ANY ($2) AND s.expires_at > now()`,
    [orgId, webSessionIds, projectIds],
  );
}
