export interface Timing {
  leaseMs: number;
  renewEveryMs: number;
  /** Finds jobs without a wake-up: expired leases, and jobs whose process died right after the commit. */
  pollEveryMs: number;
  /** How long a stopping worker waits for its jobs to finish, and then for aborted ones to end. */
  graceMs: number;
  abortMs: number;
}

/** If a worker is killed, its jobs start again after a lease and a poll: within 20 s. */
export const TIMING: Timing = {
  leaseMs: 15_000,
  renewEveryMs: 5_000,
  pollEveryMs: 5_000,
  graceMs: 10_000,
  abortMs: 1_000,
};
