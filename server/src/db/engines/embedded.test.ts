import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countRounds } from '../../../test/harness/counting/count-rounds.ts';
import { useFolder } from '../../../test/harness/use-folder.ts';
import type { Database } from '../types.ts';
import { checkpointIfDue } from './checkpoints.ts';
import { openEmbedded } from './embedded.ts';

const folder = useFolder();
let db: Database;

beforeAll(async () => {
  db = await openEmbedded(folder.path);
});
afterAll(() => db.close());

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

  it('lets orgs take turns, so that the queue of one does not hold up another', async () => {
    const order: string[] = [];
    const ask = (org: string, kind: 'query' | 'sharedRead') =>
      db[kind]('SELECT $1::text AS org', [org]).then(() => void order.push(`${org} ${kind}`));
    const write = (org: string) =>
      db
        .transaction((tx) => tx.query('SELECT $1::text AS org', [org]))
        .then(() => void order.push(`${org} transaction`));
    const many = (one: () => Promise<void>) => Array.from({ length: 3 }, one);
    await Promise.all([
      ...many(() => ask('busy', 'query')),
      ...many(() => write('busy')),
      ...many(() => ask('busy', 'sharedRead')),
      ask('other', 'query'),
      ask('other', 'sharedRead'),
    ]);
    expect(order.indexOf('other sharedRead')).toBeLessThanOrEqual(2);
    expect(order.indexOf('other query')).toBeLessThanOrEqual(5);
  });

  it('forces its log to disk before it acknowledges a commit, and for no read', async () => {
    const events: string[] = [];
    const original = fs.fsyncSync;
    fs.fsyncSync = (fd) => {
      original(fd);
      events.push(fs.readlinkSync(`/proc/self/fd/${fd}`).slice(folder.path.length, -24));
    };
    syncBuiltinESMExports();
    try {
      await db.query('CREATE TABLE written (n integer)');
      events.length = 0;
      await db.query('SELECT count(*) FROM written');
      events.push('read');
      await db.query('INSERT INTO written VALUES (1)');
      events.push('written');
      await db.transaction((tx) => tx.query('INSERT INTO written VALUES (2), (3)'));
      events.push('committed');
    } finally {
      fs.fsyncSync = original;
      syncBuiltinESMExports();
    }
    expect(events).toEqual(['read', '/db/pg_wal/', 'written', '/db/pg_wal/', 'committed']);
  });

  it('makes a checkpoint when its log has grown, and not before', async () => {
    const last = async () => {
      const [row] = await db.query<{ at: string }>(
        'SELECT checkpoint_lsn::text AS at FROM pg_control_checkpoint()',
      );
      return row?.at;
    };
    await db.query('CREATE TABLE logged (n integer)');
    await db.query('CHECKPOINT');
    const first = await last();
    await db.query('INSERT INTO logged VALUES (0)');
    await checkpointIfDue(db);
    expect(await last()).toBe(first);
    for (let segment = 1; segment <= 3; segment++) {
      await db.query('INSERT INTO logged VALUES ($1)', [segment]);
      await db.query('SELECT pg_switch_wal()');
    }
    await checkpointIfDue(db);
    expect(await last()).not.toBe(first);
  });

  it('never adds megabytes to an index at once', async () => {
    const shown = await db.query('SHOW gin_pending_list_limit');
    expect(shown).toEqual([{ gin_pending_list_limit: '64kB' }]);
  });
});
