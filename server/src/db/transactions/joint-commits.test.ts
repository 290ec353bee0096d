import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ENGINE } from '../../../test/harness/databases/database.ts';
import { useTestDatabase } from '../../../test/harness/databases/use-test-database.ts';
import { ON_CITUS } from '../../../test/harness/databases/postgres-servers.ts';
import { createJointCommits } from './joint-commits.ts';
import { openPostgres } from '../engines/postgres.ts';
import type { AtCommitOptions, Database } from '../types.ts';
import { sqlState } from './violations.ts';

/** As all connections of ours. */
const PIPELINED = { pipeline: true };

const insertOrg = `INSERT INTO orgs (id, name) VALUES ($1, 'joint')
  RETURNING pg_backend_pid() AS backend, pg_current_xact_id()::text AS transaction`;
const renameOrg = `UPDATE orgs SET name = $2 WHERE id = $1
  RETURNING pg_backend_pid() AS backend, pg_current_xact_id()::text AS transaction`;

interface Written {
  backend: number;
  transaction: string;
}

/** As one packet, like a message that is posted. */
async function write<Row = Written>(
  db: Database,
  [text, ...values]: [string, ...string[]],
  options: AtCommitOptions = { lock: values[0] ?? '' },
): Promise<Row> {
  let written: Row | undefined;
  await db.transaction(async (tx) => {
    // What is known of a connection is asked with its first packet of several statements.
    tx.atCommit('SELECT 1 AS one', [], { lock: '' });
    tx.atCommit(text, values, { ...options, returned: ([row]) => (written = row as Row) });
  });
  if (!written) throw new Error('nothing was returned');
  return written;
}

/** Takes a connection until it is told to give it back. */
async function holdConnection(
  db: Database,
  lock = 'SELECT 1 AS one',
): Promise<() => Promise<void>> {
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = db.transaction(async (tx) => {
    await tx.query(lock);
    begun.resolve();
    await ended.promise;
  });
  await begun.promise;
  return async () => {
    ended.resolve();
    await holding;
  };
}

const transactionsOf = (written: Written[]) =>
  new Set(written.map(({ transaction }) => transaction)).size;

// The embedded engine has one session, and Citus needs BEGIN and COMMIT.
describe.runIf(ENGINE === 'postgres' && !ON_CITUS)('transactions that are one packet', () => {
  const database = useTestDatabase();
  let other: Database;
  /** A pool of one, so that all wait for the same connection. */
  let one: Database;
  let opened: Database[];

  async function open(poolMax: number): Promise<Database> {
    const db = openPostgres({ url: String(database.url), poolMax, onError: () => {} });
    opened.push(db);
    await write(db, [insertOrg, randomUUID()]);
    return db;
  }

  beforeAll(async () => {
    other = openPostgres({ url: String(database.url), poolMax: 2, onError: () => {} });
    await write(other, [insertOrg, 'first']);
  });
  beforeEach(async () => {
    opened = [];
    one = await open(1);
  });
  afterEach(async () => {
    for (const db of opened) await db.close();
  });
  afterAll(() => other.close());

  /** Sends them while there is no connection, and lets them go when all are waiting. */
  async function together<T>(send: () => T, db = one): Promise<T> {
    const release = await holdConnection(db);
    const sent = send();
    await setImmediate();
    await release();
    return sent;
  }

  it('are committed together if they had to wait, and tell their own rows', async () => {
    const ids = Array.from({ length: 16 }, (_, at) => `a${at}`);
    const written = await together(() => Promise.all(ids.map((id) => write(one, [insertOrg, id]))));
    expect(transactionsOf(written)).toBe(1);
    const names = await Promise.all(
      ids.map(async (id) => {
        let told = '';
        await one.transaction(async (tx) => {
          tx.atCommit('SELECT $1::text AS id', [id], {
            lock: id,
            returned: ([row]) => (told = (row as { id: string }).id),
          });
        });
        return told;
      }),
    );
    expect(names).toEqual(ids);
    expect(one.load()).toMatchObject({ idle: 1, waiting: 0 });
  });

  it('are committed in portions of 16', async () => {
    const written = await together(() =>
      Promise.all(Array.from({ length: 40 }, (_, at) => write(one, [insertOrg, `b${at}`]))),
    );
    expect(transactionsOf(written)).toBe(3);
  });

  it('are alone if they may wait for more than one row', async () => {
    const release = await holdConnection(one);
    const all = Promise.all(['c1', 'c2'].map((id) => write(one, [insertOrg, id], {})));
    await setImmediate();
    await release();
    expect(transactionsOf(await all)).toBe(2);
  });

  it('fail alone, for their own reason, and the others are committed without them', async () => {
    const statement = `${insertOrg} -- new to the connection`;
    const results = await together(() =>
      Promise.allSettled([
        write(one, [statement, 'first']),
        write(one, [statement, 'd1']),
        write(one, [insertOrg, 'first'], {
          lock: 'first',
          explain: () => new Error('explained'),
        }),
        write(one, ['SELECT 1 / $1::int AS none', '0']),
        write(one, [statement, 'd2']),
        write(one, [insertOrg, 'd3']),
      ]),
    );
    const reasons = results.map((result) => {
      if (result.status === 'fulfilled') return 'committed';
      return sqlState(result.reason) ?? result.reason.message;
    });
    expect(reasons).toEqual(['23505', 'committed', 'explained', '22012', 'committed', 'committed']);
    const committed = results.flatMap((result) =>
      result.status === 'fulfilled' ? [result.value] : [],
    );
    expect(transactionsOf(committed)).toBe(1);
    expect(await write(one, [statement, 'd4'])).toBeDefined();
  });

  it('that may no longer be sent are left out', async () => {
    const lateCheck = (isAllowed: boolean, id: string) =>
      one.transaction(async (tx) => {
        tx.atConnect(async () => {
          if (!isAllowed) throw new Error('not allowed any more');
        });
        tx.atCommit(insertOrg, [id], { lock: id });
      });
    const results = await together(() =>
      Promise.allSettled([lateCheck(true, 'e1'), lateCheck(false, 'e2'), lateCheck(true, 'e3')]),
    );
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await one.query("SELECT id FROM orgs WHERE id LIKE 'e_' ORDER BY id")).toEqual([
      { id: 'e1' },
      { id: 'e3' },
    ]);
  });

  it('run in the order of what they wait for, so that no two processes wait for each other', async () => {
    await other.query('CREATE SEQUENCE runs');
    const names = ['b', 'd', 'a', 'e', 'c'];
    const runs = await together(() =>
      Promise.all(
        names.map(async (name) => {
          const options = { lock: name };
          const { nth } = await write<{ nth: number }>(one, [NEXT_RUN, 'runs'], options);
          return { name, nth };
        }),
      ),
    );
    const inOrder = runs.toSorted((a, b) => a.nth - b.nth).map(({ name }) => name);
    expect(inOrder).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('do not wait for a commit that waits for a lock', async () => {
    const three = await open(5);
    const unlock = await holdConnection(
      other,
      "UPDATE orgs SET name = 'locked' WHERE id = 'first'",
    );
    const locked = write(three, [renameOrg, 'first', 'waited']);
    await expect.poll(() => countOf(other, LOCK_WAITS)).toBe(1);
    for (const id of ['g1', 'g2', 'g3']) await write(three, [insertOrg, id]);
    await unlock();
    await locked;
    expect(await three.query("SELECT name FROM orgs WHERE id = 'first'")).toEqual([
      { name: 'waited' },
    ]);
  });

  it('go on without those that wait for a lock, which are committed as soon as they can be', async () => {
    const unlock = await holdConnection(
      other,
      "UPDATE orgs SET name = 'locked' WHERE id = 'first'",
    );
    const [locked, behind, ...others] = await together(() => [
      write(one, [renameOrg, 'first', 'unlocked']),
      write(one, [renameOrg, 'first', 'last']),
      write(one, [insertOrg, 'k1']),
      write(one, [insertOrg, 'k2']),
    ]);
    await Promise.all(others);
    await expect.poll(() => countOf(other, LOCK_WAITS)).toBe(1);
    await unlock();
    await Promise.all([locked, behind]);
    expect(await other.query("SELECT name FROM orgs WHERE id = 'first'")).toEqual([
      { name: 'last' },
    ]);
  });

  it('are alone as long as too little is known, so that no failed BEGIN is left to others', async () => {
    const fresh = openPostgres({ url: String(database.url), poolMax: 1, onError: () => {} });
    opened.push(fresh);
    const release = await holdConnection(fresh);
    const all = Promise.allSettled(
      ['first', 'h1', 'h2'].map((id) => write(fresh, [insertOrg, id])),
    );
    await setImmediate();
    await release();
    expect((await all).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  });

  it('are all told if there is no connection', async () => {
    const url = new URL(String(database.url));
    url.pathname = '/there_is_no_such_database';
    const none = openPostgres({ url: url.href, poolMax: 4, onError: () => {} });
    const all = await Promise.allSettled(
      Array.from({ length: 50 }, (_, at) => write(none, [insertOrg, `i${at}`])),
    );
    expect(all.every(({ status }) => status === 'rejected')).toBe(true);
    expect(none.load().waiting).toBe(0);
    await none.close();
  });

  it('are all told if their connection breaks, and are not sent again: they may have been committed', async () => {
    const pool = new pg.Pool({ connectionString: database.url, max: 1, ...PIPELINED });
    pool.on('error', () => {});
    const commit = createJointCommits({ pool, connections: 1 });
    let sentAgain = 0;
    const run = (text: string, lock: string) =>
      commit({
        commit: async () => {
          sentAgain++;
          return () => {};
        },
        joint: {
          lock,
          check: async () => {},
          statements: [{ text, values: [] }],
          committed: () => () => {},
        },
      });
    const insert = "INSERT INTO orgs (id, name) VALUES (gen_random_uuid(), 'counted')";
    const sleep = 'SELECT pg_sleep(1)';
    // Fills the database's buffer, so that some results arrive.
    const fill = "SELECT repeat('x', 100000)";
    const client = await pool.connect();
    client.on('error', () => {});
    const all = Promise.allSettled([
      run(fill, 'a'),
      run(insert, 'b'),
      run(insert, 'c'),
      run(sleep, 'd'),
    ]);
    client.release();
    await expect.poll(() => countOf(other, SLEEPING)).toBe(1);
    (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
    expect((await all).every(({ status }) => status === 'rejected')).toBe(true);
    // The database had got everything, and has not noticed.
    await expect.poll(() => countOf(other, COUNTED), { timeout: 10_000 }).toBe(2);
    expect(sentAgain).toBe(0);
    await pool.end();
  });
});

const NEXT_RUN = 'SELECT nextval($1) AS nth';
const COUNTED = "SELECT count(*) FROM orgs WHERE name = 'counted'";
const LOCK_WAITS = `SELECT count(*) FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

const SLEEPING = `SELECT count(*) FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event = 'PgSleep'`;

async function countOf(db: Database, text: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(text);
  return row?.count ?? -1;
}
