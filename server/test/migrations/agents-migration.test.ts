import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate } from '../../src/db/migrating/migrate.ts';
import { isHandle } from '../../src/core/handle.ts';
import type { TestDatabase } from '../harness/databases/database.ts';
import {
  createDatabaseBefore,
  insertOrg,
  type OldPerson,
} from '../harness/databases/old-database.ts';

/** A database with rows of the version before replies could be stopped, migrated to the latest one. */
let old: TestDatabase;
const ORGS = ['cone', 'ctwo'];
let before: object[];

/** The name or, after a comma, the address, and the handle that the person gets. */
const PEOPLE: [string, string][] = [
  ['Ada Lovelace', 'ada-lovelace'],
  ['ada_lovelace', 'ada-lovelace-2'],
  ['José Ñandú-O’Brien', 'jose-nandu-obrien'],
  ['Мария,maria@one', 'maria'],
  ['Anna Мария', 'anna'],
  ['李,x@one', 'member'],
  ['王,y@one', 'member-2'],
  ['recall', 'recall-1'],
  ['tools', 'member-cccccccc09'],
  ['  ..., --@one', 'member-3'],
  ['A very long name, longer than any handle may be', 'a-very-long-name'],
  ['a'.repeat(40), 'a'.repeat(32)],
  ['a'.repeat(41), `${'a'.repeat(30)}-2`],
  // The first of them is Cyrillic, and looks like Ada.
  ['Аda', 'da'],
  ['model', 'model-1'],
];

beforeAll(async () => {
  old = await createDatabaseBefore('0018');
  for (const orgId of ORGS) await insertRows(orgId);
  await expect(setStatus('STOPPED')).rejects.toThrow('messages_status_check');
  before = await readRows();
  await migrate(old.db);
});
afterAll(() => old.drop());

async function insertRows(orgId: string): Promise<void> {
  const people = PEOPLE.map(([written], at): OldPerson => {
    const [name = '', email = `p${at}@x`] = written.split(',');
    const id = `${orgId}ccccccccc${String(at + 1).padStart(2, '0')}`;
    return { id, name, email: `${email.trim()}.${orgId}` };
  });
  await insertOrg(old.db, orgId, people);
  const insert = (sql: string) => old.db.query(`INSERT INTO ${sql}`, [orgId, people[0]?.id]);
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
    ORGS[0],
    status,
  ]);

it('MCP servers from before there were agents keep their names, in each org', async () => {
  const names = () =>
    old.db.query(
      `SELECT org_id, name, server_id, agent_id FROM mention_names WHERE user_id IS NULL
       ORDER BY org_id COLLATE "C"`,
    );
  const server = { name: 'tools', server_id: 'cserver', agent_id: null };
  const kept = ORGS.map((orgId) => ({ org_id: orgId, ...server }));
  expect(await names()).toEqual(kept);
  await old.db.query('DELETE FROM mcp_servers WHERE org_id = $1', [ORGS[0]]);
  expect(await names()).toEqual(kept.slice(1));
});

it('members from before there were handles get one, unique in each organisation', async () => {
  for (const orgId of ORGS) {
    const rows = await old.db.query<{ handle: string; name: string }>(
      `SELECT m.handle, n.name FROM memberships m
       JOIN mention_names n ON n.org_id = m.org_id AND n.user_id = m.user_id
       WHERE m.org_id = $1 ORDER BY m.joined_at`,
      [orgId],
    );
    expect(rows.map(({ handle }) => handle)).toEqual(PEOPLE.map(([, handle]) => handle));
    expect(rows.filter(({ handle, name }) => handle !== name || !isHandle(handle))).toEqual([]);
  }
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
  await expect(summarise('cone', 'cother')).rejects.toThrow('session_summaries');
  for (const orgId of ORGS) await summarise(orgId, 'csession');
  await expect(summarise('cone', 'csession')).rejects.toThrow('session_summaries_pkey');
});
