import type { Database } from '../../src/db/types.ts';
import { newId } from '../../src/core/ids.ts';

/** A connection whose tokens nobody can read, so that nothing is called. No process serves it. */
export async function addConnection(db: Database, orgId: string): Promise<string> {
  const id = newId();
  await db.query(
    `INSERT INTO channel_connections (org_id, id, provider, display_name, server_url, workspace_id,
       workspace_name, bot_id, bot_name, mode, trusts_emails, sealed_secrets, status, created_by_id,
       created_at)
     VALUES ($1, $2, 'MATTERMOST', 'Chat', 'https://chat.example.com', $2, 'Chat', 'bot', 'bot',
       'SOCKET', false, '\\x00', 'BROKEN', 'nobody', now())`,
    [orgId, id],
  );
  return id;
}

export async function addMapping(
  db: Database,
  orgId: string,
  place: { connectionId: string; projectId: string; sessionId: string },
): Promise<string> {
  const id = newId();
  await db.query(
    `INSERT INTO channel_mappings (org_id, id, project_id, connection_id, workspace_id, channel_id,
       channel_name, session_id, direction, answers, shares_org_memory, status, starts_at, place,
       collected_position, created_by_id, created_at)
     VALUES ($1, $2, $3, $4, $4, $2, 'general', $5, 'BOTH', 'MEMBERS', false, 'ACTIVE', now(), now(),
       0, 'nobody', now())`,
    [orgId, id, place.projectId, place.connectionId, place.sessionId],
  );
  return id;
}
