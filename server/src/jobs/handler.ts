export interface JobRun {
  id: number;
  /** 1 for the first, MAX_ATTEMPTS for the last. */
  attempt: number;
  /** Aborted when the job is no longer this worker's: stop then, as another one may start it. */
  signal: AbortSignal;
}

/**
 * Calls services. It runs at least once for each job, so its effect must be idempotent, and what it
 * waits for must have a time limit: a job is its worker's for as long as the handler takes.
 */
export type JobHandler = (payload: unknown, job: JobRun) => Promise<void>;

/** By kind. */
export type JobHandlers = Readonly<Record<string, JobHandler>>;

/** Runs before a job is buried; should it fail, the job stays and is tried again. */
export type DeathHandlers = Readonly<
  Record<string, (payload: unknown, error: unknown) => Promise<void>>
>;

export const MAX_ATTEMPTS = 10;

/** Thrown by a handler when trying again would be of no use: the job is buried at once. */
export class PermanentFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PermanentFailure';
  }
}
