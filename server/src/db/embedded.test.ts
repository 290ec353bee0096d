import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countRounds } from '../../test/harness/count-rounds.ts';
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
    const { rounds, stop } = countRounds();
    const served: number[] = [];
    const ask = () => db.query('SELECT 1 AS one').then(() => served.push(rounds()));
    const commit = () =>
      db.transaction((tx) => tx.query('SELECT 2 AS two')).then(() => served.push(rounds()));
    await Promise.all(Array.from({ length: 10 }, () => [ask(), commit()]).flat());
    stop();
    expect(new Set(served).size).toBe(20);
  });

  it('runs short reads before the transactions that wait, and none of those waits forever', async () => {
    const order: string[] = [];
    const note = (name: string) => () => void order.push(name);
    const read = (name: string) => db.sharedRead('SELECT 1 AS one').then(note(name));
    const write = (name: string, meanwhile: () => unknown = () => {}) =>
      db
        .transaction(async (tx) => {
          await tx.query('SELECT 2 AS two');
          meanwhile();
        })
        .then(note(name));
    const later: Promise<void>[] = [];
    const ask = () => later.push(read('read 3'), read('read 4'));
    await Promise.all([write('1'), write('2', ask), write('3'), read('read 1'), read('read 2')]);
    await Promise.all(later);
    expect(order).toEqual(['1', 'read 1', 'read 2', '2', 'read 3', 'read 4', '3']);
  });

  it('never adds megabytes to an index at once', async () => {
    const shown = await db.query('SHOW gin_pending_list_limit');
    expect(shown).toEqual([{ gin_pending_list_limit: '64kB' }]);
  });
});
