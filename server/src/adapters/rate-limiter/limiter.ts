/** One slot taken, or refused, in a sliding window: of 60 seconds unless told. */
export interface Verdict {
  allowed: boolean;
  remaining: number;
  /** Milliseconds until the next slot of this kind frees. */
  resetMs: number;
}

export interface RateLimiter {
  /** Takes a slot of `bucket` unless `limit` were taken within the window. Refusals take none. */
  take(bucket: string, limit: number, windowMs?: number): Promise<Verdict>;
  /** Frees the slot last taken of `bucket`: what took it turned out not to count. */
  giveBack(bucket: string): Promise<void>;
  /** Resolves once limits are shared with the other processes, or it is clear that they will not be yet. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

export const WINDOW_MS = 60_000;
