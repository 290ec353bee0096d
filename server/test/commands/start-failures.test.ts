import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCommand, type Finished } from '../harness/processes/command.ts';
import { createTestFolder, ENGINE } from '../harness/databases/database.ts';
import { diagnose } from '../harness/processes/diagnosis.ts';
import { CAN_MOUNT, runOnDisk, runWithFileLimit } from '../harness/databases/limited-disk.ts';
import { asAdmin, databaseUrl, ON_CITUS, runOn } from '../harness/databases/postgres-servers.ts';

/** What an operator sees: one line that says what happened and what to do, and exit code 1. */
function expectOneLine({ code, stdout, stderr }: Finished, line: RegExp): void {
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^atrium: [^\n]+\n$/)]);
  expect(stderr).toMatch(line);
}

let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-start-'));
  env = {
    PATH: process.env['PATH'] ?? '',
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'warn',
    PORT: '0',
  };
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.runIf(ENGINE === 'embedded')('a disk that takes no more', () => {
  const SERVE = ['serve', '--no-web'];
  const TOO_LARGE = /EFBIG.*raise the size that a file may have/;

  it('has no room for the secrets key: one line that names DATA_DIR', async () => {
    expectOneLine(await runWithFileLimit(0, SERVE, env), TOO_LARGE);
    expect(await readdir(join(folder, 'data'))).toEqual([]);
  });

  it('has no room for the lock: one line that names DATA_DIR', async () => {
    const keyed = { ...env, SECRETS_KEY: 'A'.repeat(43) };
    expectOneLine(await runWithFileLimit(0, SERVE, keyed), TOO_LARGE);
  });

  it('has no room for a new database: one line, and no half of one is left', async () => {
    const ended = await runWithFileLimit(8_000, ['migrate'], env);
    expectOneLine(ended, /the embedded database stopped: .*; check the disk of DATA_DIR/);
    expect(await readdir(join(folder, 'data'))).toEqual([]);
  });

  it.runIf(CAN_MOUNT).each([
    ['size=4k', /DATA_DIR: cannot use .*ENOSPC.*; free some space on its disk/],
    ['size=1m', /embedded database stopped: .*\(ENOSPC\); free some space/],
    ['size=1m,ro', /DATA_DIR: cannot use .*EROFS.*; mount its disk for writing/],
  ])('mounted with %s: one line', async (options, line) => {
    const disk = join(folder, 'disk');
    await mkdir(disk, { recursive: true });
    const onDisk = { ...env, DATA_DIR: join(disk, 'data') };
    expectOneLine(await runOnDisk(disk, options, SERVE, onDisk), line);
  });

  it('has no room for what an existing database writes at a start: one line', async () => {
    const dataDir = join(folder, 'existing');
    await createTestFolder(dataDir);
    const started = { ...env, DATA_DIR: dataDir };
    const ended = await runWithFileLimit(0, ['memory', 'status'], started);
    expectOneLine(ended, TOO_LARGE);
    // One block is enough for the lock, and not for the engine.
    const later = await runWithFileLimit(1, ['memory', 'status'], started);
    expectOneLine(
      later,
      /the embedded database stopped: .*No space left on device; free some space/,
    );
  });

  it('cannot take first-run.json: one line', async () => {
    const dataDir = join(folder, 'first-run');
    await createTestFolder(dataDir);
    await mkdir(join(dataDir, 'first-run.json'));
    const ended = await startCommand(SERVE, { ...env, DATA_DIR: dataDir }).finished;
    expectOneLine(ended, /DATA_DIR: cannot use .*EISDIR.*first-run\.json/);
  });
});

it.runIf(ENGINE === 'embedded')('a HOST that has no address: one line', async () => {
  const dataDir = join(folder, 'host');
  await createTestFolder(dataDir);
  const named = { ...env, DATA_DIR: dataDir, HOST: 'no-such-host.invalid' };
  const ended = await startCommand(['serve', '--no-web'], named).finished;
  expectOneLine(ended, /^atrium: HOST: no address was found for this name$/m);
});

describe.runIf(ENGINE === 'postgres' && !ON_CITUS)('PostgreSQL', () => {
  const name = `atrium_start_${randomBytes(4).toString('hex')}`;
  const plain = () => {
    const url = new URL(databaseUrl(name));
    url.username = name;
    return url.href;
  };
  beforeAll(async () => {
    await asAdmin(`CREATE ROLE ${name} LOGIN`);
    await asAdmin(`CREATE DATABASE ${name} OWNER ${name}`);
  });
  afterAll(async () => {
    await asAdmin(`DROP DATABASE ${name} WITH (FORCE)`);
    await asAdmin(`DROP ROLE ${name}`);
  });
  const migrate = (DATABASE_URL: string) =>
    startCommand(['migrate'], { ...env, DATABASE_URL }).finished;

  it('whose role may not create pgvector: migrate and doctor say which statement to run', async () => {
    const statement = /a superuser has to run `CREATE EXTENSION vector;` in this database/i;
    expectOneLine(await migrate(plain()), statement);
    const { pgvector, migrations } = await diagnose({ DATABASE_URL: plain() });
    expect(pgvector).toMatchObject({
      status: 'failed',
      message: 'permission denied to create extension "vector" (42501)',
      advice: expect.stringMatching(statement),
    });
    expect(migrations?.advice).toContain('Correct pgvector first');
    // Trying it has left nothing behind, and the statement is all that was missing.
    await runOn(databaseUrl(name), 'CREATE EXTENSION vector');
    expect(await migrate(plain())).toMatchObject({ code: 0, stderr: '' });
    expect((await diagnose({ DATABASE_URL: plain() }))['pgvector']?.status).toBe('ok');
  });

  it('with a pgvector that is too old: one line with the statement that updates it', async () => {
    await runOn(
      databaseUrl(name),
      'CREATE SCHEMA pretended',
      `CREATE VIEW pretended.pg_extension AS SELECT '0.7.4'::text AS extversion, 'vector'::name AS extname`,
      'GRANT USAGE ON SCHEMA pretended TO PUBLIC',
      'GRANT SELECT ON pretended.pg_extension TO PUBLIC',
      `ALTER DATABASE ${name} SET search_path = pretended, pg_catalog, public`,
    );
    const statement = 'a superuser has to run `ALTER EXTENSION vector UPDATE;` in this database';
    const line = `atrium: DATABASE_URL: pgvector version 0.7.4 is too old; ${statement}\n`;
    expect(await migrate(plain())).toEqual({ code: 1, stdout: '', stderr: line });
    const { pgvector } = await diagnose({ DATABASE_URL: plain() });
    expect(pgvector?.advice).toContain('`ALTER EXTENSION vector UPDATE;`');
    await runOn(databaseUrl(name), `ALTER DATABASE ${name} RESET search_path`);
  });

  it('whose disk is full during a migration: one line', async () => {
    await runOn(
      databaseUrl(name),
      'DELETE FROM schema_migrations WHERE version = (SELECT max(version) FROM schema_migrations)',
      `CREATE FUNCTION fail() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
         RAISE EXCEPTION 'could not extend file "base/5/1": No space left on device' USING ERRCODE = 'disk_full';
       END $$`,
      'CREATE EVENT TRIGGER full_disk ON ddl_command_start EXECUTE FUNCTION fail()',
    );
    const line =
      /the database cannot write to its disk: .*No space left on device; free some space/;
    expectOneLine(await migrate(plain()), line);
    await runOn(databaseUrl(name), 'DROP EVENT TRIGGER full_disk');
  });

  it('that can only be read, as a standby: one line', async () => {
    await runOn(databaseUrl(name), `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    expectOneLine(await migrate(plain()), /read-only transaction; is this a standby\?/);
  });

  it.each([
    ['says nothing', '', /cannot connect: .*; is this the address of a PostgreSQL/],
    ['is something else', 'HTTP/1.1 400 Bad Request\r\n\r\n', /cannot connect: /],
  ])('that %s: one line', async (_, answer, line) => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', () => answer && socket.end(answer));
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    expectOneLine(await migrate(`postgres://ada:hush@127.0.0.1:${port}/atrium`), line);
    server.close();
  });

  it('that has no such role, or no TLS: one line', async () => {
    const url = new URL(plain());
    url.username = 'nobody';
    expectOneLine(await migrate(url.href), /^atrium: DATABASE_URL: role "nobody" does not exist$/m);
    const encrypted = await migrate(`${plain()}?sslmode=verify-full`);
    expectOneLine(encrypted, /cannot connect: The server does not support SSL connections/);
  });
});
