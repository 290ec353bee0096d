export interface JobRun {
  id: number;
  /** From 1 to MAX_ATTEMPTS. */
  attempt: number;
  /** Aborted when this worker loses the job. The handler must stop, because another worker may start it. */
  signal: AbortSignal;
}

/**
 * Calls services. It runs at least once for each job, so it must be idempotent. Everything it waits for
 * needs a time limit, because the worker keeps the job until the handler returns.
 */
export type JobHandler = (payload: unknown, job: JobRun) => Promise<void>;

/** By kind. */
export type JobHandlers = Readonly<Record<string, JobHandler>>;

/** Run before a job is marked as dead. If one fails, the job stays and is tried again. */
export type DeathHandlers = Readonly<
  Record<string, (payload: unknown, error: unknown) => Promise<void>>
>;

export const MAX_ATTEMPTS = 10;

/** Thrown by a handler if retrying is pointless: the job is dead at once. */
export class PermanentFailure extends Error {
  override name = 'PermanentFailure';
}
