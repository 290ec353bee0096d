import type { UserContext } from '../../../core/context.ts';

export async function saveMute(
  { db, orgId, actor }: UserContext,
  sessionId: string,
  muted: boolean,
): Promise<void> {
  await db.query(
    muted
      ? `INSERT INTO muted_sessions (org_id, session_id, user_id) VALUES ($1, $2, $3)
         ON CONFLICT (org_id, session_id, user_id) DO NOTHING`
      : 'DELETE FROM muted_sessions WHERE org_id = $1 AND session_id = $2 AND user_id = $3',
    [orgId, sessionId, actor.userId],
  );
}
