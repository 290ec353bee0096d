import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGINE } from '../../../test/harness/databases/database.ts';
import { useTestDatabase } from '../../../test/harness/databases/use-test-database.ts';
import { ON_CITUS } from '../../../test/harness/databases/postgres-servers.ts';
import { BatchFailure, runBatch } from './batch.ts';

const PIPELINED = { pipeline: true };

/** What a batch replaces of the driver's own query, and the driver calls. */
const REPLACED = [
  'submit',
  'handleRowDescription',
  'handleDataRow',
  'handleCommandComplete',
  'handleReadyForQuery',
  'handleError',
];

describe('the driver', () => {
  it('exports the query that a batch extends, and the connection that it writes to', () => {
    const methods = [
      ...REPLACED.map((name): unknown => Reflect.get(pg.Query.prototype, name)),
      ...['parse', 'bind', 'describe', 'execute', 'close', 'sync'].map((name): unknown =>
        Reflect.get(pg.Connection.prototype, name),
      ),
    ];
    expect(methods.every((method) => typeof method === 'function')).toBe(true);
  });

  // If it takes others one day, a batch no longer has to extend its query.
  it('takes no query but its own on a pipelined connection', async () => {
    const client = new pg.Client(PIPELINED);
    const refused = await new Promise<Error>((resolve) => {
      client.query({ submit() {}, handleError: resolve } as pg.Submittable);
    });
    expect(refused.message).toContain('not supported in pipeline mode');
  });
});

describe.runIf(ENGINE === 'postgres')('a batch', () => {
  const database = useTestDatabase();
  let client: pg.Client;

  beforeAll(async () => {
    client = new pg.Client({ connectionString: String(database.url), ...PIPELINED });
    await client.connect();
  });
  afterAll(() => client.end());

  const numbers = (...values: number[]) =>
    values.map((value) => ({ text: 'SELECT $1::int AS number', values: [value] }));

  it("gets its own results between the driver's own queries, whatever is sent with it", async () => {
    const [first, plain, second, named] = await Promise.all([
      runBatch(client, numbers(1, 2)),
      client.query('SELECT 3 AS number; SELECT 4 AS number'),
      runBatch(client, numbers(5)),
      client.query({ name: 'named', text: 'SELECT $1::int AS number', values: [6] }),
    ]);
    expect(first.map(({ rows }) => rows)).toEqual([[{ number: 1 }], [{ number: 2 }]]);
    expect(second).toEqual([{ command: 'SELECT', rows: [{ number: 5 }] }]);
    const results = plain as unknown as pg.QueryResult[];
    expect(results.map(({ rows }) => rows as unknown)).toEqual([[{ number: 3 }], [{ number: 4 }]]);
    expect(named.rows).toEqual([{ number: 6 }]);
  });

  it('says which statement failed, sends none behind it, and leaves the connection to the next', async () => {
    const divide = { text: 'SELECT 1 / $1::int AS quotient', values: [0] };
    const [failed, next] = await Promise.allSettled([
      runBatch(client, [...numbers(1), divide, ...numbers(2)]),
      runBatch(client, [{ ...divide, values: [1] }]),
    ]);
    const { reason } = failed as PromiseRejectedResult;
    expect(reason).toBeInstanceOf(BatchFailure);
    expect((reason as BatchFailure).failedAt).toBe(1);
    expect((reason as BatchFailure).cause).toBeInstanceOf(pg.DatabaseError);
    expect(next).toMatchObject({ status: 'fulfilled', value: [{ rows: [{ quotient: 1 }] }] });
  });

  it.skipIf(ON_CITUS)('is one transaction', async () => {
    const insert = (id: string) => ({
      text: "INSERT INTO orgs (id, name) VALUES ($1, 'batch')",
      values: [id],
    });
    await expect(runBatch(client, [insert('b1'), insert('b1')])).rejects.toThrow(BatchFailure);
    await runBatch(client, [insert('b2'), insert('b3')]);
    const { rows } = await client.query("SELECT id FROM orgs WHERE name = 'batch' ORDER BY id");
    expect(rows).toEqual([{ id: 'b2' }, { id: 'b3' }]);
  });

  it('fails if its connection is lost', async () => {
    const lost = new pg.Client({ connectionString: String(database.url), ...PIPELINED });
    lost.on('error', () => {});
    await lost.connect();
    const running = runBatch(lost, [{ text: 'SELECT pg_sleep(10)', values: [] }]);
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND query = 'SELECT pg_sleep(10)'`;
    const failed = expect(running).rejects.toThrow(BatchFailure);
    await expect.poll(() => database.db.query(end)).toHaveLength(1);
    await failed;
    await lost.end().catch(() => {});
  });
});
