import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runDistribute } from '../../src/commands/distribute.ts';
import { readConfig } from '../../src/config/config.ts';
import { isDistributed, runDistributed } from '../../src/db/citus/citus.ts';
import { distribute } from '../../src/db/citus/distribute.ts';
import { TABLE_PLACES } from '../../src/db/citus/table-places.ts';
import { createLogger } from '../../src/core/logger.ts';
import { ON_CITUS } from '../harness/databases/postgres-servers.ts';
import { startCommand } from '../harness/processes/command.ts';
import { createTestDatabase, ENGINE, type TestDatabase } from '../harness/databases/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe.skipIf(ON_CITUS)('on a database without Citus', () => {
  it('says what is missing, and changes nothing', async () => {
    await expect(distribute(database.db, { shards: 4 })).rejects.toThrow('has no Citus extension');
    expect(await isDistributed(database.db)).toBe(false);
  });

  it.runIf(ENGINE === 'postgres')('the command exits with 1 and one line', async () => {
    const env = { ...process.env, DATABASE_URL: database.url } as Record<string, string>;
    const result = await startCommand(['distribute'], env).finished;
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toMatch(/^atrium: this database has no Citus extension[^\n]*\n$/);
  });

  it('the command needs DATABASE_URL, and a sensible number of shards', async () => {
    const run = (...args: string[]) => runDistribute(readConfig({}), createLogger('silent'), args);
    await expect(run()).rejects.toThrow('distribute needs DATABASE_URL');
    for (const shards of ['0', 'x', '2000']) {
      await expect(run('--shards', shards)).rejects.toThrow(
        `--shards: "${shards}" is not a number`,
      );
    }
    await expect(run('--nodes', '2')).rejects.toThrow('--nodes');
  });
});

describe.runIf(ON_CITUS)('on a Citus cluster', () => {
  async function placesOf(): Promise<Record<string, string[]>> {
    const rows = await database.db.query<{ name: string; type: string }>(
      `SELECT table_name::text AS name, citus_table_type AS type FROM citus_tables ORDER BY 1`,
    );
    const byType = Map.groupBy(rows, ({ type }) => type);
    return Object.fromEntries(
      [...byType].map(([type, found]) => [type, found.map(({ name }) => name)]),
    );
  }

  it('has placed every table, and does nothing when it is repeated', async () => {
    const { unmanaged: _, ...places } = TABLE_PLACES;
    expect(await placesOf()).toEqual({
      reference: places.reference.toSorted(),
      local: [...places.local],
      distributed: [...places.distributed],
    });
    expect(await distribute(database.db, { shards: 8 })).toEqual({
      placed: { reference: [], distributed: [], local: [] },
      nodes: 2,
      shards: 4,
    });
  });

  it('lets a migration add a table that refers to others, a column and an index', async () => {
    const name = 'untold_messages';
    await database.db.transaction(async (tx) => {
      await tx.script(`DROP TABLE ${name}`);
      await runDistributed(
        tx,
        `-- A table of its own
         CREATE TABLE ${name} (org_id text NOT NULL, message_id text NOT NULL, at timestamptz,
           PRIMARY KEY (org_id, message_id),
           FOREIGN KEY (org_id, message_id) REFERENCES messages (org_id, id));
         CREATE INDEX ${name}_by_time ON ${name} (at);
         ALTER TABLE sessions ADD COLUMN extra text DEFAULT 'none';
         UPDATE sessions SET extra = 'some' WHERE extra IS NULL;`,
      );
    });
    expect((await placesOf())['distributed']).toContain(name);
  });
});
