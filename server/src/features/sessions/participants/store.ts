import type { Transaction } from '../../../db/types.ts';
import { IS_DIRECT } from '../../../access/direct.ts';
import { isProjectMember } from '../../../access/standing.ts';

/** Whether participant `one` belongs to Project p. */
const BELONGS = `EXISTS (SELECT 1 FROM memberships m WHERE m.org_id = $1 AND m.user_id = one.id
  AND ${isProjectMember('m.user_id', 'm.role')})`;

/**
 * Takes those who do not belong to the Project out of these sessions. A direct conversation keeps its people: one who
 * comes back finds it again. Locks in one order, to avoid deadlocks.
 */
const removeOutsiders = (where: string) => `UPDATE sessions s SET version = s.version + 1,
    participant_user_ids = ARRAY(
      SELECT one.id FROM unnest(s.participant_user_ids) WITH ORDINALITY AS one (id, nth)
      WHERE ${BELONGS} ORDER BY one.nth)
  FROM projects p
  WHERE s.org_id = $1 AND p.org_id = $1 AND p.id = s.project_id AND NOT ${IS_DIRECT}
    AND s.id = ANY (ARRAY(SELECT locked.id FROM sessions locked
      WHERE locked.org_id = $1 AND ${where} ORDER BY locked.id FOR NO KEY UPDATE))
    AND EXISTS (SELECT 1 FROM unnest(s.participant_user_ids) AS one (id) WHERE NOT ${BELONGS})`;

/** For a person who may have left Projects, or the org. */
export function leaveSessionsAtCommit(tx: Transaction, orgId: string, userId: string): void {
  tx.atCommit(removeOutsiders('locked.participant_user_ids @> ARRAY[$2::text]'), [orgId, userId]);
}

/** For a Project whose access has changed. */
export function leaveProjectAtCommit(tx: Transaction, orgId: string, projectId: string): void {
  tx.atCommit(removeOutsiders('locked.project_id = $2'), [orgId, projectId]);
}

/** For a session whose participants have changed, because one of them may have left meanwhile. */
export function removeOutsidersAtCommit(tx: Transaction, orgId: string, sessionId: string): void {
  tx.atCommit(removeOutsiders('locked.id = $2'), [orgId, sessionId]);
}
