/** Whether a slot was taken, in a sliding window of 60 seconds by default. */
export interface Verdict {
  allowed: boolean;
  remaining: number;
  /** Milliseconds until the next slot is free. */
  resetMs: number;
}

export interface RateLimiter {
  /** Takes a slot in `bucket`, unless `limit` slots were taken within the window. */
  take(bucket: string, limit: number, windowMs?: number): Promise<Verdict>;
  /** Returns the last slot taken in `bucket`, because that attempt does not count after all. */
  giveBack(bucket: string): Promise<void>;
  /** Resolves once limits are shared with other processes, or once that has failed for now. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

export const WINDOW_MS = 60_000;
