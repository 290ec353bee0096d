import type { Queryable } from '../../db/types.ts';
import { IS_LIVE_KEY } from '../../access/live-key.ts';
import { isProjectMember } from '../../access/standing.ts';
import { ONLY_READERS } from '../../access/readable.ts';

/** What a stream may currently be sent. */
export interface Standing {
  credentialId: string;
  /** The requested Projects that they belong to. */
  projectIds: string[];
}

/** The requested Projects of the member `m`. */
const PROJECT_IDS = `ARRAY(SELECT p.id FROM projects p WHERE p.org_id = $1 AND p.id = ANY ($3)
  AND ${isProjectMember('m.user_id', 'm.role')}) AS "projectIds"`;

/** One row for each web session and key that still works and whose person is still in the org. */
export function findStandings(
  db: Queryable,
  orgId: string,
  credentialIds: readonly string[],
  projectIds: readonly string[],
): Promise<Standing[]> {
  return db.query<Standing>(
    `SELECT s.id AS "credentialId", ${PROJECT_IDS}
     FROM web_sessions s JOIN memberships m ON m.org_id = $1 AND m.user_id = s.user_id
     WHERE s.id = ANY ($2) AND s.expires_at > now()
     UNION ALL
     SELECT k.id, ${PROJECT_IDS}
     FROM api_keys k JOIN memberships m ON m.org_id = $1 AND m.user_id = k.user_id
     WHERE k.id = ANY ($2) AND k.org_id = $1 AND ${IS_LIVE_KEY} AND 'messages:read' = ANY (k.scopes)`,
    [orgId, credentialIds, projectIds],
  );
}

/** The people who alone may read each of these sessions; null if every member of its Project may. */
export async function findOnlyReaders(
  db: Queryable,
  orgId: string,
  sessionIds: readonly string[],
): Promise<Map<string, string[] | null>> {
  if (sessionIds.length === 0) return new Map();
  const rows = await db.query<{ id: string; readers: string[] | null }>(
    `SELECT s.id, ${ONLY_READERS} AS readers FROM sessions s WHERE s.org_id = $1 AND s.id = ANY ($2)`,
    [orgId, sessionIds],
  );
  return new Map(rows.map(({ id, readers }) => [id, readers]));
}
