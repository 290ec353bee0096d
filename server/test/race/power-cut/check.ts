import { writeSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { deserialize } from 'node:v8';
import { PGlite } from '@electric-sql/pglite';
import { amcheck } from '@electric-sql/pglite/contrib/amcheck';
import { EMBEDDED_EXTENSIONS, openEmbedded } from '../../../src/db/engines/embedded.ts';
import { migrate } from '../../../src/db/migrating/migrate.ts';
import type { Database } from '../../../src/db/types.ts';
import { restoreDisk, type IgnoredSyncs } from './disk.ts';
import { randomFrom } from '../../harness/random.ts';
import type { Recording } from './recorder.ts';
import { BODY, PLACE, SLOTS, WORDS } from './workload.ts';

/** A moment of the recording at which the power is cut, and what must be there afterwards. */
export interface PowerCut {
  at: number;
  seed: number;
  /** Which syncs the disk is taken to ignore; default: none. */
  ignores?: IgnoredSyncs;
  hasTables: boolean;
  /** The last step that was acknowledged, and the last that could be there. */
  acknowledged: number;
  begun: number;
  indexes: string[];
}

/** Restores the disk as each cut leaves it, and says what is wrong with it. */
const [recordingFile = '', folder = ''] = process.argv.slice(2);
const recording = deserialize(await readFile(recordingFile)) as Recording;
process.stdout.write('ready\n');
for await (const line of createInterface({ input: process.stdin })) {
  const cut = JSON.parse(line) as PowerCut;
  const problem = await check(cut).catch((error: unknown) => String(error));
  answer(problem);
}

function answer(problem: string | undefined): void {
  writeSync(1, `checked ${JSON.stringify(problem ?? null)}\n`);
}

async function check(cut: PowerCut): Promise<string | undefined> {
  await rm(folder, { recursive: true, force: true });
  restoreDisk(recording, cut, randomFrom(cut.seed), folder);
  const dataDir = join(folder, 'data');
  await endLastBoot(join(dataDir, 'lock'));
  return findProblem(dataDir, cut);
}

/** The lock names this boot, and a power cut ends it. */
async function endLastBoot(lock: string): Promise<void> {
  const text = await readFile(lock, 'utf8').catch(() => undefined);
  if (text !== undefined) await writeFile(lock, text.replace(/"bootId":"[^"]*/, '"bootId":"last'));
}

/** Starts the engine on the folder, as a server does. */
async function findProblem(dataDir: string, cut: PowerCut): Promise<string | undefined> {
  const db = await openEmbedded(dataDir, (reason) => {
    answer(reason);
    process.exit(1);
  });
  let problem: string | undefined;
  try {
    await migrate(db);
    problem = await findMissing(db, cut);
  } finally {
    await db.close();
  }
  return problem ?? (await findDamage(join(dataDir, 'db')));
}

async function findMissing(db: Database, cut: PowerCut): Promise<string | undefined> {
  const [found] = await db.query<{ tables: number }>(
    `SELECT count(*)::integer AS tables FROM pg_class
     WHERE relname IN ('steps', 'slots', 'total') AND relkind = 'r'`,
  );
  if (found?.tables === 0 && !cut.hasTables) return undefined;
  if (found?.tables !== 3) return `${found?.tables} of 3 tables`;
  for (const index of cut.indexes) {
    const valid = await db.query(
      `SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND indisvalid`,
      [index],
    );
    if (valid.length !== 1) return `no index ${index}`;
  }
  const [row] = await db.query<
    Record<'n' | 'rows' | 'altered' | 'sum' | 'slots' | 'wrong', number>
  >(
    `SELECT (SELECT coalesce(max(n), 0) FROM steps) AS n,
            (SELECT count(*)::integer FROM steps) AS rows,
            (SELECT count(*)::integer FROM steps WHERE body <> ${BODY}) AS altered,
            (SELECT sum FROM total) AS sum,
            (SELECT count(*)::integer FROM slots) AS slots,
            (SELECT count(*)::integer FROM slots
             WHERE n <= (SELECT max(n) FROM steps) - ${SLOTS} OR n > (SELECT max(n) FROM steps)
                OR slot <> n % ${SLOTS} OR words <> ${WORDS} OR place <> ${PLACE}) AS wrong`,
  );
  const n = row?.n ?? 0;
  const whole = {
    n,
    rows: n,
    altered: 0,
    sum: (n * (n + 1)) / 2,
    slots: Math.min(n, SLOTS),
    wrong: 0,
  };
  if (JSON.stringify(row) !== JSON.stringify(whole)) return `not whole: ${JSON.stringify(row)}`;
  if (n < cut.acknowledged || n > cut.begun)
    return `at step ${n}, with ${cut.acknowledged} acknowledged and ${cut.begun} begun`;
  return findThroughIndexes(db, n);
}

/** What the slots' two other kinds of index find. */
async function findThroughIndexes(db: Database, n: number): Promise<string | undefined> {
  const slots = Math.min(n, SLOTS);
  const found = await db.transaction(async (tx) => {
    await tx.script('SET LOCAL enable_seqscan = off; SET LOCAL hnsw.iterative_scan = strict_order');
    const near = await tx.query(`SELECT n FROM slots ORDER BY place <-> '[0,0,0]' LIMIT 100`);
    const last = await tx.query(`SELECT n FROM slots WHERE words @> ARRAY['n' || $1]`, [n]);
    return { near: near.length, last: last.length };
  });
  const whole = { near: slots, last: Math.min(n, 1) };
  return JSON.stringify(found) === JSON.stringify(whole)
    ? undefined
    : `indexes find ${JSON.stringify(found)} instead of ${JSON.stringify(whole)}`;
}

/** Reads every page of every table and index, and compares each index with its table. */
async function findDamage(folder: string): Promise<string | undefined> {
  const engine = new PGlite({
    dataDir: folder,
    extensions: { ...EMBEDDED_EXTENSIONS, amcheck },
  });
  try {
    await engine.exec('CREATE EXTENSION amcheck');
    const tables = await engine.query<{ problem: string }>(
      `SELECT relname || ': ' || msg AS problem FROM pg_class, LATERAL verify_heapam(oid)
       WHERE relkind IN ('r', 't', 'm')`,
    );
    if (tables.rows[0]) return tables.rows[0].problem;
    await engine.exec(
      `SELECT bt_index_check(c.oid, true) FROM pg_class c JOIN pg_am a ON a.oid = relam AND amname = 'btree'
       WHERE relkind = 'i';
       SELECT gin_index_check(c.oid) FROM pg_class c JOIN pg_am a ON a.oid = relam AND amname = 'gin'
       WHERE relkind = 'i'`,
    );
    return undefined;
  } finally {
    await engine.close();
  }
}
