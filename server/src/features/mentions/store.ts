import type { Transaction } from '../../db/types.ts';
import { refusing } from '../../db/violations.ts';

/** Sent with COMMIT, after the server's row. */
export function claimForServerAtCommit(
  tx: Transaction,
  orgId: string,
  name: string,
  serverId: string,
  taken: () => Error,
): void {
  tx.atCommit(
    'INSERT INTO mention_names (org_id, name, server_id) VALUES ($1, $2, $3)',
    [orgId, name, serverId],
    { explain: refusing('mentionNameTaken', taken) },
  );
}

/** Sent with COMMIT, after the agent's row. */
export function claimForAgentAtCommit(
  tx: Transaction,
  orgId: string,
  name: string,
  agentId: string,
  taken: () => Error,
): void {
  // A process of an older version registers servers without claiming their names.
  tx.atCommit(
    `INSERT INTO mention_names (org_id, name, server_id)
     SELECT i.org_id, i.mention_slug, i.id FROM mcp_servers i
     WHERE i.org_id = $1 AND i.mention_slug = $2 ON CONFLICT DO NOTHING`,
    [orgId, name],
  );
  tx.atCommit(
    `INSERT INTO mention_names (org_id, name, agent_id) VALUES ($1, $2, $3)
     ON CONFLICT (org_id, agent_id) DO UPDATE SET name = excluded.name`,
    [orgId, name, agentId],
    { explain: refusing('mentionNameTaken', taken) },
  );
}
