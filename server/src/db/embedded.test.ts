import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from './types.ts';
import { openEmbedded } from './embedded.ts';

let folder: string;
let db: Database;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-embedded-'));
  db = await openEmbedded(folder);
});
afterAll(async () => {
  await db.close();
  await rm(folder, { recursive: true });
});

describe('the embedded database', () => {
  it('lets the event loop run between any two queries, so that many do not block it', async () => {
    let rounds = 0;
    let isDone = false;
    const goRound = () => {
      rounds++;
      if (!isDone) setImmediate(goRound);
    };
    goRound();
    const served: number[] = [];
    const ask = () => db.query('SELECT 1 AS one').then(() => served.push(rounds));
    const commit = () =>
      db.transaction((tx) => tx.query('SELECT 2 AS two')).then(() => served.push(rounds));
    await Promise.all(Array.from({ length: 10 }, () => [ask(), commit()]).flat());
    isDone = true;
    expect(new Set(served).size).toBe(20);
  });

  it('never adds megabytes to an index at once', async () => {
    const shown = await db.query('SHOW gin_pending_list_limit');
    expect(shown).toEqual([{ gin_pending_list_limit: '64kB' }]);
  });
});
