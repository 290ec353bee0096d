import type { Queryable } from '../../db/types.ts';

/** Names of people who wrote memories in this org, including those who have left. */
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
