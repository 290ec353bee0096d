import { AtriumError, type Message } from '@atrium/sdk';

/** A message from when it is sent until the server has answered. */
export interface Entry {
  id: string;
  /** The Idempotency-Key: the same on every attempt, so that the message is never there twice. */
  key: string;
  slug: string;
  sessionId: string;
  parentMessageId: string | null;
  body: string;
  createdAt: string;
  /** When the person last said to send it, in ms. */
  releasedAt: number;
  attempts: number;
  /** Not before, in ms. */
  retryAt: number;
  /** The sign-in of an attempt that nothing was heard of. The server keeps keys by sign-in. */
  sentAs: string | null;
  state: 'waiting' | 'failed' | 'sent';
  /** Why it failed, in words. */
  error: string | null;
  /** The server stored its refusal under the key: the same key would get the same answer for ever. */
  isKeySpent: boolean;
  /** As the server has it. */
  message: Message | null;
}

export interface Writing {
  slug: string;
  sessionId: string;
  parentMessageId: string | undefined;
  body: string;
}

export function createEntry(writing: Writing, now: number, newId: () => string): Entry {
  return {
    ...writing,
    parentMessageId: writing.parentMessageId ?? null,
    id: newId(),
    key: newId(),
    createdAt: new Date(now).toISOString(),
    releasedAt: now,
    attempts: 0,
    retryAt: 0,
    sentAs: null,
    state: 'waiting',
    error: null,
    isKeySpent: false,
    message: null,
  };
}

/** What is to be sent next in a session: one after the other, as they were written. */
export function nextToSend(entries: readonly Entry[], sessionId: string): Entry | undefined {
  return entries.find((entry) => entry.sessionId === sessionId && entry.state === 'waiting');
}

/** The server keeps keys for 24 hours; past them, sending again may post it twice. */
const KEY_LIFE_MS = 23 * 3_600_000;

/** Before an attempt under the sign-in `signIn`: under way, or failed where it might arrive twice. */
export function beginAttempt(entry: Entry, signIn: string, now: number): Entry {
  if (now - entry.releasedAt > KEY_LIFE_MS) {
    return fail(entry, 'It has waited here for a day. See whether it arrived, then send it again.');
  }
  if (entry.sentAs !== null && entry.sentAs !== signIn) {
    return fail(
      entry,
      'You have signed in anew since it was sent, and no answer came. See whether it arrived, then send it again.',
    );
  }
  // Noted before it is sent: the page may be closed before there is an answer.
  return { ...entry, sentAs: signIn, attempts: entry.attempts + 1 };
}

/** `before` is the entry as it was before the attempt that failed. */
export function afterFailure(before: Entry, begun: Entry, error: unknown, now: number): Entry {
  const answer = error instanceof AtriumError ? error : undefined;
  if (answer && isRefusal(answer)) {
    const isKeySpent = answer.code === 'CONFLICT' || answer.code === 'NOT_FOUND';
    return { ...fail(begun, answer.message), isKeySpent };
  }
  // A 401 or 429 did nothing, and so says nothing about earlier attempts.
  const isUndone = answer?.status === 401 || answer?.status === 429;
  return {
    ...begun,
    sentAs: isUndone ? before.sentAs : begun.sentAs,
    retryAt: now + delayOf(begun.attempts, answer?.retryAfter),
  };
}

export function afterAnswer(entry: Entry, message: Message): Entry {
  return { ...entry, state: 'sent', message };
}

/** The person says to send it again. The same key where there is any use in it. */
export function release(entry: Entry, now: number, newId: () => string): Entry {
  return {
    ...entry,
    key: entry.isKeySpent ? newId() : entry.key,
    releasedAt: now,
    attempts: 0,
    retryAt: 0,
    sentAs: null,
    state: 'waiting',
    error: null,
    isKeySpent: false,
  };
}

export function hurry(entry: Entry): Entry {
  return entry.retryAt === 0 ? entry : { ...entry, retryAt: 0, attempts: 0 };
}

function fail(entry: Entry, error: string): Entry {
  return { ...entry, state: 'failed', error };
}

/** The API said no to this very message; sending it again as it is would get the same answer. */
function isRefusal({ code, reason }: AtriumError): boolean {
  if (code === 'CONFLICT') return reason !== 'idempotency_in_progress';
  return ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'USAGE_ERROR'].includes(code);
}

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;

function delayOf(attempts: number, retryAfter = 0): number {
  const backoff = Math.min(FIRST_DELAY_MS * 2 ** Math.min(attempts - 1, 10), LONGEST_DELAY_MS);
  // Not all tabs and people at the same moment once the server is back.
  return Math.max(retryAfter * 1_000, backoff * (0.5 + Math.random() / 2));
}
