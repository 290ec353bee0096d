import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '../../db/types.ts';
import { AppError, conflict } from '../../errors.ts';
import { newId } from '../../ids.ts';
import type { Answer } from '../envelope.ts';
import { seal, unseal } from './sealing.ts';
import {
  endLease,
  finishLease,
  lockAndFind,
  recordAtCommit,
  saveLease,
  type Lease,
  type Scope,
  type StoredRequest,
} from './store.ts';

const WAIT_MS = 10_000;
const POLL_MS = 50;
const LEASE_SECONDS = 30;

export interface IdempotentRequest {
  scope: Scope;
  bodyHash: Buffer;
  /** The caller's plaintext secret: what seals the stored answer. */
  secret: string;
}

export interface Work {
  /** Runs the handler in the given transaction. Refusals come out as AppError. */
  run(db: Queryable, outcome: unknown): Promise<Answer>;
  /** The part that calls an outside service, for routes that have one: no transaction is open. */
  callOut?: (providerKey: string) => Promise<unknown>;
  /** The part that is too slow for a transaction, for routes that have one. */
  prepare?: () => Promise<unknown>;
  /** How an AppError is answered, so that it can be stored. */
  refuse(error: AppError): Answer;
}

export interface Outcome {
  answer: Answer;
  replayed: boolean;
}

/** Runs each request once and answers its repetitions with what the first one was answered. */
export interface Idempotency {
  run(request: IdempotentRequest, work: Work): Promise<Outcome>;
}

export function requestScope(orgId: string, parts: readonly string[]): Scope {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return { orgId, hash: hash.digest() };
}

interface Finished {
  answer: Answer;
  bodyHash: Buffer;
}

export function createIdempotency(db: Queryable): Idempotency {
  /** The repetitions that reach this process wait here for the first, in memory, without a connection. */
  const running = new Map<string, Promise<Finished | undefined>>();

  async function run(request: IdempotentRequest, work: Work): Promise<Outcome> {
    const deadline = performance.now() + WAIT_MS;
    const name = request.scope.hash.toString('base64');
    for (;;) {
      const first = running.get(name);
      if (!first) return lead(name, request, work, deadline);
      const finished = await within(first, deadline);
      if (finished) return replay(request, finished);
      // The first one failed without an answer to keep: one of those who waited goes next.
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
      finished = { answer: outcome.answer, bodyHash: request.bodyHash };
      return outcome;
    } finally {
      running.delete(name);
      settled.resolve(finished);
    }
  }

  /** Tries again at short intervals while another process has the request. */
  async function untilFree(
    request: IdempotentRequest,
    work: Work,
    deadline: number,
  ): Promise<Outcome> {
    let prepared: Prepared | undefined;
    for (;;) {
      const outcome = work.callOut
        ? await attemptCallingOut(db, request, work)
        : await attempt(db, request, work, prepared);
      if (outcome === 'unprepared') {
        prepared = await prepareOnce(work);
        continue;
      }
      if (outcome !== 'busy') return outcome;
      if (performance.now() + POLL_MS > deadline) throw inProgress();
      await sleep(POLL_MS);
    }
  }

  return { run };
}

/** What was prepared, or the refusal that came of it: thrown where the handler's own would be. */
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
 * Claim, handler and answer in one transaction: after a crash all of them are there, or none. What has
 * to be prepared is asked for when it is clear that there is no answer to replay.
 */
async function attempt(
  db: Queryable,
  request: IdempotentRequest,
  work: Work,
  prepared: Prepared | undefined,
): Promise<Outcome | 'busy' | 'unprepared'> {
  try {
    return await db.transaction(async (tx) => {
      const { locked, found } = await lockAndFind(tx, request.scope);
      if (!locked) return 'busy';
      if (found) return replayStored(request, found);
      if (work.prepare && !prepared) return 'unprepared';
      const answer = await work.run(tx, prepared?.());
      recordAtCommit(tx, finishedRequest(request, answer));
      return { answer, replayed: false };
    });
  } catch (error) {
    if (!isKept(error)) throw error;
    return keepRefusal(db, request, work.refuse(error));
  }
}

/**
 * The refused transaction rolled back and its lock is gone, so another process may have run the
 * request since, or be running it: then its answer counts, not this one.
 */
async function keepRefusal(
  db: Queryable,
  request: IdempotentRequest,
  answer: Answer,
): Promise<Outcome | 'busy'> {
  return db.transaction(async (tx) => {
    const { locked, found } = await lockAndFind(tx, request.scope);
    if (!locked) return 'busy';
    if (found) return replayStored(request, found);
    recordAtCommit(tx, finishedRequest(request, answer));
    return { answer, replayed: false };
  });
}

/** Three steps: commit a claim, call with a key derived from it, commit writes and answer together. */
async function attemptCallingOut(
  db: Queryable,
  request: IdempotentRequest,
  work: Work,
): Promise<Outcome | 'busy'> {
  const claimed = await claim(db, request);
  if (claimed === 'busy' || 'answer' in claimed) return claimed;
  const finish = (on: Queryable, answer: Answer) =>
    finishLease(on, claimed, answer.status, sealAnswer(request, answer));
  try {
    const outcome = await work.callOut?.(providerKeyOf(claimed));
    const answer = await db.transaction(async (tx) => {
      const done = await work.run(tx, outcome);
      if (!(await finish(tx, done))) throw new LeaseLost();
      return done;
    });
    return { answer, replayed: false };
  } catch (error) {
    if (error instanceof LeaseLost) return 'busy';
    if (!isKept(error)) {
      // Should this fail too, the lease lapses by itself; the first error tells more.
      await endLease(db, claimed).catch(() => {});
      throw error;
    }
    const answer = work.refuse(error);
    return (await finish(db, answer)) ? { answer, replayed: false } : 'busy';
  }
}

async function claim(db: Queryable, request: IdempotentRequest): Promise<Outcome | 'busy' | Lease> {
  return db.transaction(async (tx) => {
    const { locked, found } = await lockAndFind(tx, request.scope);
    if (!locked) return 'busy';
    if (found) checkSameBody(request, found.bodyHash);
    if (found?.leaseIsLive) return 'busy';
    if (found?.status) return replayStored(request, found);
    const { scope, bodyHash } = request;
    const lease = { scope, bodyHash, claimId: found?.claimId ?? newId(), token: newId() };
    await saveLease(tx, lease, LEASE_SECONDS);
    return lease;
  });
}

class LeaseLost extends Error {}

function providerKeyOf(lease: Lease): string {
  return `atrium-${lease.claimId}`;
}

/** What a repetition is told too: that the thing is not there, or in the way. The rest may be tried again. */
function isKept(error: unknown): error is AppError {
  return (
    error instanceof AppError &&
    (error.code === 'NOT_FOUND' || error.code === 'CONFLICT') &&
    error.details['reason'] !== 'idempotency_key_reused'
  );
}

function replayStored(request: IdempotentRequest, found: StoredRequest): Outcome {
  const { status, sealedResponse, bodyHash } = found;
  if (status === null || sealedResponse === null) {
    throw new Error('an unfinished request was about to be replayed');
  }
  checkSameBody(request, bodyHash);
  const body = unseal(request.secret, request.scope.hash, sealedResponse);
  return { answer: { status, body }, replayed: true };
}

function replay(request: IdempotentRequest, finished: Finished): Outcome {
  checkSameBody(request, finished.bodyHash);
  return { answer: finished.answer, replayed: true };
}

function checkSameBody(request: IdempotentRequest, bodyHash: Buffer): void {
  if (request.bodyHash.equals(bodyHash)) return;
  throw conflict(
    'idempotency_key_reused',
    'This Idempotency-Key was used with another body; send a new key for a new request.',
  );
}

function finishedRequest(request: IdempotentRequest, answer: Answer) {
  const { scope, bodyHash } = request;
  const sealedResponse = sealAnswer(request, answer);
  return { scope, bodyHash, claimId: newId(), status: answer.status, sealedResponse };
}

function sealAnswer(request: IdempotentRequest, answer: Answer): Buffer {
  return seal(request.secret, request.scope.hash, answer.body);
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
    'The first request with this Idempotency-Key is still running; try again shortly.',
    { reason: 'idempotency_in_progress' },
    1,
  );
}
