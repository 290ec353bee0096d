import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readMigrations } from '../../src/db/migrating/migrate.ts';
import { addPerson } from '../harness/factories.ts';
import { asAdmin, databaseUrl, dropDatabase } from '../harness/databases/postgres-servers.ts';
import { connectRaw, format } from '../harness/clients/raw-http.ts';
import { createShared, post, spread, type Shared } from './cluster.ts';
import { killAll, startServer, startServers, type ServerProcess } from './processes.ts';

let shared: Shared;
beforeAll(async () => {
  shared = await createShared();
});
afterEach(killAll);
afterAll(() => shared.drop());

/** The test's own connection, besides those of the servers. */
async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  client.on('error', () => {}); // Its database may be dropped while it is open.
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Polls the database, which does not report when a statement waits for a lock. */
async function untilWaitingForLocks(url: string, count: number): Promise<void> {
  await withClient(url, async (client) => {
    for (;;) {
      const { rows } = await client.query<{ waiting: number }>(
        `SELECT count(*)::int AS waiting FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      if (rows[0]?.waiting === count) return;
      await sleep(20);
    }
  });
}

function newProject(server: ServerProcess, name: string) {
  return server.call('POST', '/api/projects', { key: shared.org.owner.key, body: { name } });
}

describe('SIGTERM', () => {
  it('makes /readyz fail, lets open requests finish, and exits with 0', async () => {
    const server = await startServer({ DATABASE_URL: shared.url });
    expect((await server.call('GET', '/readyz')).status).toBe(200);
    // Kept open for a next request that never comes, which must not delay the exit.
    const resting = await connectRaw(server.origin);
    resting.send(format({ path: '/healthz' }));
    expect((await resting.reply()).status).toBe(200);
    await withClient(shared.url, async (client) => {
      await client.query('BEGIN; LOCK TABLE projects IN EXCLUSIVE MODE');
      const open = Promise.all([1, 2, 3, 4, 5].map((at) => newProject(server, `Open ${at}`)));
      await untilWaitingForLocks(shared.url, 5);
      server.signal('SIGTERM');
      await server.waitForLine(/stopping/);
      expect((await server.call('GET', '/readyz')).status).toBe(503);
      await untilRefused(server);
      await client.query('COMMIT');
      expect((await open).map((reply) => reply.status)).toEqual([201, 201, 201, 201, 201]);
    });
    expect(await server.exited).toEqual({ code: 0, signal: null });
    resting.destroy();
  });

  it('is obeyed as soon as the server says that it is listening', async () => {
    const server = await startServer({ DATABASE_URL: shared.url });
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  });
});

async function untilRefused(server: ServerProcess): Promise<void> {
  for (;;) {
    try {
      await fetch(`${server.origin}/healthz`, { headers: { connection: 'close' } });
    } catch {
      return;
    }
    await sleep(20);
  }
}

describe('two processes started at once on an empty database', () => {
  it('both start, and each migration is applied once', async () => {
    const name = `atrium_empty_${randomBytes(6).toString('hex')}`;
    await asAdmin(`CREATE DATABASE ${name}`);
    const url = databaseUrl(name);
    try {
      const servers = await withClient(url, async (client) => {
        // Both have to be migrating before either can continue.
        await client.query('BEGIN; CREATE TABLE schema_migrations (held integer)');
        const starting = startServers(2, { DATABASE_URL: url });
        await Promise.race([starting, untilWaitingForLocks(url, 2)]);
        await client.query('ROLLBACK');
        return starting;
      });
      const ready = await Promise.all(servers.map((server) => server.call('GET', '/readyz')));
      expect(ready.map((reply) => reply.status)).toEqual([200, 200]);
      const applied = servers.flatMap(({ lines }) =>
        lines
          .filter((line) => /applied migrations/.test(line))
          .flatMap((line) => (JSON.parse(line) as { applied: string[] }).applied),
      );
      const all = (await readMigrations()).map(({ name }) => name);
      expect(applied.toSorted()).toEqual(all);
    } finally {
      await killAll();
      await dropDatabase(name);
    }
  });
});

describe('a statement that waits for a lock', () => {
  it('delays neither the reads of others nor the lookup of callers', async () => {
    const server = await startServer({ DATABASE_URL: shared.url });
    const people = await Promise.all(
      [1, 2, 3, 4].map(() => addPerson(shared.db, shared.org.orgId, 'MEMBER')),
    );
    await withClient(shared.url, async (client) => {
      await client.query('BEGIN; SELECT 1 FROM api_keys FOR UPDATE');
      // The first use of a key is recorded in a separate statement.
      const first = await Promise.all(people.map(({ key }) => listProjects(server, key)));
      await untilWaitingForLocks(shared.url, people.length);
      const more = await spread([server], 50, () => listProjects(server));
      expect(new Set([...first, ...more].map((reply) => reply.status))).toEqual(new Set([200]));
    });
  });
});

describe('every connection to the database is cut', () => {
  it('while idle: no request fails', async () => {
    const server = await startServer({ DATABASE_URL: shared.url });
    expect((await listProjects(server)).status).toBe(200);
    await withClient(shared.url, cutOtherConnections);
    await server.waitForLine(/lost an idle database connection/);
    expect((await listProjects(server)).status).toBe(200);
  });

  it('under load: requests of that moment may fail, the next ones do not; retries lose and double nothing', async () => {
    const server = await startServer({ DATABASE_URL: shared.url, DATABASE_POOL_MAX: '4' });
    await withClient(shared.url, async (client) => {
      for (let round = 1; round <= 5; round++) {
        const names = Array.from({ length: 100 }, (_, at) => `Cut-${round}-${at}`);
        const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
        const writing = Promise.all(names.map((name) => postUntilCreated(server, name, begin)));
        await begun;
        await cutOtherConnections(client);
        await writing;
        const after = await spread([server], 20, () => listProjects(server));
        expect(new Set(after.map((reply) => reply.status))).toEqual(new Set([200]));
        const { rows } = await client.query(
          'SELECT name, count(*) FROM projects WHERE name = ANY ($1) GROUP BY name',
          [names],
        );
        expect(rows).toHaveLength(names.length);
        expect(new Set(rows.map((row) => row.count))).toEqual(new Set(['1']));
      }
    });
    expect((await server.call('GET', '/readyz')).status).toBe(200);
  });
});

/** A cut costs a request its connection, and at worst a second connection that was cut unnoticed. */
const MAX_TRIES = 3;

async function postUntilCreated(
  server: ServerProcess,
  name: string,
  created: () => void,
): Promise<void> {
  const request = { key: shared.org.owner.key, idempotencyKey: name, body: { name } };
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const { status } = await post(server, request);
    if (status === 201) return created();
    expect(status).toBe(500);
  }
  throw new Error(`${name} failed ${MAX_TRIES} times`);
}

function listProjects(server: ServerProcess, key = shared.org.owner.key) {
  return server.call('GET', '/api/projects', { key });
}

/**
 * All at the same moment, because a request may lose one connection, not one after the other. When it returns, all of
 * them are closed.
 */
async function cutOtherConnections(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ pid: number }>(
    `SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  await client.query(
    'SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE pid = ANY ($1)',
    [rows.map(({ pid }) => pid)],
  );
}
