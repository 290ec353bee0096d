import { describe, expect, it } from 'vitest';
import { TABLE_PLACES } from '../../src/db/citus/table-places.ts';
import { createTestDatabase } from '../harness/databases/database.ts';
import {
  lockProblemsOf,
  lookingAtStatements,
  problemsOf,
  takeProblems,
} from '../harness/databases/tenant-statements.ts';

describe('a statement', () => {
  it.each([
    'SELECT 1 FROM sessions WHERE org_id = $1 AND id = $2',
    'SELECT 1 FROM sessions s JOIN projects p ON p.org_id = $1 AND p.id = s.project_id WHERE s.org_id = $1',
    'SELECT (SELECT count(*) FROM tasks sub WHERE sub.org_id = $1) FROM projects p WHERE p.org_id = $1',
    'SELECT 1 FROM projects p LEFT JOIN (messages m JOIN sessions s ON s.org_id = $1) ON m.org_id = $1 WHERE p.org_id = $1',
    'INSERT INTO reactions (org_id, emoji) VALUES ($1, $2) ON CONFLICT (org_id) DO UPDATE SET emoji = excluded.emoji RETURNING emoji',
    'INSERT INTO sessions AS s (org_id, id) SELECT p.org_id, $2 FROM projects p WHERE p.org_id = $1',
    'INSERT INTO sessions (org_id, id) SELECT $1::text, p.id FROM projects p JOIN tasks t ON t.org_id = $1 WHERE p.org_id = $1',
    'INSERT INTO sessions (org_id, id) SELECT p.org_id, EXISTS (SELECT 1 FROM tasks t WHERE t.org_id = $1 AND t.org_id = p.org_id) FROM projects p WHERE p.org_id = $1',
    `UPDATE messages SET body = 'FROM sessions' WHERE org_id = $1`,
    'DELETE FROM project_members pm USING projects p WHERE pm.org_id = $1 AND p.org_id = $1',
    'SELECT m.role FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.user_id = $1',
    'SELECT memories FROM memory_scopes WHERE org_id = $1 UNION ALL SELECT 1 FROM memories WHERE org_id = $1',
    'DELETE FROM jobs WHERE dead_at < now() RETURNING 1 AS purged',
    '/* all orgs */ SELECT count(*) FROM memories',
  ])('has nothing wrong: %s', (text) => {
    expect(problemsOf(text)).toEqual([]);
  });

  it.each([
    ['SELECT 1 FROM sessions WHERE id = $1', 'sessions sessions'],
    [
      'SELECT 1 FROM sessions s JOIN projects p ON p.org_id = s.org_id WHERE s.org_id = $1',
      'projects p',
    ],
    [
      'SELECT (SELECT 1 FROM tasks sub WHERE sub.org_id = t.org_id) FROM tasks t WHERE t.org_id = $1',
      'tasks sub',
    ],
    [
      'SELECT 1 FROM memories WHERE org_id = $1 UNION ALL SELECT 1 FROM memories',
      'memories memories',
    ],
    ['UPDATE messages SET body = $1 WHERE id = $2', 'messages messages'],
    [
      'DELETE FROM project_members pm USING projects p WHERE pm.org_id = $1 AND p.org_id = pm.org_id',
      'projects p',
    ],
    ['INSERT INTO sessions (id) VALUES ($1)', 'sessions sessions'],
    [
      'WITH gone AS (DELETE FROM memories WHERE org_id = $1 RETURNING id) SELECT * FROM gone',
      'changes rows',
    ],
    [
      'INSERT INTO departures (org_id) VALUES ($1) ON CONFLICT (org_id) DO UPDATE SET left_at = now()',
      'has now()',
    ],
    [
      'UPDATE agents SET name = $2 WHERE org_id = $1 RETURNING (SELECT 1 FROM orgs)',
      'computes in RETURNING',
    ],
    ['INSERT INTO agents (org_id, id) SELECT $1, id FROM orgs FOR SHARE', 'locks in an INSERT'],
    [
      'INSERT INTO agents (org_id, id) VALUES ($1, (SELECT id FROM orgs))',
      'has a sub-query in VALUES',
    ],
    ['DELETE FROM agents WHERE org_id = $1 AND ctid = $2', 'uses ctid'],
    [
      'UPDATE agents SET archived_at = CASE WHEN $2 THEN now() END WHERE org_id = $1',
      'computes a time in a CASE',
    ],
    [
      `UPDATE agents SET name = CASE WHEN created_at > $2::timestamptz - interval '1 day' THEN $3 END WHERE org_id = $1`,
      'computes a time in a CASE',
    ],
    [
      'INSERT INTO sessions (org_id, id) SELECT p.org_id, p.id FROM projects p JOIN tasks t ON t.org_id = $1 WHERE p.org_id = $1',
      'takes the org from a row',
    ],
    [
      'INSERT INTO sessions (org_id, id) SELECT p.org_id, EXISTS (SELECT 1 FROM tasks t WHERE t.org_id = $1) FROM projects p WHERE p.org_id = $1',
      'has a sub-query beside',
    ],
  ])('is refused: %s', (text, problem) => {
    expect(problemsOf(text).join()).toContain(problem);
  });

  it.each([
    ['UPDATE sessions SET version = 1 WHERE org_id = $1', 1],
    ['SELECT 1 FROM sessions WHERE org_id = $1 FOR NO KEY UPDATE', 1],
    ['INSERT INTO agents (org_id) VALUES ($1) ON CONFLICT (org_id) DO UPDATE SET id = 1', 1],
    ['SELECT pg_advisory_xact_lock($1)', 1],
    ['INSERT INTO agents (org_id) VALUES (CASE WHEN pg_try_advisory_xact_lock($1) THEN 1 END)', 0],
  ])('that waits for a lock must not deny it: %s', (text, problems) => {
    expect(lockProblemsOf(text, '')).toHaveLength(problems);
    expect(lockProblemsOf(text, 'a row')).toEqual([]);
    expect(lockProblemsOf(text, undefined)).toEqual([]);
  });

  it('of a server is looked at when it is sent', async () => {
    const database = await createTestDatabase();
    const looked = lookingAtStatements(database.db);
    await looked.query('SELECT 1 FROM sessions');
    await looked.sharedRead('SELECT 2 FROM sessions');
    await looked.transaction(async (tx) => {
      await tx.query('SELECT 3 FROM sessions');
      tx.atCommit('SELECT 4 FROM sessions', []);
      const onCitus = [{ text: 'SELECT 6 FROM sessions', values: [] }];
      tx.atCommit('SELECT 5 FROM sessions', [], { onCitus });
      // Citus refuses this, and never gets it.
      const whole = 'WITH one AS (DELETE FROM sessions WHERE org_id = $1) SELECT 7';
      tx.atCommit(whole, ['nobody'], { onCitus: [{ text: 'SELECT 8', values: [] }] });
    });
    await database.drop();
    expect(takeProblems().map((problem) => /SELECT \d/.exec(problem)?.[0])).toEqual([
      'SELECT 1',
      'SELECT 2',
      'SELECT 3',
      'SELECT 4',
      'SELECT 5',
      'SELECT 6',
    ]);
  });
});

it('every table has its place', async () => {
  const database = await createTestDatabase();
  const tables = await database.db.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
  );
  const columns = await database.db.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'org_id' AND ordinal_position = 1`,
  );
  await database.drop();
  expect(tables.map(({ name }) => name)).toEqual(Object.values(TABLE_PLACES).flat().toSorted());
  const withOrg = columns.map(({ name }) => name);
  expect(withOrg).toEqual(expect.arrayContaining([...TABLE_PLACES.distributed]));
});
