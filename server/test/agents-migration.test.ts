import { expect, it } from 'vitest';
import { lockSchema, migrate, migrateTo, readApplied } from '../src/db/migrate.ts';
import { createTestDatabase, ENGINE } from './harness/database.ts';
import { createEmptyDatabase } from './harness/empty-database.ts';
import { createTestOrg } from './harness/factories.ts';

it('MCP servers from before there were agents keep their names, in each org', async () => {
  const [latest, old] = await Promise.all([createTestDatabase(), createEmptyDatabase(ENGINE)]);
  try {
    const known = await latest.db.transaction(readApplied);
    const agents = known.findIndex(({ version }) => version === 19);
    await old.db.transaction(async (tx) => {
      await lockSchema(tx);
      await migrateTo(tx, known.slice(0, agents));
    });
    const orgs = [await createTestOrg(old.db), await createTestOrg(old.db)];
    for (const { orgId, owner } of orgs) {
      await old.db.query(
        `INSERT INTO mcp_servers (org_id, id, display_name, mention_slug, endpoint_url, auth_type,
           created_by_id, created_at)
         VALUES ($1, 'cserver', 'Tools', 'tools', 'https://tools.example.com', 'NONE', $2, now())`,
        [orgId, owner.userId],
      );
    }
    await migrate(old.db);
    expect(await old.db.query('SELECT * FROM mention_names ORDER BY org_id COLLATE "C"')).toEqual(
      orgs
        .map(({ orgId }) => orgId)
        .toSorted()
        .map((orgId) => ({ org_id: orgId, name: 'tools', server_id: 'cserver', agent_id: null })),
    );
    await old.db.query('DELETE FROM mcp_servers WHERE org_id = $1', [orgs[0]?.orgId]);
    expect(await old.db.query('SELECT org_id FROM mention_names')).toEqual([
      { org_id: orgs[1]?.orgId },
    ]);
  } finally {
    await Promise.all([latest.drop(), old.drop()]);
  }
});
