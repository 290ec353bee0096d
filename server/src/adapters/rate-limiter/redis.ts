import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { WINDOW_MS, type RateLimiter, type Verdict } from './limiter.ts';
import type { MemoryLimiter } from './memory.ts';

/** Long enough for a busy Redis: processes that count by themselves allow more than the limit. */
const COMMAND_TIMEOUT_MS = 1_000;
const PROBE_EVERY_MS = 1_000;

/**
 * Keeps the times of taken slots in a list, oldest first. It uses Redis's clock, so that all processes share
 * one window. A bucket expires with its last slot.
 */
const TAKE_SLOT = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local window = tonumber(ARGV[2]) * 1000
local oldest = redis.call('LINDEX', KEYS[1], 0)
while oldest and tonumber(oldest) <= now - window do
  redis.call('LPOP', KEYS[1])
  oldest = redis.call('LINDEX', KEYS[1], 0)
end
local taken = redis.call('LLEN', KEYS[1])
local limit = tonumber(ARGV[1])
local allowed = 0
if taken < limit then
  allowed = 1
  redis.call('RPUSH', KEYS[1], string.format('%.0f', now))
  redis.call('PEXPIRE', KEYS[1], ARGV[2] + 1000)
  taken = taken + 1
end
return { allowed, limit - taken, math.ceil(((tonumber(oldest) or now) + window - now) / 1000) }
`;

type TakeSlot = (key: string, limit: number, window: number) => Promise<[number, number, number]>;

/** Shares limits through Redis. If Redis is unavailable, each process limits by itself, with `fallback`. */
export function createRedisLimiter(url: string, fallback: MemoryLimiter, log: Logger): RateLimiter {
  const redis = new Redis(url, {
    connectTimeout: 2_000,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 200, 5_000),
  });
  redis.defineCommand('takeSlot', { numberOfKeys: 1, lua: TAKE_SLOT });
  const takeSlot = (redis as unknown as { takeSlot: TakeSlot }).takeSlot.bind(redis);
  // ioredis reports each failed reconnection here; the code below logs each outage once.
  redis.on('error', () => {});
  let isOut = false;
  let probedAt = -Infinity;

  function noteFailure(error: unknown): void {
    if (isOut) return;
    isOut = true;
    probedAt = performance.now();
    log.warn({ err: error }, 'redis is unavailable; rate limits are per process');
  }

  /** During an outage, requests ask whether Redis is back, but none of them waits for it. */
  async function probe(): Promise<void> {
    if (performance.now() - probedAt < PROBE_EVERY_MS) return;
    probedAt = performance.now();
    const isBack = await inTime(redis.ping()).catch(() => false);
    if (isBack === false || !isOut) return;
    isOut = false;
    log.info('redis is available again; rate limits are shared between processes');
  }

  async function takeShared(bucket: string, limit: number, windowMs: number): Promise<Verdict> {
    const [allowed, remaining, resetMs] = await inTime(takeSlot(keyOf(bucket), limit, windowMs));
    // If Redis becomes unavailable, this process continues with the slots it has granted itself.
    if (allowed === 1) fallback.note(bucket, windowMs);
    return { allowed: allowed === 1, remaining: Math.max(0, remaining), resetMs };
  }

  return {
    async take(bucket, limit, windowMs = WINDOW_MS) {
      if (isOut) {
        void probe();
        return fallback.take(bucket, limit, windowMs);
      }
      try {
        return await takeShared(bucket, limit, windowMs);
      } catch (error) {
        noteFailure(error);
        return fallback.take(bucket, limit, windowMs);
      }
    },
    async giveBack(bucket) {
      await fallback.giveBack(bucket);
      if (!isOut) await inTime(redis.rpop(keyOf(bucket))).catch(noteFailure);
    },
    async ready() {
      if (redis.status === 'ready') return;
      await new Promise<void>((resolve) => {
        for (const event of ['ready', 'error', 'close']) redis.once(event, () => resolve());
      });
    },
    async close() {
      redis.disconnect();
      await fallback.close();
    },
  };
}

function keyOf(bucket: string): string {
  return `atrium:rate:${bucket}`;
}

/**
 * ioredis's own timeout mistakes a delay in this process for one in Redis. Here, a reply that has already
 * arrived is still read: timers run first, then sockets, then `setImmediate`.
 */
async function inTime<T>(reply: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    setImmediate(() => late.reject(new Error('redis did not respond in time')));
  }, COMMAND_TIMEOUT_MS);
  try {
    return await Promise.race([reply, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
