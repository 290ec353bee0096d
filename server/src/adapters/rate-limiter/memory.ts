import { WINDOW_MS, type RateLimiter, type Verdict } from './limiter.ts';

export interface MemoryLimiter extends RateLimiter {
  /** Counts a slot that this process gave by another limiter's leave. */
  note(bucket: string): void;
}

/** A log of the times at which slots were taken, for one process. */
export function createMemoryLimiter(now: () => number = () => performance.now()): MemoryLimiter {
  const logs = new Map<string, number[]>();
  const sweep = setInterval(() => {
    const oldest = now() - WINDOW_MS;
    for (const [bucket, log] of logs) if ((log.at(-1) ?? 0) <= oldest) logs.delete(bucket);
  }, WINDOW_MS);
  sweep.unref();

  function currentLog(bucket: string, time: number): number[] {
    const log = logs.get(bucket) ?? [];
    if (log.length === 0) logs.set(bucket, log);
    dropUntil(log, time - WINDOW_MS);
    return log;
  }

  return {
    async take(bucket, limit) {
      const time = now();
      const log = currentLog(bucket, time);
      const allowed = log.length < limit;
      if (allowed) log.push(time);
      return verdict(log, limit, allowed, time);
    },
    note(bucket) {
      const time = now();
      currentLog(bucket, time).push(time);
    },
    async ready() {},
    async close() {
      clearInterval(sweep);
    },
  };
}

function dropUntil(log: number[], oldest: number): void {
  let expired = 0;
  while (expired < log.length && (log[expired] as number) <= oldest) expired++;
  if (expired > 0) log.splice(0, expired);
}

function verdict(log: number[], limit: number, allowed: boolean, time: number): Verdict {
  const oldest = log[0] ?? time;
  return {
    allowed,
    remaining: Math.max(0, limit - log.length),
    resetMs: oldest + WINDOW_MS - time,
  };
}
