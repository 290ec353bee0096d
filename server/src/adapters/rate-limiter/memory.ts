import { WINDOW_MS, type RateLimiter } from './limiter.ts';

export interface MemoryLimiter extends RateLimiter {
  /** Records a slot that another limiter granted to this process. */
  note(bucket: string, windowMs: number): void;
}

/** Keeps the times at which slots were taken, for one process. */
export function createMemoryLimiter(now: () => number = () => performance.now()): MemoryLimiter {
  const logs = new Map<string, { times: number[]; windowMs: number }>();
  const sweep = setInterval(() => {
    const time = now();
    for (const [bucket, { times, windowMs }] of logs) {
      if ((times.at(-1) ?? -Infinity) <= time - windowMs) logs.delete(bucket);
    }
  }, WINDOW_MS);
  sweep.unref();

  function currentTimes(bucket: string, time: number, windowMs: number): number[] {
    const log = logs.get(bucket) ?? { times: [], windowMs };
    if (log.times.length === 0) logs.set(bucket, log);
    const firstKept = log.times.findIndex((taken) => taken > time - windowMs);
    log.times.splice(0, firstKept === -1 ? log.times.length : firstKept);
    return log.times;
  }

  return {
    async take(bucket, limit, windowMs = WINDOW_MS) {
      const time = now();
      const times = currentTimes(bucket, time, windowMs);
      const allowed = times.length < limit;
      if (allowed) times.push(time);
      const resetMs = (times[0] ?? time) + windowMs - time;
      return { allowed, remaining: Math.max(0, limit - times.length), resetMs };
    },
    async giveBack(bucket) {
      logs.get(bucket)?.times.pop();
    },
    note(bucket, windowMs) {
      const time = now();
      currentTimes(bucket, time, windowMs).push(time);
    },
    async ready() {},
    async close() {
      clearInterval(sweep);
    },
  };
}
