import type { FastifyReply } from 'fastify';
import type { RateLimiter } from '../adapters/rate-limiter/limiter.ts';
import { AppError } from '../errors.ts';
import type { Caller } from './auth.ts';
import type { Route } from './route.ts';

export interface RateLimits {
  limiter: RateLimiter;
  reads: number;
  writes: number;
}

export async function takeSlot(
  limits: RateLimits,
  route: Route,
  caller: Caller,
  reply: FastifyReply,
): Promise<void> {
  const limit = route.limit === 'read' ? limits.reads : limits.writes;
  const bucket = `${caller.actor.keyId}:${route.limit}`;
  await takeSlotOf(limits.limiter, { bucket, limit, kind: route.limit }, reply);
}

export interface Allowance {
  bucket: string;
  /** How many within a minute. */
  limit: number;
  /** What is counted, as one of it is called. */
  kind: string;
}

/** Takes one, or says when to come back; `reply`, where there is one, tells how many are left. */
export async function takeSlotOf(
  limiter: RateLimiter,
  { bucket, limit, kind }: Allowance,
  reply?: FastifyReply,
): Promise<void> {
  const { allowed, remaining, resetMs } = await limiter.take(bucket, limit);
  const seconds = Math.min(60, Math.max(1, Math.ceil(resetMs / 1000)));
  void reply?.header('RateLimit-Limit', limit);
  void reply?.header('RateLimit-Remaining', remaining);
  void reply?.header('RateLimit-Reset', seconds);
  if (allowed) return;
  throw new AppError(
    'RATE_LIMIT',
    `This key has made ${limit} ${kind}s within a minute; try again in ${seconds} s.`,
    { limit, kind },
    seconds,
  );
}
