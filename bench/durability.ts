import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import {
  EMBEDDED_EXTENSIONS,
  embeddedDatabase,
  openEmbedded,
} from '../server/src/db/engines/embedded.ts';
import type { Database } from '../server/src/db/types.ts';
import { median } from './load.ts';

const ROUNDS = 5;
const COMMITS = 200;
const PAGE = Buffer.alloc(8192, 1);

/** What a commit on the embedded engine costs with and without syncs, and what one sync costs. */
export async function benchDurability(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-durability-'));
  const durable = await openEmbedded(join(folder, 'durable'));
  const unsynced = embeddedDatabase(
    new PGlite({ dataDir: join(folder, 'unsynced'), extensions: EMBEDDED_EXTENSIONS }),
  );
  try {
    for (const db of [durable, unsynced]) {
      await db.query('CREATE TABLE commits (n integer PRIMARY KEY, body text)');
      await commitMs(db, -1);
    }
    const times = { withSync: [] as number[], without: [] as number[], sync: [] as number[] };
    for (let round = 0; round < ROUNDS; round++) {
      times.withSync.push(await commitMs(durable, round));
      times.without.push(await commitMs(unsynced, round));
      times.sync.push(syncMs(join(folder, 'probe')));
    }
    const [a, b, c] = [median(times.withSync), median(times.without), median(times.sync)];
    process.stdout.write(
      `durability: a commit ${a.toFixed(2)} ms, without syncs ${b.toFixed(2)} ms: ${(a / b).toFixed(2)} times; one sync of 8 kB ${c.toFixed(2)} ms\n`,
    );
  } finally {
    await durable.close();
    await unsynced.close();
    await rm(folder, { recursive: true });
  }
}

async function commitMs(db: Database, round: number): Promise<number> {
  const started = performance.now();
  for (let no = 0; no < COMMITS; no++) {
    await db.transaction(async (tx) => {
      tx.atCommit('INSERT INTO commits VALUES ($1, $2)', [round * COMMITS + no, 'x'.repeat(500)]);
    });
  }
  return (performance.now() - started) / COMMITS;
}

function syncMs(file: string): number {
  const fd = openSync(file, 'w');
  const started = performance.now();
  for (let no = 0; no < COMMITS; no++) {
    writeSync(fd, PAGE, 0, PAGE.length, 0);
    fsyncSync(fd);
  }
  const took = performance.now() - started;
  closeSync(fd);
  return took / COMMITS;
}
