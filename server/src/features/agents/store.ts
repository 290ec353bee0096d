import type { Queryable } from '../../db/types.ts';

/** Of people who wrote memories of this org; they may have left since. */
export async function findNames(
  db: Queryable,
  orgId: string,
  userIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; name: string }>(
    `SELECT u.id, u.name FROM users u
     WHERE u.id = ANY ($2) AND EXISTS (
       SELECT 1 FROM memories m WHERE m.org_id = $1 AND m.owner_user_id = u.id)`,
    [orgId, userIds],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
