export interface Timing {
  leaseMs: number;
  renewEveryMs: number;
  /** Finds what no wake-up told of: leases that lapsed, and jobs whose process died right after the commit. */
  pollEveryMs: number;
  /** How long a stopping worker waits for its jobs, and then for those that heed their signal. */
  graceMs: number;
  abortMs: number;
}

/** The jobs of a worker that is killed start again after a lease and a poll: 20 s at most. */
export const TIMING: Timing = {
  leaseMs: 15_000,
  renewEveryMs: 5_000,
  pollEveryMs: 5_000,
  graceMs: 10_000,
  abortMs: 1_000,
};
