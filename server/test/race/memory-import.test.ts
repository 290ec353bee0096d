import { writeFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readStatistics } from '../harness/models/memory-statistics.ts';
import { createShared, type Shared } from './cluster.ts';
import { killAll, spawnNode, startServer, withoutModel, type Spawned } from './processes.ts';

const SAME_PRIORITY = `--import=${new URL('./same-priority.ts', import.meta.url).href}`;

let shared: Shared;
let folder: string;

beforeAll(async () => {
  shared = await createShared();
  folder = await mkdtemp(join(tmpdir(), 'atrium-import-'));
});
afterEach(killAll);
afterAll(async () => {
  await shared.drop();
  await rm(folder, { recursive: true });
});

async function writeLines(name: string, count: number): Promise<string> {
  const file = join(folder, name);
  const lines = Array.from({ length: count }, (_, at) =>
    JSON.stringify({ content: `${name} ${at}`, visibility: 'ORG', tags: [name] }),
  );
  await writeFile(file, lines.join('\n'));
  return file;
}

function spawnImport(file: string): Spawned {
  const args = ['memory', 'import', file, '--org', shared.org.orgId];
  const settings = { DATABASE_URL: shared.url, LOG_LEVEL: 'fatal', NODE_OPTIONS: SAME_PRIORITY };
  return spawnNode('../../src/main.ts', args, withoutModel(settings));
}

async function resultOf(importing: Spawned) {
  const { code } = await importing.exited;
  expect(code, importing.lines.join('\n')).toBe(0);
  return JSON.parse(importing.lines[0] ?? '');
}

async function contents(tag: string): Promise<string[]> {
  const rows = await shared.db.query<{ content: string }>(
    'SELECT content FROM memories WHERE org_id = $1 AND tags @> $2 ORDER BY position',
    [shared.org.orgId, [tag]],
  );
  const { kept, counted } = await readStatistics(shared.db, shared.org.orgId);
  expect(kept).toEqual(counted);
  return rows.map(({ content }) => content);
}

const expected = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${name} ${at}`);

describe('memory import', () => {
  it('killed while it commits a batch: all of it is there or nothing, and a second run adds the rest', async () => {
    const file = await writeLines('killed', 250);
    const first = await shared.db.transaction(async (tx) => {
      // Holds what the import locks last: its first batch is written, but can't be committed.
      await tx.query(
        `INSERT INTO memory_scopes AS s (org_id, scope, memories) VALUES ($1, 'ORG', 0)
         ON CONFLICT (org_id, scope) DO UPDATE SET memories = s.memories`,
        [shared.org.orgId],
      );
      const importing = spawnImport(file);
      await untilWaiting(1);
      return importing.kill();
    });
    expect(first.signal).toBe('SIGKILL');
    // A packet that ends with COMMIT may have arrived before the kill, and then runs to its end.
    await untilWaiting(0);
    const { length: skipped } = await contents('killed');
    expect([0, 100]).toContain(skipped);
    const imported = 250 - skipped;
    expect(await resultOf(spawnImport(file))).toEqual({ lines: 250, imported, skipped });
    expect(await contents('killed')).toEqual(expected('killed', 250));
  });

  it('killed at any time, again and again: in the end every line is there once', async () => {
    const file = await writeLines('often', 300);
    let before = -1;
    for (let found = 0; found < 300; found = (await contents('often')).length) {
      expect(found).toBeGreaterThan(before);
      before = found;
      const importing = spawnImport(file);
      await Promise.race([untilMore('often', found), importing.exited]);
      await importing.kill();
    }
    expect(await resultOf(spawnImport(file))).toEqual({ lines: 300, imported: 0, skipped: 300 });
    expect(await contents('often')).toEqual(expected('often', 300));
  });

  it('twice at once beside a running server: every line is there once, and found', async () => {
    const file = await writeLines('twice', 300);
    const server = await startServer({ DATABASE_URL: shared.url }, ['--no-worker']);
    const results = await Promise.all([spawnImport(file), spawnImport(file)].map(resultOf));
    expect(results[0].imported + results[1].imported).toBe(300);
    expect((await contents('twice')).toSorted()).toEqual(expected('twice', 300).toSorted());
    const body = { query: 'twice 217', limit: 1 };
    const found = await server.call('POST', '/api/memory/search', {
      key: shared.org.member.key,
      body,
    });
    expect(found.json.data.items[0].content).toBe('twice 217');
  });
});

/** Until this many others are in a transaction on this database: one waits for a lock, or all are done. */
async function untilWaiting(count: 0 | 1): Promise<void> {
  const condition = count === 1 ? `wait_event_type = 'Lock'` : `state <> 'idle'`;
  for (;;) {
    const found = await shared.db.query(
      `SELECT 1 FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND ${condition}`,
    );
    if (found.length === count) return;
    await sleep(20);
  }
}

async function untilMore(tag: string, than: number): Promise<void> {
  for (;;) {
    const [row] = await shared.db.query<{ count: number }>(
      'SELECT count(*) FROM memories WHERE org_id = $1 AND tags @> $2',
      [shared.org.orgId, [tag]],
    );
    if ((row?.count ?? 0) > than) return;
    await sleep(5);
  }
}
