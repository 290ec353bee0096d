import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, ENGINE, type TestDatabase } from '../../test/harness/database.ts';
import { ON_CITUS } from '../../test/harness/postgres-servers.ts';
import { openPostgres } from './postgres.ts';
import { createSharedCommits } from './shared-commits.ts';
import type { Database } from './types.ts';
import { sqlState } from './violations.ts';

const insertOrg = `INSERT INTO orgs (id, name) VALUES ($1, $2)
  RETURNING pg_backend_pid() AS backend, pg_current_xact_id()::text AS transaction`;

/** As all connections of ours. */
const PIPELINED = { pipeline: true };

interface Inserted {
  backend: number;
  transaction: string;
}

/** As one packet, like a message that is posted. */
async function insertAtOnce(db: Database, id: string, statement = insertOrg): Promise<Inserted> {
  let inserted: Inserted | undefined;
  await db.transaction(async (tx) => {
    tx.atCommit('SELECT 1 AS one', []);
    tx.atCommit(statement, [id, 'shared'], {
      returned: ([row]) => (inserted = row as Inserted),
    });
  });
  if (!inserted) throw new Error('nothing was returned');
  return inserted;
}

/** Takes the only connection until it is told to give it back. */
async function holdConnection(db: Database): Promise<() => Promise<void>> {
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = db.transaction(async (tx) => {
    await tx.query('SELECT 1 AS one');
    begun.resolve();
    await ended.promise;
  });
  await begun.promise;
  return async () => {
    ended.resolve();
    await holding;
  };
}

// The embedded engine has one session, and Citus needs BEGIN and COMMIT, so each has a connection to itself.
describe.runIf(ENGINE === 'postgres' && !ON_CITUS)('transactions that are one packet', () => {
  let database: TestDatabase;
  /** A pool of one, so that all wait for the same connection. */
  let one: Database;

  beforeAll(async () => {
    database = await createTestDatabase();
    one = openPostgres({ url: String(database.url), poolMax: 1, onError: () => {} });
    await insertAtOnce(one, 'first');
  });
  afterAll(async () => {
    await one.close();
    await database.drop();
  });

  async function waiting(count: number): Promise<void> {
    await expect.poll(() => one.load().waiting).toBe(count);
  }

  it('are transactions of their own on the connection they have waited for', async () => {
    const release = await holdConnection(one);
    const all = Promise.all(['a1', 'a2', 'a3'].map((id) => insertAtOnce(one, id)));
    await waiting(3);
    await release();
    const inserted = await all;
    expect(new Set(inserted.map(({ transaction }) => transaction)).size).toBe(3);
    expect(one.load()).toMatchObject({ idle: 1, waiting: 0 });
  });

  it('fail alone, also if they were the first to send a statement that others send behind them', async () => {
    const statement = `${insertOrg} -- new to the connection`;
    const release = await holdConnection(one);
    const all = Promise.allSettled([
      insertAtOnce(one, 'first', statement),
      insertAtOnce(one, 'b1', statement),
      insertAtOnce(one, 'first'),
      insertAtOnce(one, 'b2', statement),
    ]);
    await waiting(4);
    await release();
    const results = await all;
    expect(results.map(({ status }) => status)).toEqual([
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    for (const result of results) {
      if (result.status === 'rejected') expect(sqlState(result.reason)).toBe('23505');
    }
    expect(await insertAtOnce(one, 'b3', statement)).toBeDefined();
  });

  it('that fail before they prepared a statement leave it to the ones behind them', async () => {
    const release = await holdConnection(one);
    const statement = `${insertOrg} -- never got there`;
    const failing = one.transaction(async (tx) => {
      tx.atCommit('SELECT 1 / $1::int', [0]);
      tx.atCommit(statement, ['c1', 'shared']);
    });
    const behind = insertAtOnce(one, 'c2', statement);
    await waiting(2);
    await release();
    await expect(failing).rejects.toThrow('division by zero');
    expect(await behind).toBeDefined();
  });

  it.each([
    { together: 8, packets: 'that may share it', mayShare: true, uses: 3 },
    { together: 1, packets: 'that may not', mayShare: false, uses: 20 },
  ])('use a connection $together at a time if they are ones $packets', async (given) => {
    const pool = new pg.Pool({ connectionString: database.url, max: 1, ...PIPELINED });
    const commits = createSharedCommits({ pool, connections: 1, mayShare: () => given.mayShare });
    const holding = await pool.connect();
    let uses = 0;
    pool.on('acquire', () => uses++);
    let [running, most] = [0, 0];
    const all = Array.from({ length: 20 }, (_, at) =>
      commits.run(async (client) => {
        most = Math.max(most, ++running);
        const { rows } = await client.query(`SELECT ${at} AS at`);
        running--;
        return rows;
      }),
    );
    expect(pool.waitingCount + commits.waiting()).toBe(20);
    holding.release();
    expect(await Promise.all(all)).toEqual(Array.from({ length: 20 }, (_, at) => [{ at }]));
    expect({ uses, most }).toEqual({ uses: given.uses, most: given.together });
    await pool.end();
  });

  it('are alone on a connection of which too little is known, so that no failed BEGIN is left to others', async () => {
    const fresh = openPostgres({ url: String(database.url), poolMax: 1, onError: () => {} });
    const release = await holdConnection(fresh);
    const all = Promise.allSettled(['first', 'f1', 'f2'].map((id) => insertAtOnce(fresh, id)));
    await expect.poll(() => fresh.load().waiting).toBe(3);
    await release();
    const statuses = (await all).map(({ status }) => status);
    await fresh.close();
    expect(statuses).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  });

  it('are all told if there is no connection', async () => {
    const url = new URL(String(database.url));
    url.pathname = '/there_is_no_such_database';
    const none = openPostgres({ url: url.href, poolMax: 4, onError: () => {} });
    const all = await Promise.allSettled(
      Array.from({ length: 50 }, (_, at) => insertAtOnce(none, `d${at}`)),
    );
    expect(all.every(({ status }) => status === 'rejected')).toBe(true);
    expect(none.load().waiting).toBe(0);
    await none.close();
  });

  it('have a connection each while there are free ones, so that nobody waits for another', async () => {
    const two = openPostgres({ url: String(database.url), poolMax: 3, onError: () => {} });
    await Promise.all([insertAtOnce(two, 'e1'), insertAtOnce(two, 'e2')]);
    let locked: Promise<unknown> | undefined;
    await one.transaction(async (tx) => {
      await tx.query("UPDATE orgs SET name = 'locked' WHERE id = 'first'");
      locked = two.transaction(async (other) => {
        other.atCommit('SELECT 1 AS one', []);
        other.atCommit("UPDATE orgs SET name = 'waited' WHERE id = 'first'", []);
      });
      for (const id of ['e3', 'e4', 'e5']) await insertAtOnce(two, id);
    });
    await locked;
    expect(await two.query("SELECT name FROM orgs WHERE id = 'first'")).toEqual([
      { name: 'waited' },
    ]);
    await two.close();
  });
});
