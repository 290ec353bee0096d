import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimiter } from '../../adapters/rate-limiter/limiter.ts';
import { AppError } from '../../core/errors.ts';
import type { Caller } from './auth.ts';
import { networkOf } from '../connections/client-network.ts';
import type { Route } from '../route.ts';

export interface RateLimits {
  limiter: RateLimiter;
  reads: number;
  writes: number;
}

export async function takeSlot(
  limits: RateLimits,
  route: Pick<Route, 'limit'>,
  caller: Caller | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { who, name, factor } = counted(caller, request);
  const limit = factor * (route.limit === 'read' ? limits.reads : limits.writes);
  const bucket = `${name}:${route.limit}`;
  await takeSlotOf(limits.limiter, { bucket, limit, kind: route.limit, who }, reply);
}

/** Web pages send many requests at once, so people get a higher limit, shared by all their sessions. */
const BROWSER_FACTOR = 10;

/** Whose requests are counted together, and by how much their limit is higher. */
export function counted(caller: Caller | undefined, { ip }: FastifyRequest) {
  const { actor } = caller ?? {};
  if (!actor)
    return { who: 'This client', name: `client:${networkOf(ip)}`, factor: BROWSER_FACTOR };
  if (actor.kind === 'org-key' || actor.keyId !== null) {
    return { who: 'This key', name: actor.keyId as string, factor: 1 };
  }
  return { who: 'You', name: `person:${actor.userId}`, factor: BROWSER_FACTOR };
}

export interface Allowance {
  bucket: string;
  /** How many per minute. */
  limit: number;
  /** What is counted, in the singular. */
  kind: string;
  who?: string;
}

/** Takes a slot, or throws 429 with the time to wait. Sets the limit headers if there is a `reply`. */
export async function takeSlotOf(
  limiter: RateLimiter,
  { bucket, limit, kind, who = 'This key' }: Allowance,
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
    `${who} ${who === 'You' ? 'have' : 'has'} made ${limit} ${kind}s within a minute. Try again in ${seconds} s.`,
    { limit, kind },
    seconds,
  );
}
