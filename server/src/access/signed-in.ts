import type { PersonActor } from '../core/context.ts';
import type { Queryable } from '../db/types.ts';

/** Whether the caller's session in the browser still exists, as this transaction sees it. */
export async function isSignedIn(
  db: Queryable,
  { webSessionId }: Pick<PersonActor, 'webSessionId'>,
): Promise<boolean> {
  const rows = await db.query(
    'SELECT 1 AS open FROM web_sessions WHERE id = $1 AND expires_at > now()',
    [webSessionId ?? ''],
  );
  return rows.length === 1;
}
