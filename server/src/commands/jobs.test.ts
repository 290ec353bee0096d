import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import {
  createTestDatabase,
  ENGINE,
  type TestDatabase,
} from '../../test/harness/databases/database.ts';
import { readConfig, type Config } from '../config/config.ts';
import { createLogger } from '../core/logger.ts';
import { runJobs } from './jobs.ts';

let database: TestDatabase | undefined;
let config: Config;
const log = createLogger('silent');

/** The embedded engine takes seconds to open for each command; its SQL is tested in jobs.test.ts. */
const isQuick = ENGINE === 'postgres';

beforeAll(async () => {
  if (isQuick) database = await createTestDatabase();
  config = readConfig({ DATABASE_URL: database?.url });
  await database?.db.query(
    `INSERT INTO jobs (kind, payload, run_at, attempts, last_error, dead_at)
     SELECT 'mail', '{"secret":1}', now(), 10, 'Error: refused', CASE WHEN n > 1 THEN now() END
     FROM generate_series(1, 702) AS n`,
  );
});
afterAll(() => database?.drop());

async function run(...args: string[]): Promise<unknown[]> {
  let printed = '';
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  try {
    await runJobs(config, log, args);
  } finally {
    spy.mockRestore();
  }
  return printed
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown);
}

it.runIf(isQuick)('lists dead jobs, one line each, and runs them again', async () => {
  const dead = (await run('dead')) as { id: number }[];
  expect(dead).toHaveLength(701);
  expect(dead[0]).toEqual({
    id: expect.any(Number),
    kind: 'mail',
    attempts: 10,
    lastError: 'Error: refused',
    diedAt: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  const id = String(dead[0]?.id);
  expect(await run('retry', '--id', id)).toEqual([{ retried: 1 }]);
  expect(await run('retry', '--id', id)).toEqual([{ retried: 0 }]);
  expect(await run('retry', '--all')).toEqual([{ retried: 700 }]);
  expect(await run('dead')).toEqual([]);
});

it.each([
  [['fly'], 'unknown jobs command "fly"'],
  [[], 'unknown jobs command ""'],
  [['dead', '--all'], 'takes no options'],
  [['retry'], 'either --id or --all'],
  [['retry', '--id', '1', '--all'], 'either --id or --all'],
  [['retry', '--id', '1x'], `--id: "1x" is not a job id`],
  [['retry', '--colour', 'red'], '--colour'],
])('%j: says what is wrong', async (args, message) => {
  await expect(run(...args)).rejects.toThrow(message);
});
