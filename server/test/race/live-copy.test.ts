import { existsSync } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../src/core/logger.ts';
import { openEmbedded } from '../../src/db/engines/embedded.ts';
import { CopyFailed, offerCopies, openLiveCopy } from '../../src/db/engines/live-copy.ts';
import type { Database } from '../../src/db/types.ts';
import { makeMemoryFolder } from './memory-folder.ts';

const log = createLogger('silent');
let root: string;
let folder: string;
let db: Database;
let stopCopies: () => Promise<void>;

beforeAll(async () => {
  root = await makeMemoryFolder('copy');
  // A socket's path must be short; that of a data folder need not be.
  folder = join(root, 'a'.repeat(120));
  await mkdir(folder);
  db = await openEmbedded(folder);
  await db.query('CREATE TABLE pairs (id bigint PRIMARY KEY, amount bigint NOT NULL, filler text)');
  await db.query('CREATE TABLE totals (at bigint PRIMARY KEY, pairs bigint NOT NULL)');
  stopCopies = await offerCopies(folder, db, log);
});
afterAll(async () => {
  await stopCopies();
  await db.close();
  await rm(root, { recursive: true });
});

/** In one transaction: two rows that add up to nothing, an update of old rows, and the new count. */
function writePair(number: number): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.query(
      `INSERT INTO pairs SELECT $1::bigint * 2 + sign, (2 * sign - 1) * $1::bigint, repeat('x', 2000)
       FROM generate_series(0, 1) AS sign`,
      [number],
    );
    await tx.query(
      `UPDATE pairs SET filler = repeat('y', 2000) WHERE id IN ($1::bigint, $1::bigint + 1)`,
      [Math.floor(number / 2) * 2],
    );
    await tx.query('INSERT INTO totals VALUES ($1::bigint, $1::bigint)', [number]);
    await tx.query('DELETE FROM totals WHERE at = $1::bigint - 20', [number]);
  });
}

/** Writes until told to stop; the number of transactions that were acknowledged. */
function keepWriting(from: number): { written: () => number; stop: () => Promise<void> } {
  let written = from;
  const stopping = new AbortController();
  const done = (async () => {
    while (!stopping.signal.aborted) {
      await writePair(written + 1);
      written++;
      // Pages are flushed, and log files fall free, while they are copied.
      if (written % 15 === 0) await db.query('CHECKPOINT');
    }
  })();
  return {
    written: () => written,
    async stop() {
      stopping.abort();
      await done;
    },
  };
}

describe('a copy of a database in use', () => {
  it('has every transaction that was acknowledged before, and later ones whole or not at all', async () => {
    let number = 0;
    for (let round = 0; round < 2; round++) {
      const writer = keepWriting(number);
      await expect.poll(writer.written, { timeout: 60_000 }).toBeGreaterThan(number + 25);
      const acknowledged = writer.written();
      const copy = await openLiveCopy(folder);
      expect((await stat(join(folder, 'backup-copy'))).mode & 0o777).toBe(0o700);
      const [found] = await copy.query<Record<string, number>>(
        `SELECT count(*) AS rows, sum(amount)::bigint AS sum, max(id) AS last,
           (SELECT max(pairs) FROM totals) AS counted, (SELECT count(*) FROM totals) AS totals
         FROM pairs`,
      );
      await copy.close();
      await writer.stop();
      number = writer.written();
      const counted = found?.['counted'] ?? 0;
      expect(counted).toBeGreaterThanOrEqual(acknowledged);
      expect(counted).toBeLessThanOrEqual(number + 1);
      const whole = { rows: 2 * counted, sum: 0, last: 2 * counted + 1, counted, totals: 20 };
      expect(found).toEqual(whole);
      expect(existsSync(join(folder, 'backup-copy'))).toBe(false);
    }
    expect(await db.query('SELECT slot_name FROM pg_replication_slots')).toEqual([]);
  });

  it('only one is made at a time', async () => {
    const first = await openLiveCopy(folder);
    await expect(openLiveCopy(folder)).rejects.toThrow(new CopyFailed('another backup is running'));
    await first.close();
  });

  it('is only for the owner of the folder', async () => {
    expect((await stat(join(folder, 'backup.sock'))).mode & 0o777).toBe(0o600);
  });

  it('fails if the server stops meanwhile, and leaves nothing behind', async () => {
    const copy = openLiveCopy(folder);
    const failure = expect(copy).rejects.toThrow(CopyFailed);
    await expect
      .poll(() => existsSync(join(folder, 'backup-copy', 'db', 'base')), {
        interval: 1,
        timeout: 60_000,
      })
      .toBe(true);
    await stopCopies();
    await failure;
    expect(existsSync(join(folder, 'backup-copy'))).toBe(false);
    await expect(openLiveCopy(folder)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await db.query('SELECT slot_name FROM pg_replication_slots')).toEqual([]);
    stopCopies = await offerCopies(folder, db, log);
  });
});
