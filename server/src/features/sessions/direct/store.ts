import type { UserContext } from '../../../core/context.ts';
import type { OrgDb } from '../../../db/types.ts';
import { DIRECT_SLUG } from '../../../access/direct.ts';

interface DirectPlace {
  /** Null until somebody opens the organisation's first direct conversation. */
  projectId: string | null;
  /** Null if these people have none yet. */
  sessionId: string | null;
  /** Those who are not members of the organisation. */
  outsiders: string[];
}

export async function findDirectPlace(
  { db, orgId }: OrgDb,
  directKey: string,
  userIds: readonly string[],
): Promise<DirectPlace> {
  const [row] = await db.query<DirectPlace>(
    `SELECT p.id AS "projectId", s.id AS "sessionId", ARRAY(
       SELECT asked FROM unnest($3::text[]) asked WHERE NOT EXISTS (SELECT 1 FROM memberships m
         WHERE m.org_id = $1 AND m.user_id = asked)) AS outsiders
     FROM (SELECT 1) one
     LEFT JOIN projects p ON p.org_id = $1 AND p.slug = '${DIRECT_SLUG}' AND p.is_direct
     LEFT JOIN sessions s ON s.org_id = $1 AND s.direct_key = $2`,
    [orgId, directKey, userIds],
  );
  return row as DirectPlace;
}

/**
 * If two processes add it at once, the second waits for the first and adds nothing. A process of the last
 * release may have let somebody take the slug since the migration, so it is freed again.
 */
export async function insertDirectProject(
  { db, orgId, actor }: UserContext,
  { id, name }: { id: string; name: string },
): Promise<void> {
  await db.query(
    `UPDATE projects SET slug = '${DIRECT_SLUG}-' || right(id, 8)
     WHERE org_id = $1 AND slug = '${DIRECT_SLUG}' AND NOT is_direct`,
    [orgId],
  );
  await db.query(
    `INSERT INTO projects (org_id, id, slug, name, tags, access, created_by_id, is_direct)
     VALUES ($1, $2, '${DIRECT_SLUG}', $3, '{}', 'ORG', $4, true)
     ON CONFLICT (org_id, slug) DO NOTHING`,
    [orgId, id, name, actor.userId],
  );
}

interface NewDirectSession {
  id: string;
  projectId: string;
  name: string;
  participantUserIds: readonly string[];
  directKey: string;
}

/** False if somebody else has made it meanwhile. Waits for whoever is making it. */
export async function insertDirectSession(
  { db, orgId, actor }: UserContext,
  { id, projectId, name, participantUserIds, directKey }: NewDirectSession,
): Promise<boolean> {
  const rows = await db.query(
    `INSERT INTO sessions (org_id, id, project_id, name, participant_user_ids, access, created_by_id,
       direct_key)
     VALUES ($1, $2, $3, $4, $5, 'PARTICIPANTS', $6, $7)
     ON CONFLICT (org_id, direct_key) WHERE direct_key IS NOT NULL DO NOTHING
     RETURNING 1 AS made`,
    [orgId, id, projectId, name, participantUserIds, actor.userId, directKey],
  );
  return rows.length === 1;
}
