import type { UserContext } from '../core/context.ts';
import type { Transaction } from '../db/types.ts';

/** Serialises what adds to a person's own lists, so that concurrent requests can't exceed a limit. */
export async function lockOwn({ db, orgId, actor }: UserContext & { db: Transaction }) {
  // FOR NO KEY UPDATE still lets others insert rows that refer to the membership.
  await db.query(
    'SELECT 1 AS locked FROM memberships WHERE org_id = $1 AND user_id = $2 FOR NO KEY UPDATE',
    [orgId, actor.userId],
  );
}
