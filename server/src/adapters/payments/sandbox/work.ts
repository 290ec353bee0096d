import type { Database, Transaction } from '../../../db/database.ts';
import type { JobQueue } from '../../../jobs/queue.ts';

export interface SandboxParts {
  db: Database;
  jobs: JobQueue;
  publicUrl: () => string;
  /** In seconds, as Stripe counts. */
  now: () => number;
}

/** One change, all or nothing: objects, their events and the jobs that deliver those. */
export interface Work {
  tx: Transaction;
  jobs: JobQueue;
  publicUrl: string;
  now: number;
}

export function doWork<T>(
  { db, jobs, publicUrl, now }: SandboxParts,
  work: (work: Work) => Promise<T>,
): Promise<T> {
  return db.transaction((tx) => work({ tx, jobs, publicUrl: publicUrl(), now: now() }));
}
