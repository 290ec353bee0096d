import { hash } from 'node:crypto';
import type { WebContext } from '../../../core/context.ts';
import { emailKey } from '../../../core/email.ts';
import { AppError } from '../../../core/errors.ts';
import { knownDevice } from './known-device.ts';

const WINDOW_MS = 15 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
const ADDRESS_SHARE = 4;
const DAILY_PER_ADDRESS = 300;

type Kind = 'link' | 'password';
type Counting = Pick<WebContext, 'db' | 'client' | 'device' | 'tokens' | 'limiter' | 'settings'>;

interface Count {
  bucket: string;
  limit: number;
  windowMs: number;
}

export interface Attempt {
  /** For a correct password: only wrong ones count. */
  forgive(): Promise<void>;
}

/**
 * Counts one attempt for this address. A browser that the person has signed in with before is counted
 * separately, so that other people's attempts can't lock it out.
 */
export async function countAttempt(ctx: Counting, kind: Kind, email: string): Promise<Attempt> {
  const device = await knownDevice(ctx, email);
  const counts =
    device === undefined ? strangerCounts(ctx, kind, email) : [deviceCount(ctx, kind, device)];
  return takeAll(ctx, counts);
}

/** For a signed-in person who confirms their password. */
export function countOwnAttempt(ctx: Counting, webSessionId: string): Promise<Attempt> {
  return takeAll(ctx, [deviceCount(ctx, 'password', webSessionId)]);
}

/**
 * Attempts from one client at any address, from one client at this address, and from everywhere at this
 * address. The last limit is so high that a few clients can't exhaust it and lock out the owner.
 */
function strangerCounts({ client, settings }: Counting, kind: Kind, email: string): Count[] {
  const { signInAttempts } = settings;
  const address = hash('sha256', emailKey(email), 'base64url');
  return [
    { bucket: `${kind}:client:${client.network}`, limit: signInAttempts, windowMs: WINDOW_MS },
    {
      bucket: `${kind}:address:${address}:${client.network}`,
      limit: addressShare(signInAttempts),
      windowMs: WINDOW_MS,
    },
    { bucket: `${kind}:day:${address}`, limit: DAILY_PER_ADDRESS, windowMs: DAY_MS },
  ];
}

function deviceCount({ settings }: Counting, kind: Kind, device: string): Count {
  const limit = addressShare(settings.signInAttempts);
  return { bucket: `${kind}:device:${device}`, limit, windowMs: WINDOW_MS };
}

function addressShare(signInAttempts: number): number {
  return Math.max(1, Math.floor(signInAttempts / ADDRESS_SHARE));
}

async function takeAll({ limiter }: Counting, counts: Count[]): Promise<Attempt> {
  for (const count of counts) await take(limiter, count);
  return {
    async forgive() {
      for (const { bucket } of counts) await limiter.giveBack(nameOf(bucket));
    },
  };
}

async function take(limiter: WebContext['limiter'], count: Count): Promise<void> {
  const { limit, windowMs } = count;
  const { allowed, resetMs } = await limiter.take(nameOf(count.bucket), limit, windowMs);
  if (allowed) return;
  const seconds = Math.max(1, Math.ceil(resetMs / 1000));
  throw new AppError(
    'RATE_LIMIT',
    `Too many attempts. Try again in ${Math.ceil(seconds / 60)} min.`,
    { limit, kind: 'sign-in' },
    seconds,
  );
}

function nameOf(bucket: string): string {
  return `sign-in:${bucket}`;
}
