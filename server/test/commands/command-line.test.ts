import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runCommandLine } from '../../src/commands/command-line.ts';
import { USAGE } from '../../src/commands/usage.ts';
import { MAIN, startCommand, type Finished } from '../harness/processes/command.ts';
import {
  createTestDatabase,
  createTestFolder,
  ENGINE,
  type TestDatabase,
} from '../harness/databases/database.ts';

let folder: string;
let database: TestDatabase | undefined;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-cli-'));
  if (ENGINE === 'postgres') database = await createTestDatabase();
  else await createTestFolder(join(folder, 'data'));
  env = {
    PATH: process.env['PATH'] ?? '',
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'warn',
    PORT: '0',
    ...(database?.url && { DATABASE_URL: database.url }),
  };
});
afterAll(async () => {
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

const start = (args: string[]) => startCommand(args, env);

/** In this process, which has loaded the modules; `start` shows that it is the same in one of its own. */
async function run(args: string[], extra: Record<string, string> = {}): Promise<Finished> {
  const output = { stdout: '', stderr: '' };
  for (const [name, value] of Object.entries({ ...env, ...extra })) vi.stubEnv(name, value);
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      output[name] += text.toString();
      return true;
    }),
  );
  try {
    return { code: await runCommandLine(args), ...output };
  } finally {
    vi.unstubAllEnvs();
    for (const spy of spies) spy.mockRestore();
  }
}

describe('admin commands', () => {
  it('create an org, people and keys, and print one line of JSON each', async () => {
    const named = ['--name', 'Acme', '--owner-email', 'Boss@Example.com'];
    const made = await start(['admin', 'create-org', ...named]).finished;
    expect(made.code, made.stderr).toBe(0);
    expect(made.stdout.trim().split('\n')).toHaveLength(1);
    const org = JSON.parse(made.stdout);
    expect(org).toEqual({
      orgId: expect.stringMatching(/^c[a-z0-9]{24}$/),
      userId: expect.stringMatching(/^c[a-z0-9]{24}$/),
      email: 'Boss@Example.com',
      key: expect.stringMatching(/^atr_/),
    });
    const args = ['--org', org.orgId, '--email', 'ann@example.com'];
    const user = JSON.parse(
      (await run(['admin', 'create-user', ...args, '--role', 'member'])).stdout,
    );
    expect(Object.keys(user)).toEqual(['userId', 'email', 'key']);
    const key = JSON.parse(
      (await run(['admin', 'create-key', ...args, '--scopes', 'projects:read'])).stdout,
    );
    expect(Object.keys(key)).toEqual(['keyId', 'key']);
    const again = await run(['admin', 'create-user', ...args, '--role', 'ADMIN']);
    expect([again.code, again.stderr]).toEqual([
      2,
      expect.stringContaining('is already a member of this org'),
    ]);
  }, 120_000);

  it('create a sign-in link, without email', async () => {
    const secret = { SECRETS_KEY: 'A'.repeat(43) };
    const email = 'link@example.com';
    const org = await run(['admin', 'create-org', '--name', 'Linked', '--owner-email', email]);
    expect(org.code, org.stderr).toBe(0);
    const made = await run(['admin', 'sign-in-link', '--email', email.toUpperCase()], secret);
    expect(made.code, made.stderr).toBe(0);
    expect(JSON.parse(made.stdout)).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:0\/sign-in#token=\w{43}$/),
    });
    const unknown = await run(['admin', 'sign-in-link', '--email', 'nobody@example.com'], secret);
    expect([unknown.code, unknown.stdout]).toEqual([2, '']);
    expect(unknown.stderr).toContain('there is no user with the address nobody@example.com');
  }, 60_000);

  it('of an org that does not exist: exit 2, says what is wrong', async () => {
    const args = ['--org', 'c', '--email', 'a@b.c', '--role', 'MEMBER'];
    const { code, stderr } = await run(['admin', 'create-user', ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain('--org: no organisation has the id c');
    expect(stderr).toContain('Usage:');
  });

  it.each([
    [[], 'no command; to start a server, use `serve`'],
    [['fly'], 'unknown command "fly"'],
    [['admin', 'fly'], 'unknown admin command "fly"'],
    [['admin', 'create-org', '--colour', 'red'], '--colour'],
    [['admin', 'create-org', '--name', 'x'], '--owner-email is required'],
    [['admin', 'create-org', '--name', 'x', '--owner-email', 'no'], 'is not an email address'],
    [['admin', 'create-key', '--org', 'c', '--email', 'a@b.c', '--scopes', 'fly'], 'fly'],
    [['serve', '--fast'], 'unknown option "--fast" for serve'],
    [['secrets', 'seal'], 'unknown secrets command'],
    [['doctor', '--fix'], 'unknown option "--fix" for doctor'],
    [['memory', 'stats'], 'unknown memory command'],
    [['memory', 'import', '--org', 'c'], 'memory import needs one file'],
    [['memory', 'import', MAIN], '--org is required'],
  ])('%j: exit 2, before the database is opened', async (args, message) => {
    const unused = join(folder, 'unused');
    const { code, stderr } = await run(args, { DATABASE_URL: '', DATA_DIR: unused });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toContain('Usage:');
    expect(existsSync(unused)).toBe(false);
  });

  it.each([[['--help']], [['-h']], [['help']], [['serve', '--help']]])(
    '%j: prints the usage, and does nothing else',
    async (args) => {
      const unused = join(folder, 'unused');
      const ended = await run(args, { DATABASE_URL: '', DATA_DIR: unused });
      expect(ended).toEqual({ code: 0, stdout: USAGE, stderr: '' });
      expect(existsSync(unused)).toBe(false);
    },
  );

  it('an invalid variable stops the start with one line', async () => {
    const { code, stderr } = await run(['serve'], { PORT: 'http' });
    expect([code, stderr]).toEqual([
      1,
      'atrium: PORT: must be a whole number from 0 to 65535, not "http"\n',
    ]);
  });
});

describe('memory status', () => {
  it('prints how many memories are embedded, in one line of JSON', async () => {
    const { code, stdout, stderr } = await start(['memory', 'status']).finished;
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe('{"model":"all-MiniLM-L6-v2-atrium-1","ready":0,"pending":0}\n');
  }, 120_000);
});

describe('doctor', () => {
  it('exits with 1 if a check fails, after printing all of them', async () => {
    const { code, stdout, stderr } = await run(['doctor', '--json'], {
      DATABASE_URL: '',
      DATA_DIR: '/proc/atrium',
    });
    expect([code, stderr]).toEqual([1, '']);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false });
    const fine = await run(['doctor'], { DATABASE_URL: '', DATA_DIR: join(folder, 'none') });
    expect([fine.code, fine.stderr]).toEqual([0, '']);
  }, 120_000);
});

// In processes of their own, as an import lowers the priority of its process.
describe('memory import', () => {
  it('reads a file or standard input, and prints one line of JSON', async () => {
    const email = 'import@example.com';
    const made = await run(['admin', 'create-org', '--name', 'Import', '--owner-email', email]);
    const options = ['--org', JSON.parse(made.stdout).orgId, '--email', email];
    const file = join(folder, 'memories.jsonl');
    const line = (content: string) => `${JSON.stringify({ content, visibility: 'PRIVATE' })}\n`;
    await writeFile(file, line('one') + line('two'));
    const first = await start(['memory', 'import', file, ...options]).finished;
    expect(first).toEqual({
      code: 0,
      stdout: '{"lines":2,"imported":2,"skipped":0}\n',
      stderr: '',
    });
    const { child, finished } = start(['memory', 'import', '-', ...options]);
    child.stdin.end(`${line('two')}${line('three')}{`);
    expect(await finished).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^atrium: Line 3: the body is not valid JSON\. Imported up to line 0/,
      ),
    });
  }, 120_000);

  it.each([
    [['memory', 'import', MAIN, '--org', 'c'], 2, '--org: no organisation has the id c'],
    [['memory', 'import', join(MAIN, 'x'), '--org', 'c'], 1, 'Cannot read'],
  ])('%j: exit %i, says what is wrong', async (args, code, message) => {
    const finished = await start(args).finished;
    expect(finished.code).toBe(code);
    expect(finished.stderr).toContain(message);
  });
});
