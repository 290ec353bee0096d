import { afterAll, beforeAll, expect, it } from 'vitest';
import { lockSchema, migrate, migrateTo, readApplied } from '../src/db/migrate.ts';
import { createTestDatabase, ENGINE, type TestDatabase } from './harness/database.ts';
import { createEmptyDatabase } from './harness/empty-database.ts';
import { createTestOrg, type TestOrg } from './harness/factories.ts';

/** A database with rows of the version before replies could be stopped, migrated to the latest one. */
let latest: TestDatabase;
let old: TestDatabase;
let orgs: [TestOrg, TestOrg];
let before: object[];

beforeAll(async () => {
  [latest, old] = await Promise.all([createTestDatabase(), createEmptyDatabase(ENGINE)]);
  const known = await latest.db.transaction(readApplied);
  const stops = known.findIndex(({ version }) => version === 18);
  await old.db.transaction(async (tx) => {
    await lockSchema(tx);
    await migrateTo(tx, known.slice(0, stops));
  });
  orgs = [await createTestOrg(old.db), await createTestOrg(old.db)];
  for (const org of orgs) await insertRows(org);
  await expect(setStatus('STOPPED')).rejects.toThrow('messages_status_check');
  before = await readRows();
  await migrate(old.db);
});
afterAll(() => Promise.all([latest.drop(), old.drop()]));

async function insertRows({ orgId, owner }: TestOrg): Promise<void> {
  const insert = (sql: string) => old.db.query(`INSERT INTO ${sql}`, [orgId, owner.userId]);
  await insert(
    `mcp_servers (org_id, id, display_name, mention_slug, endpoint_url, auth_type, created_by_id,
       created_at)
     VALUES ($1, 'cserver', 'Tools', 'tools', 'https://tools.example.com', 'NONE', $2, now())`,
  );
  await insert(
    `projects (org_id, id, slug, name, tags, access, created_by_id)
     VALUES ($1, 'cproject', 'plans', 'Plans', '{}', 'ORG', $2)`,
  );
  await insert(
    `sessions (org_id, id, project_id, name, participant_user_ids, created_by_id)
     VALUES ($1, 'csession', 'cproject', 'Talk', '{}', $2)`,
  );
  await insert(
    `messages (org_id, id, session_id, position, author_kind, author_user_id, body, mentions, status,
       citations, tool_calls, created_at)
     SELECT $1, 'c' || lower(status), 'csession', position, 'USER', $2, status, '{}', status, '[]',
       '[]', now()
     FROM unnest(ARRAY['COMPLETED', 'FAILED']) WITH ORDINALITY AS each (status, position)`,
  );
}

/** Only the columns that the older version has. */
const readRows = () =>
  old.db.query(
    `SELECT p.org_id, p.slug, p.name, s.name AS session, m.id, m.position, m.body, m.status
     FROM messages m
       JOIN sessions s ON s.org_id = m.org_id AND s.id = m.session_id
       JOIN projects p ON p.org_id = s.org_id AND p.id = s.project_id
     ORDER BY m.org_id COLLATE "C", m.position`,
  );

const setStatus = (status: string) =>
  old.db.query(`UPDATE messages SET status = $2 WHERE org_id = $1 AND id = 'cfailed'`, [
    orgs[0].orgId,
    status,
  ]);

it('MCP servers from before there were agents keep their names, in each org', async () => {
  expect(await old.db.query('SELECT * FROM mention_names ORDER BY org_id COLLATE "C"')).toEqual(
    orgs
      .map(({ orgId }) => orgId)
      .toSorted()
      .map((orgId) => ({ org_id: orgId, name: 'tools', server_id: 'cserver', agent_id: null })),
  );
  await old.db.query('DELETE FROM mcp_servers WHERE org_id = $1', [orgs[0].orgId]);
  expect(await old.db.query('SELECT org_id FROM mention_names')).toEqual([
    { org_id: orgs[1].orgId },
  ]);
});

it('messages from before replies could be stopped stay, and can be STOPPED now, but nothing else', async () => {
  expect(before).toHaveLength(4);
  expect(await readRows()).toEqual(before);
  await setStatus('STOPPED');
  await expect(setStatus('PAUSED')).rejects.toThrow('messages_status_check');
  await setStatus('FAILED');
});

it('Projects from before there were summaries have no default agent, and a summary needs its session', async () => {
  expect(await old.db.query('SELECT DISTINCT default_agent FROM projects')).toEqual([
    { default_agent: null },
  ]);
  const summarise = (orgId: string, sessionId: string) =>
    old.db.query(
      `INSERT INTO session_summaries (org_id, session_id, text, until_position, until_message_id,
         updated_at) VALUES ($1, $2, 'So far.', 1, 'ccompleted', now())`,
      [orgId, sessionId],
    );
  await expect(summarise(orgs[0].orgId, 'cother')).rejects.toThrow('session_summaries');
  for (const { orgId } of orgs) await summarise(orgId, 'csession');
  await expect(summarise(orgs[0].orgId, 'csession')).rejects.toThrow('session_summaries_pkey');
});
