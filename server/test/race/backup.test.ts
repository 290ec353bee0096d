import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openEmbedded } from '../../src/db/engines/embedded.ts';
import type { Database } from '../../src/db/types.ts';
import type { TestDatabase } from '../harness/databases/database.ts';
import { createEmptyDatabase } from '../harness/databases/empty-database.ts';
import { createShared, post, type Shared } from './cluster.ts';
import { makeMemoryFolder } from './memory-folder.ts';
import { killAll, startServer, type ServerProcess } from './processes.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');

let root: string;
let keyFile: string;
beforeAll(async () => {
  root = await makeMemoryFolder('backup');
  keyFile = join(root, 'key');
  await writeFile(keyFile, `${randomBytes(32).toString('hex')}\n`);
});
afterEach(killAll);
afterAll(() => rm(root, { recursive: true }));

/** A command whose input and output the test holds in its hands. */
function atrium(args: string[], env: Record<string, string>) {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH, HOME, PORT: '0', SECRETS_KEY, ...env },
  });
  const output = { stdout: '', stderr: '' };
  child.stderr.on('data', (data: Buffer) => (output.stderr += data.toString()));
  child.stdin.on('error', () => {});
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, ...output }));
  });
  /** Reads everything it prints. Without this, a full pipe stops it. */
  const finish = () => {
    child.stdout.on('data', (data: Buffer) => (output.stdout += data.toString()));
    return ended;
  };
  return { child, ended, finish };
}

const run = (args: string[], env: Record<string, string>) => {
  const command = atrium(args, env);
  command.child.stdin.end();
  return command.finish();
};

/** Writes Projects, each with a session and a message, until told to stop. */
function keepWriting(server: ServerProcess, key: string) {
  const stopping = new AbortController();
  const acknowledged: string[] = [];
  const writer = async (number: number) => {
    for (let count = 0; !stopping.signal.aborted; count++) {
      const name = `Written-${number}-${count}`;
      const send = (path: string, body: object) =>
        post(server, { key, idempotencyKey: `${path}${name}`, body, path });
      const made = await send('/api/projects', { name });
      expect(made.status, made.text).toBe(201);
      const { slug } = made.json.data;
      const { json } = await send(`/api/spaces/${slug}/sessions`, { name });
      const messages = `/api/spaces/${slug}/sessions/${json.data.id}/messages`;
      const body = `${name} ${randomBytes(1500).toString('base64')}`;
      await Promise.all([send(messages, { body }), send(messages, { body: `${body}!` })]);
      acknowledged.push(name);
    }
  };
  const writers = [1, 2, 3].map(writer);
  return {
    acknowledged,
    async reached(count: number) {
      await expect
        .poll(() => acknowledged.length, { timeout: 60_000 })
        .toBeGreaterThanOrEqual(count);
    },
    async stop() {
      stopping.abort();
      await Promise.all(writers);
    },
  };
}

/** What holds at any one moment, as each of these pairs is written in one transaction. */
async function expectOneMoment(db: Database, acknowledged: readonly string[]): Promise<void> {
  const broken = await db.query(
    `SELECT s.org_id, s.id FROM sessions s LEFT JOIN messages m ON m.org_id = s.org_id AND m.session_id = s.id
     GROUP BY s.org_id, s.id, s.last_position
     HAVING count(m.id) <> s.last_position OR coalesce(max(m.position), 0) <> s.last_position`,
  );
  expect(broken).toEqual([]);
  const unaudited = await db.query(
    `SELECT p.name FROM projects p WHERE NOT EXISTS (SELECT 1 FROM audit_entries a
       WHERE a.org_id = p.org_id AND a.resource_id = p.id)`,
  );
  expect(unaudited).toEqual([]);
  const [counts] = await db.query<{ projects: number; answers: number }>(
    `SELECT (SELECT count(*) FROM projects) + (SELECT count(*) FROM sessions)
       + (SELECT count(*) FROM messages) AS projects,
       (SELECT count(*) FROM idempotency_keys WHERE status = 201) AS answers`,
  );
  expect(counts?.projects).toBe(counts?.answers);
  const names = await db.query<{ name: string }>('SELECT name FROM projects');
  const restored = new Set(names.map(({ name }) => name));
  expect(acknowledged.filter((name) => !restored.has(name))).toEqual([]);
}

async function tablesOf(db: Database): Promise<unknown[]> {
  return db.query(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`);
}

describe('the embedded database, with a server on it', () => {
  const dataDir = () => join(root, 'embedded');
  const archive = () => join(root, 'embedded.backup');

  it('is backed up under load, encrypted, and moves to PostgreSQL', async () => {
    const server = await startServer({ DATA_DIR: dataDir() });
    await server.waitForLine(/is running at|curl/);
    const file = await readFile(join(dataDir(), 'first-run.json'), 'utf8');
    const { key } = JSON.parse(file) as { key: string };
    const writer = keepWriting(server, key);
    await writer.reached(10);
    const before = [...writer.acknowledged];
    const args = ['backup', '--to', archive(), '--key-file', keyFile];
    const backedUp = await run(args, { DATA_DIR: dataDir() });
    expect(backedUp).toMatchObject({ code: 0, stderr: '' });
    await writer.stop();
    expect(writer.acknowledged.length).toBeGreaterThan(before.length);
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect((await readdir(dataDir())).toSorted()).toEqual(['db', 'first-run.json', 'secrets-key']);

    const target = await createEmptyDatabase('postgres');
    const env = { DATABASE_URL: target.url ?? '' };
    const restored = await run(['restore', '--from', archive(), '--key-file', keyFile], env);
    expect(restored).toEqual(backedUp);
    await expectOneMoment(target.db, before);
    const secretsKey = (await readFile(join(dataDir(), 'secrets-key'), 'utf8')).trim();
    const moved = await startServer({ ...env, SECRETS_KEY: secretsKey });
    expect((await moved.call('GET', '/api/projects', { key })).json.data.total).toBeGreaterThan(9);
    expect((await post(moved, { key, idempotencyKey: 'x', body: { name: 'X' } })).status).toBe(201);
    await moved.kill('SIGTERM');
    await target.drop();
  });

  it('a backup that is stopped leaves no file and no copy, and the server does not notice', async () => {
    const server = await startServer({ DATA_DIR: dataDir() });
    const stopped = atrium(['backup', '--to', '-'], { DATA_DIR: dataDir() });
    // Something was written, so the copy is open; the rest does not fit into the pipe.
    await new Promise((resolve) => stopped.child.stdout.once('readable', resolve));
    expect(existsSync(join(dataDir(), 'backup-copy'))).toBe(true);
    stopped.child.kill('SIGTERM');
    stopped.child.stdout.destroy();
    expect((await stopped.ended).code).toBe(1);
    expect(existsSync(join(dataDir(), 'backup-copy'))).toBe(false);
    const again = await run(['backup', '--to', archive()], { DATA_DIR: dataDir() });
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  });
});

describe('PostgreSQL, with a server on it', () => {
  let shared: Shared;
  let archive: string;
  let env: { DATABASE_URL: string };
  beforeAll(async () => {
    shared = await createShared();
    archive = join(root, 'postgres.backup');
    env = { DATABASE_URL: shared.url };
  });
  afterAll(() => shared.drop());

  it('is backed up under load, and moves to the embedded database', async () => {
    const server = await startServer(env);
    const writer = keepWriting(server, shared.org.owner.key);
    await writer.reached(30);
    const before = [...writer.acknowledged];
    const backedUp = await run(['backup', '--to', archive], env);
    expect(backedUp).toMatchObject({ code: 0, stderr: '' });
    await writer.stop();
    const dataDir = join(root, 'moved');
    expect(await run(['restore', '--from', archive], { DATA_DIR: dataDir })).toEqual(backedUp);
    const db = await openEmbedded(dataDir);
    await expectOneMoment(db, before);
    await db.close();
  });

  it('a backup that is killed leaves the older one as it was', async () => {
    const before = await readFile(archive);
    const { child, finish } = atrium(['backup', '--to', archive], env);
    await shared.db.transaction(async (tx) => {
      await tx.query('LOCK TABLE users');
      await waitForLock('relation');
      child.kill('SIGTERM');
      expect((await finish()).code).toBe(1);
    });
    expect(await readFile(archive)).toEqual(before);
    expect((await readdir(root)).filter((name) => name.includes('partial'))).toEqual([]);
  });

  it.each([
    ['a full disk', ['--to', '/dev/full'], /^atrium: --to \/dev\/full: ENOSPC: [^\n]*\n$/],
    ['no such folder', ['--to', '/nowhere/x'], /^atrium: --to \/nowhere\/x: ENOENT: [^\n]*\n$/],
  ])('%s: one line', async (_name, args, message) => {
    const failed = await run(['backup', ...args], env);
    expect(failed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(message) });
  });

  it('a reader that closes the pipe: one line', async () => {
    const { child, ended } = atrium(['backup', '--to', '-'], env);
    child.stdout.destroy();
    expect(await ended).toMatchObject({ code: 1, stderr: 'atrium: --to -: write EPIPE\n' });
  });

  async function waitForLock(type: string): Promise<void> {
    await expect
      .poll(
        () => shared.db.query('SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = $1', [type]),
        { timeout: 60_000 },
      )
      .toHaveLength(1);
  }

  describe('restoring', () => {
    let target: TestDatabase;
    let bytes: Buffer;
    beforeAll(async () => {
      target = await createEmptyDatabase('postgres');
      bytes = await readFile(archive);
    });
    afterAll(() => target.drop());

    /** Starts a restore that has half of the archive, and waits for the rest. */
    async function halfRestored(targetEnv: Record<string, string>, isBusy: () => Promise<boolean>) {
      const command = atrium(['restore', '--from', '-'], targetEnv);
      command.child.stdin.write(bytes.subarray(0, bytes.length / 2));
      await expect.poll(isBusy, { timeout: 60_000 }).toBe(true);
      return command;
    }
    const isWriting = async () => {
      const rows = await target.db.query(
        `SELECT 1 FROM pg_locks l WHERE l.locktype = 'advisory' AND l.granted
           AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
      return rows.length > 0;
    };

    it('killed in the middle: PostgreSQL is as empty as before', async () => {
      const { child, finish } = await halfRestored({ DATABASE_URL: target.url ?? '' }, isWriting);
      child.kill('SIGKILL');
      expect((await finish()).code).toBe(null);
      await expect.poll(isWriting, { timeout: 60_000 }).toBe(false);
      expect(await tablesOf(target.db)).toEqual([]);
    });

    it('a cut pipe: one line, and PostgreSQL is as empty as before', async () => {
      const { child, finish } = await halfRestored({ DATABASE_URL: target.url ?? '' }, isWriting);
      child.stdin.end();
      const failed = await finish();
      expect(failed).toMatchObject({ code: 1, stdout: '' });
      expect(failed.stderr).toMatch(/^atrium: the archive is damaged or incomplete: [^\n]*\n$/);
      expect(await tablesOf(target.db)).toEqual([]);
    });

    it('a slow pipe: a server that starts meanwhile waits, and serves all of it', async () => {
      const targetEnv = { DATABASE_URL: target.url ?? '' };
      const restoring = await halfRestored(targetEnv, isWriting);
      const starting = startServer(targetEnv);
      await expect
        .poll(
          () =>
            target.db.query(`SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'advisory'`),
          { timeout: 60_000 },
        )
        .toHaveLength(1);
      for (let at = Math.floor(bytes.length / 2); at < bytes.length; at += 500) {
        restoring.child.stdin.write(bytes.subarray(at, at + 500));
        await new Promise(setImmediate);
      }
      restoring.child.stdin.end();
      const restored = await restoring.finish();
      expect(restored).toMatchObject({ code: 0, stderr: '' });
      const server = await starting;
      const { key } = shared.org.owner;
      const { total } = (await server.call('GET', '/api/projects', { key })).json.data;
      expect(JSON.parse(restored.stdout).tables.projects.rows).toBe(total);
    });

    it('a database with tables: one line, nothing changed', async () => {
      const failed = await run(['restore', '--from', archive], { DATABASE_URL: target.url ?? '' });
      expect(failed).toMatchObject({ code: 1, stdout: '' });
      expect(failed.stderr).toMatch(/^atrium: the database is not empty: [^\n]*\n$/);
    });

    it('killed in the middle: the folder has no database, and the next restore makes it', async () => {
      const dataDir = join(root, 'killed');
      const isFilling = async () => existsSync(join(dataDir, 'db.new', 'PG_VERSION'));
      const { child, finish } = await halfRestored({ DATA_DIR: dataDir }, isFilling);
      const rival = await run(['migrate'], { DATA_DIR: dataDir });
      expect(rival.stderr).toContain(`in use by process ${child.pid}`);
      child.kill('SIGKILL');
      await finish();
      expect(existsSync(join(dataDir, 'db'))).toBe(false);
      const again = await run(['restore', '--from', archive], { DATA_DIR: dataDir });
      expect(again).toMatchObject({ code: 0, stderr: '' });
      expect(existsSync(join(dataDir, 'db.new'))).toBe(false);
      const over = await run(['restore', '--from', archive], { DATA_DIR: dataDir });
      expect(over.stderr).toMatch(/^atrium: DATA_DIR: already has a database, [^\n]*\n$/);
    });

    it('a disk that is full in the middle: one line, and the folder has no database', async () => {
      const dataDir = join(root, 'full');
      const preload = new URL('./fill-disk.ts', import.meta.url).href;
      const failed = await run(['restore', '--from', archive], {
        DATA_DIR: dataDir,
        NODE_OPTIONS: `--import=${preload}`,
        DISK_BYTES: '44000000',
      });
      expect(failed).toMatchObject({ code: 1, stdout: '' });
      expect(failed.stderr).toMatch(/^atrium: [^\n]*(No space left|ENOSPC)[^\n]*\n$/);
      expect(await readdir(dataDir)).toEqual([]);
    });
  });
});
