import { AtriumError, type Message } from '@atrium/sdk';
import type { Upload } from '../../../data/uploads/upload.ts';

/** A message from when it is sent until the server has responded. */
export interface Entry {
  id: string;
  /** The Idempotency-Key, the same on every attempt, so that the message is never posted twice. */
  key: string;
  slug: string;
  sessionId: string;
  parentMessageId: string | null;
  body: string;
  /** How many files it has. It is sent when all of them are stored. */
  files: number;
  /** Those files, the same on every attempt. Null before the first. */
  fileIds: readonly string[] | null;
  createdAt: string;
  /** When the person last chose to send it, in ms. */
  releasedAt: number;
  attempts: number;
  /** The earliest time of the next attempt, in ms. */
  retryAt: number;
  /** The sign-in of an attempt without a response. The server keeps keys by sign-in. */
  sentAs: string | null;
  state: 'waiting' | 'failed' | 'sent';
  /** Why it failed, as shown to the person. */
  error: string | null;
  /** The server stored its refusal under the key, so the same key would get the same response again. */
  isKeySpent: boolean;
  /** The message as stored by the server. */
  message: Message | null;
}

export interface Writing extends Pick<Entry, 'slug' | 'sessionId' | 'body'> {
  parentMessageId: string | undefined;
  /** How many files it has. Default: none. */
  files?: number;
}

export function createEntry(writing: Writing, now: number, newId: () => string): Entry {
  return {
    ...writing,
    files: writing.files ?? 0,
    fileIds: null,
    parentMessageId: writing.parentMessageId ?? null,
    id: newId(),
    key: newId(),
    createdAt: new Date(now).toISOString(),
    ...untried(now),
    message: null,
  };
}

/** What is known about sending it before the first attempt. */
function untried(releasedAt: number) {
  return {
    releasedAt,
    attempts: 0,
    retryAt: 0,
    sentAs: null,
    state: 'waiting' as const,
    error: null,
    isKeySpent: false,
  };
}

/**
 * The next entry to send in a session, in the order they were written. What waits for its files holds up nothing
 * that was written after it.
 */
export function nextToSend(
  entries: readonly Entry[],
  sessionId: string,
  hasItsFiles: (entry: Entry) => boolean,
): Entry | undefined {
  return entries.find(
    (entry) => entry.sessionId === sessionId && entry.state === 'waiting' && hasItsFiles(entry),
  );
}

/** The files of an entry, if the server has all of them. Without that, the entry must not be sent. */
export function storedFilesOf(
  { files, fileIds }: Pick<Entry, 'files' | 'fileIds'>,
  uploads: readonly Pick<Upload, 'state' | 'fileId'>[],
): readonly string[] | undefined {
  if (fileIds) return fileIds;
  const stored = uploads.flatMap(({ state, fileId }) =>
    state === 'stored' && fileId !== null ? [fileId] : [],
  );
  return stored.length === uploads.length && stored.length === files ? stored : undefined;
}

/** The server keeps keys for 24 hours. After that, sending again may post the message twice. */
const KEY_LIFE_MS = 23 * 3_600_000;

/** Before an attempt under the sign-in `signIn`. Fails the entry if it might be posted twice. */
export function beginAttempt(
  entry: Entry,
  signIn: string,
  now: number,
  fileIds: readonly string[] = [],
): Entry {
  if (now - entry.releasedAt > KEY_LIFE_MS) {
    return fail(
      entry,
      'This message waited here for a day. Check whether it arrived before you send it again.',
    );
  }
  if (entry.sentAs !== null && entry.sentAs !== signIn) {
    return fail(
      entry,
      'You’ve signed in again since this was sent, and there was no response. Check whether it arrived before you send it again.',
    );
  }
  // Recorded before sending, because the page may be closed before the response arrives.
  return { ...entry, fileIds, sentAs: signIn, attempts: entry.attempts + 1 };
}

/** `before` is the entry as it was before the attempt that failed. */
export function afterFailure(before: Entry, begun: Entry, error: unknown, now: number): Entry {
  const answer = error instanceof AtriumError ? error : undefined;
  if (answer && isRefusal(answer)) {
    const isKeySpent = answer.code === 'CONFLICT' || answer.code === 'NOT_FOUND';
    return { ...fail(begun, answer.message), isKeySpent };
  }
  // After a 401 or 429 the server did nothing, which says nothing about earlier attempts.
  const isUndone = answer?.status === 401 || answer?.status === 429;
  return {
    ...begun,
    sentAs: isUndone ? before.sentAs : begun.sentAs,
    retryAt: now + delayOf(begun.attempts, answer?.retryAfter),
  };
}

/** The person chose to send it again. Keeps the key if that is still useful. */
export function release(entry: Entry, now: number, newId: () => string): Entry {
  // Under another key, it may have other files.
  const renewed = entry.isKeySpent ? { key: newId(), fileIds: null } : {};
  return { ...entry, ...renewed, ...untried(now) };
}

export function hurry(entry: Entry): Entry {
  return entry.retryAt === 0 ? entry : { ...entry, retryAt: 0, attempts: 0 };
}

function fail(entry: Entry, error: string): Entry {
  return { ...entry, state: 'failed', error };
}

/** The API refused this message. Sending it again unchanged would get the same response. */
function isRefusal({ code, reason }: AtriumError): boolean {
  if (code === 'CONFLICT') return reason !== 'idempotency_in_progress';
  return ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'USAGE_ERROR'].includes(code);
}

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;

function delayOf(attempts: number, retryAfter = 0): number {
  const backoff = Math.min(FIRST_DELAY_MS * 2 ** Math.min(attempts - 1, 10), LONGEST_DELAY_MS);
  // Spreads retries, so that not every tab and person retries at the same moment.
  return Math.max(retryAfter * 1_000, backoff * (0.5 + Math.random() / 2));
}
