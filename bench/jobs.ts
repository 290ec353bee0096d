import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import type { Database } from '../server/src/db/types.ts';
import { EMBEDDED_EXTENSIONS, embeddedDatabase } from '../server/src/db/engines/embedded.ts';
import { migrate } from '../server/src/db/migrating/migrate.ts';
import { openPostgres } from '../server/src/db/engines/postgres.ts';
import type { JobHandlers } from '../server/src/jobs/handler.ts';
import { createJobQueue } from '../server/src/jobs/queue.ts';
import { createBus } from '../server/src/bus/create-bus.ts';
import { createWakeUp, type WakeUp } from '../server/src/jobs/wake-up.ts';
import { startWorker } from '../server/src/jobs/worker.ts';
import { createLogger } from '../server/src/core/logger.ts';
import { setStage } from './stage.ts';

const JOBS = 300;
const BACKLOG = 10_000;
const TARGET_P50_MS = 50;
const log = createLogger('silent');

/** Measures the time from the commit to the first line of the handler. */
export async function benchJobs(): Promise<void> {
  process.stdout.write(
    `jobs: from commit to start, ${JOBS} jobs, one every 5-15 ms (target: p50 under ${TARGET_P50_MS} ms)\n`,
  );
  const stage = await setStage();
  try {
    const wakeUp = createWakeUp(createBus({ postgres: stage.databaseUrl }, log));
    await inThisProcess('PostgreSQL, worker in the same process', stage.db, wakeUp);
    await inAnotherProcess('PostgreSQL, worker in another process', stage, wakeUp);
    await wakeUp.close();
  } finally {
    await stage.drop();
  }
  const db = embeddedDatabase(new PGlite({ extensions: EMBEDDED_EXTENSIONS }));
  await migrate(db);
  await inThisProcess('embedded', db, createWakeUp(createBus({ postgres: undefined }, log)));
  await db.close();
}

async function inThisProcess(name: string, db: Database, wakeUp: WakeUp): Promise<void> {
  const starts = new Map<number, bigint>();
  const worker = startWorker({
    db,
    wakeUp,
    log,
    handlers: handlers((at, no) => starts.set(no, at)),
  });
  await sleep(200);
  const commits = await enqueueAll(db, wakeUp);
  await done(() => starts.size === JOBS);
  report(name, commits, starts);
  await worker.stop();
  await drainBacklog(name, db, wakeUp);
}

async function inAnotherProcess(
  name: string,
  { db, databaseUrl }: { db: Database; databaseUrl: string },
  wakeUp: WakeUp,
): Promise<void> {
  const starts = new Map<number, bigint>();
  const child = spawn(process.execPath, [import.meta.filename, databaseUrl], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  await once(lines, 'line');
  lines.on('line', (line) => {
    const [no, at] = line.split(' ');
    starts.set(Number(no), BigInt(at ?? 0));
  });
  await sleep(500);
  const commits = await enqueueAll(db, wakeUp);
  await done(() => starts.size === JOBS);
  report(name, commits, starts);
  child.stdin.end();
  await once(child, 'close');
}

/** Measures the throughput of empty jobs when many are waiting. */
async function drainBacklog(name: string, db: Database, wakeUp: WakeUp): Promise<void> {
  await db.query(
    `INSERT INTO jobs (kind, payload, run_at)
     SELECT 'time', jsonb_build_object('no', no), now() FROM generate_series(1, ${BACKLOG}) AS no`,
  );
  let ran = 0;
  const started = performance.now();
  const worker = startWorker({ db, wakeUp, log, handlers: handlers(() => ran++) });
  await done(() => ran >= BACKLOG);
  const perSecond = BACKLOG / ((performance.now() - started) / 1000);
  await worker.stop();
  process.stdout.write(`  ${name}: backlog of ${BACKLOG} jobs, ${perSecond.toFixed(0)} jobs/s\n`);
}

function handlers(onStart: (at: bigint, no: number) => void): JobHandlers {
  return {
    time: async (payload) => onStart(process.hrtime.bigint(), (payload as { no: number }).no),
  };
}

async function enqueueAll(db: Database, wakeUp: WakeUp): Promise<Map<number, bigint>> {
  const queue = createJobQueue(wakeUp);
  const commits = new Map<number, bigint>();
  for (let no = 1; no <= JOBS; no++) {
    await db.transaction(async (tx) => {
      tx.afterCommit(() => commits.set(no, process.hrtime.bigint()));
      queue.enqueue(tx, { kind: 'time', payload: { no } });
    });
    await sleep(5 + Math.random() * 10);
  }
  return commits;
}

function report(name: string, commits: Map<number, bigint>, starts: Map<number, bigint>): void {
  const took = [...commits]
    .map(([no, at]) => Number((starts.get(no) ?? 0n) - at) / 1e6)
    .toSorted((a, b) => a - b);
  const at = (share: number) => (took[Math.floor(took.length * share)] ?? Number.NaN).toFixed(1);
  process.stdout.write(`  ${name}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${at(0.999)} ms\n`);
}

async function done(isDone: () => boolean): Promise<void> {
  while (!isDone()) await sleep(5);
}

// Run directly, this file is the other process: it works until its input ends. Both use one clock.
if (import.meta.main) {
  const url = process.argv[2] ?? '';
  const db = openPostgres({ url, poolMax: 10, onError: () => {} });
  const wakeUp = createWakeUp(createBus({ postgres: url }, log));
  const print = (at: bigint, no: number) => void process.stdout.write(`${no} ${at}\n`);
  const worker = startWorker({ db, wakeUp, log, handlers: handlers(print) });
  process.stdout.write('ready\n');
  process.stdin.resume();
  await once(process.stdin, 'end');
  await worker.stop();
  await wakeUp.close();
  await db.close();
}
