import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, OuterTransaction, Queryable, SharedReader } from '../../db/types.ts';
import { AppError } from '../../core/errors.ts';
import type { HttpResponse } from '../output/envelope.ts';
import { attemptCallingOut } from './calling-out.ts';
import type { IdempotentRequest, Outcome, Stores, Work } from './request.ts';
import {
  checkSameBody,
  finishedIfRoom,
  finishedRequest,
  isKept,
  makeRoom,
  replayStored,
} from './responses.ts';
import { createRoom } from './room.ts';
import {
  deleteExpired,
  findRequest,
  lockAtBegin,
  recordAtCommit,
  RequestTaken,
  type FinishedRequest,
  type Scope,
} from './store.ts';

const WAIT_MS = 10_000;
const POLL_MS = 50;

/** Runs each request once, and sends the first response to its repetitions. */
export interface Idempotency {
  run(request: IdempotentRequest, work: Work): Promise<Outcome>;
}

export function requestScope(orgId: string, parts: readonly string[]): Scope {
  const text = parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join('');
  return { orgId, hash: hash('sha256', text, 'buffer') };
}

interface Finished {
  response: HttpResponse;
  bodyHash: Buffer;
}

export function createIdempotency(db: Database): Idempotency {
  const stores = { db, room: createRoom(db) };
  /** Repetitions in this process wait here for the first request, without a database connection. */
  const running = new Map<string, Promise<Finished | undefined>>();

  async function run(request: IdempotentRequest, work: Work): Promise<Outcome> {
    const deadline = performance.now() + WAIT_MS;
    const name = request.scope.hash.toString('base64');
    for (;;) {
      const first = running.get(name);
      if (!first) return lead(name, request, work, deadline);
      const finished = await within(first, deadline);
      if (finished) return replay(request, finished);
      // The first request has no response to share, so one of the waiting ones runs next.
    }
  }

  async function lead(
    name: string,
    request: IdempotentRequest,
    work: Work,
    deadline: number,
  ): Promise<Outcome> {
    const settled = Promise.withResolvers<Finished | undefined>();
    running.set(name, settled.promise);
    let finished: Finished | undefined;
    try {
      const outcome = await untilFree(request, work, deadline);
      const { response } = outcome;
      finished = response && { response, bodyHash: request.bodyHash };
      return outcome;
    } finally {
      running.delete(name);
      settled.resolve(finished);
    }
  }

  /** Tries again at short intervals while another process runs the request. */
  async function untilFree(
    request: IdempotentRequest,
    work: Work,
    deadline: number,
  ): Promise<Outcome> {
    let prepared: Prepared | undefined;
    if (work.prepare) {
      const found = await findRequest(db, request.scope);
      if (found && !found.hasExpired) return replayStored(request, found);
      prepared = await prepareOnce(work);
    }
    for (;;) {
      const outcome = await attemptOnce(stores, request, work, prepared);
      if (outcome !== 'busy') return outcome;
      if (performance.now() + POLL_MS > deadline) throw inProgress();
      await sleep(POLL_MS);
    }
  }

  return { run };
}

function attemptOnce(
  stores: Stores,
  request: IdempotentRequest,
  work: Work,
  prepared: Prepared | undefined,
): Promise<Outcome | 'busy'> {
  if (request.isRead) return attemptReading(stores, request, work, prepared);
  if (work.callOut) return attemptCallingOut(stores, request, work);
  return attempt(stores, request, work, prepared);
}

/** Returns what was prepared, or throws the refusal, as the handler would. */
type Prepared = () => unknown;

async function prepareOnce(work: Work): Promise<Prepared> {
  try {
    const result = await work.prepare?.();
    return () => result;
  } catch (error) {
    if (!isKept(error)) throw error;
    return () => {
      throw error;
    };
  }
}

/**
 * Runs handler, claim and response in one transaction: after a crash either all of them are there, or none.
 * Hardly any request is a repetition, so it is the claim that finds out, at commit. A stored response counts
 * whatever the handler came to, so it is also looked for if the handler fails.
 */
async function attempt(
  { db, room }: Stores,
  request: IdempotentRequest,
  work: Work,
  prepared: Prepared | undefined,
): Promise<Outcome | 'busy'> {
  const { scope } = request;
  try {
    const { response, finished } = await db.transaction(async (tx) => {
      lockAtBegin(tx, scope);
      await work.enter(tx);
      const done = await work.run(beginningIfNew(tx, scope), prepared?.());
      const recorded = await finishedRequest(request, done);
      recordAtCommit(tx, recorded);
      return { response: done, finished: recorded };
    });
    await makeRoom(room, request, finished);
    return { response, replayed: false };
  } catch (error) {
    const replayed = await replayRecorded(db, request);
    if (replayed) return replayed;
    if (error instanceof RequestTaken) return 'busy';
    if (!isKept(error)) throw error;
    const response = work.refuse(error);
    return record(db, response, await finishedRequest(request, response));
  }
}

/** What only reads runs by itself. Its response is recorded after that, if there is room. */
async function attemptReading(
  { db, room }: Stores,
  request: IdempotentRequest,
  work: Work,
  prepared: Prepared | undefined,
): Promise<Outcome | 'busy'> {
  const response = await db
    .transaction(async (tx) => {
      await work.enter(tx);
      return work.run(tx, prepared?.());
    })
    .catch((error: unknown) => {
      if (!isKept(error)) throw error;
      return work.refuse(error);
    });
  const recorded = await record(db, response, await finishedIfRoom(request, response, room));
  return recorded === 'busy' ? ((await replayRecorded(db, request)) ?? 'busy') : recorded;
}

/** What was recorded for this request meanwhile. If that has expired, it is deleted, so that it can run again. */
async function replayRecorded(
  db: Queryable,
  request: IdempotentRequest,
): Promise<Outcome | undefined> {
  const found = await findRequest(db, request.scope);
  if (found && !found.hasExpired) return replayStored(request, found);
  if (found) await deleteExpired(db, request.scope);
  return undefined;
}

/** A handler that needs the connection before its commit gets it only if there is no stored response. */
function beginningIfNew(tx: OuterTransaction, scope: Scope): OuterTransaction {
  let search: Promise<void> | undefined;
  const requireNew = () => (search ??= requireNothingStored(tx, scope));
  const guarded: OuterTransaction = {
    engine: tx.engine,
    async query(text, values) {
      await requireNew();
      return tx.query(text, values);
    },
    sharedRead: (text, values) => tx.sharedRead(text, values),
    async script(text) {
      await requireNew();
      return tx.script(text);
    },
    async beforehand(work, undo) {
      await requireNew();
      return tx.beforehand(work, undo);
    },
    transaction: (work) => work(guarded),
    afterCommit: (effect) => tx.afterCommit(effect),
    atConnect: (check) => tx.atConnect(check),
    atBegin: (text, values, options) => tx.atBegin(text, values, options),
    atCommit: (text, values, options) => tx.atCommit(text, values, options),
  };
  return guarded;
}

async function requireNothingStored(on: SharedReader, scope: Scope): Promise<void> {
  const found = await findRequest(on, scope);
  if (found && !found.hasExpired) throw new RequestTaken();
}

/**
 * Records what nothing else has to be committed with: the handler only read, or was refused and rolled
 * back. If another process has run the request since, or is running it, that response counts instead.
 */
async function record(
  db: Queryable,
  response: HttpResponse,
  finished: FinishedRequest,
): Promise<Outcome | 'busy'> {
  try {
    await db.transaction(async (tx) => recordAtCommit(tx, finished));
    return { response, replayed: false };
  } catch (error) {
    if (error instanceof RequestTaken) return 'busy';
    throw error;
  }
}

function replay(request: IdempotentRequest, finished: Finished): Outcome {
  checkSameBody(request, finished.bodyHash);
  return { response: finished.response, replayed: true };
}

async function within<T>(promise: Promise<T>, deadline: number): Promise<T> {
  const timer = new AbortController();
  const timedOut = sleep(Math.max(0, deadline - performance.now()), 'late' as const, {
    signal: timer.signal,
  }).catch(() => 'late' as const);
  try {
    const winner = await Promise.race([promise, timedOut]);
    if (winner === 'late') throw inProgress();
    return winner;
  } finally {
    timer.abort();
  }
}

function inProgress(): AppError {
  return new AppError(
    'CONFLICT',
    'The first request with this Idempotency-Key is still running. Try again shortly.',
    { reason: 'idempotency_in_progress' },
    1,
  );
}
