import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, OuterTransaction } from '../types.ts';
import { sqlState } from '../transactions/violations.ts';

/** How often a migration asks for its locks, and how long it pauses in between. */
export interface Patience {
  attempts: number;
  firstPauseMs: number;
  /** Is told what it waits for. */
  report?: (fields: object, message: string) => void;
}

/** Whoever needs the table next waits behind a migration that waits for it, so this is short. */
const LOCK_TIMEOUT_MS = 300;
const MAX_PAUSE_MS = 5_000;
/** About three minutes. */
export const PATIENT: Patience = { attempts: 40, firstPauseMs: 200 };

/** A table could not be locked. The message is one line. */
export class TablesInUse extends Error {
  constructor(name: string, attempts: number) {
    super(
      `${name} could not lock its tables in ${attempts} attempts, because a transaction is using them; end it (PostgreSQL lists it in pg_stat_activity) and start again`,
    );
    this.name = 'TablesInUse';
  }
}

/** From now on, a statement that waits for a lock fails soon. */
export async function limitLockWaits(tx: OuterTransaction): Promise<void> {
  await tx.script(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
}

/** Runs `work` in a transaction, and again after a pause if it could not get a lock: requests go first. */
export async function untilLocked<T>(
  db: Database,
  name: string,
  work: (tx: OuterTransaction) => Promise<T>,
  { attempts, firstPauseMs, report }: Patience,
): Promise<T> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    try {
      return await db.transaction(work);
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
    if (attempt < attempts) {
      report?.({ attempt }, `${name} could not lock its tables, will retry`);
      await sleep(Math.min(MAX_PAUSE_MS, firstPauseMs * 2 ** (attempt - 1)));
    }
  }
  throw new TablesInUse(name, attempts);
}

/** It waited too long, or PostgreSQL ended it because it and another transaction waited for each other. */
function isBusy(error: unknown): boolean {
  const state = sqlState(error instanceof Error && error.cause ? error.cause : error);
  return state === '55P03' || state === '40P01';
}
