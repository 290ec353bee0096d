import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { readReplicationLags } from '../db/migrating/inspect.ts';
import type { Database } from '../db/types.ts';
import { countLedgerMismatches } from '../features/billing/ledger/service.ts';
import { countChecking } from '../features/files/checking/store.ts';
import { countDueRemains } from '../features/files/removal/store.ts';
import { countPending } from '../features/memory/embedding/status.ts';
import type { Models } from '../features/memory/embedding/store.ts';
import type { GaugeDefinition, Measured, Measurement } from '../http/probes/metrics.ts';
import { readQueue } from '../jobs/store.ts';

const GAUGES: readonly GaugeDefinition[] = [
  {
    name: 'atrium_jobs_waiting',
    help: 'Jobs that are due or running, by kind.',
    labels: ['kind'],
  },
  {
    name: 'atrium_jobs_oldest_seconds',
    help: 'How long the oldest job that is due or running has been due, by kind.',
    labels: ['kind'],
  },
  { name: 'atrium_jobs_dead', help: 'Jobs that failed for good, by kind.', labels: ['kind'] },
  { name: 'atrium_db_connections', help: 'Connections of this process to the database.' },
  { name: 'atrium_db_connections_idle', help: 'Idle connections of this process.' },
  { name: 'atrium_db_waiting', help: 'Requests and jobs that wait for a connection.' },
  {
    name: 'atrium_db_replication_lag_seconds',
    help: 'How far a standby is behind, by its name. The role needs pg_monitor.',
    labels: ['standby'],
  },
  {
    name: 'atrium_ledger_mismatches',
    help: 'Organisations that were not charged exactly what they used. Measured once an hour.',
  },
  {
    name: 'atrium_memories_pending',
    help: 'Memories that the embedding model has not read yet.',
  },
  {
    name: 'atrium_files_checking',
    help: 'Uploaded files that are being checked. It grows if the scanner is gone.',
  },
  {
    name: 'atrium_files_to_delete',
    help: 'Objects in the storage of files whose time to be deleted has come.',
  },
];

/** A scrape does not wait longer for the database. */
const LIMIT_MS = 2_000;
const LEDGER_EVERY_MS = 3_600_000;

/** What Prometheus sees of the database and the queue, beside what each process knows about itself. */
export function createMeasured(db: Database, log: Logger, models: Models): Measured {
  const ledger = everyHour(async () => [
    { name: 'atrium_ledger_mismatches', value: await countLedgerMismatches(db) },
  ]);
  const sources = [
    async () => measurePool(db),
    () => measureQueue(db),
    () => measureMemories(db, models),
    () => measureFiles(db),
    // Reading all of it would hold up the embedded engine's only session.
    ...(db.engine === 'embedded' ? [] : [() => measureReplication(db), ledger]),
  ];
  return {
    gauges: GAUGES,
    async measure() {
      const found = await Promise.all(
        sources.map((source) =>
          inTime(source()).catch((error: unknown) => {
            log.warn({ err: error }, 'could not measure for the metrics');
            return [];
          }),
        ),
      );
      return found.flat();
    },
  };
}

function measurePool(db: Database): Measurement[] {
  const { connections, idle, waiting } = db.load();
  return [
    { name: 'atrium_db_connections', value: connections },
    { name: 'atrium_db_connections_idle', value: idle },
    { name: 'atrium_db_waiting', value: waiting },
  ];
}

async function measureQueue(db: Database): Promise<Measurement[]> {
  const kinds = await readQueue(db);
  return kinds.flatMap(({ kind, waiting, oldestSeconds, dead }) => [
    { name: 'atrium_jobs_waiting', labels: { kind }, value: waiting },
    { name: 'atrium_jobs_oldest_seconds', labels: { kind }, value: oldestSeconds },
    { name: 'atrium_jobs_dead', labels: { kind }, value: dead },
  ]);
}

async function measureMemories(db: Database, models: Models): Promise<Measurement[]> {
  return [{ name: 'atrium_memories_pending', value: await countPending(db, models) }];
}

async function measureFiles(db: Database): Promise<Measurement[]> {
  const [checking, toDelete] = await Promise.all([countChecking(db), countDueRemains(db)]);
  return [
    { name: 'atrium_files_checking', value: checking },
    { name: 'atrium_files_to_delete', value: toDelete },
  ];
}

async function measureReplication(db: Database): Promise<Measurement[]> {
  const lags = await readReplicationLags(db);
  return lags.map(({ standby, seconds }) => ({
    name: 'atrium_db_replication_lag_seconds',
    labels: { standby },
    value: seconds,
  }));
}

type Source = () => Promise<Measurement[]>;

function everyHour(source: Source): Source {
  let last: { at: number; found: Promise<Measurement[]> } | undefined;
  return () => {
    if (!last || performance.now() - last.at > LEDGER_EVERY_MS) {
      last = { at: performance.now(), found: source() };
      last.found.catch(() => (last = undefined));
    }
    return last.found;
  };
}

async function inTime<T>(found: Promise<T>): Promise<T> {
  const done = new AbortController();
  const late = sleep(LIMIT_MS, undefined, { signal: done.signal }).then(() => {
    throw new Error('the database did not answer in time');
  });
  try {
    return await Promise.race([found, late]);
  } finally {
    done.abort();
    late.catch(() => {});
  }
}
