import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable, SharedReader, Transaction } from '../../db/types.ts';
import { AppError, conflict } from '../../errors.ts';
import { newId } from '../../ids.ts';
import type { HttpResponse } from '../envelope.ts';
import { seal, unseal } from './sealing.ts';
import {
  deleteExpired,
  endLease,
  findLockedRequest,
  findRequest,
  finishLease,
  lockAtBegin,
  recordAtCommit,
  RequestTaken,
  saveLeaseAtCommit,
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
  /** The caller's plaintext secret, which seals the stored response. */
  secret: string;
}

export interface Work {
  /** Checks the caller's rights for this transaction, before the handler runs in it. */
  enter(tx: Transaction): Promise<void>;
  /** Runs the handler in the given transaction. Throws an AppError to refuse. */
  run(db: Queryable, outcome: unknown): Promise<HttpResponse>;
  /** Calls an outside service, for routes that do so. No transaction is open. */
  callOut?: (providerKey: string) => Promise<unknown>;
  /** Work that is too slow for a transaction, for routes that have some. */
  prepare?: () => Promise<unknown>;
  /** Turns an AppError into a response, so that it can be stored. */
  refuse(error: AppError): HttpResponse;
}

export interface Outcome {
  response: HttpResponse;
  replayed: boolean;
}

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

export function createIdempotency(db: Queryable): Idempotency {
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
      // The first request failed without a response to store, so one of the waiting ones runs next.
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
      finished = { response: outcome.response, bodyHash: request.bodyHash };
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
      const outcome = work.callOut
        ? await attemptCallingOut(db, request, work)
        : await attempt(db, request, work, prepared);
      if (outcome !== 'busy') return outcome;
      if (performance.now() + POLL_MS > deadline) throw inProgress();
      await sleep(POLL_MS);
    }
  }

  return { run };
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
  db: Queryable,
  request: IdempotentRequest,
  work: Work,
  prepared: Prepared | undefined,
): Promise<Outcome | 'busy'> {
  const { scope } = request;
  try {
    const response = await db.transaction(async (tx) => {
      lockAtBegin(tx, scope);
      await work.enter(tx);
      const done = await work.run(beginningIfNew(tx, scope), prepared?.());
      recordAtCommit(tx, finishedRequest(request, done));
      return done;
    });
    return { response, replayed: false };
  } catch (error) {
    const found = await findRequest(db, scope);
    if (found && !found.hasExpired) return replayStored(request, found);
    if (found) await deleteExpired(db, scope);
    if (error instanceof RequestTaken) return 'busy';
    if (!isKept(error)) throw error;
    return keepRefusal(db, request, work.refuse(error));
  }
}

/** A handler that needs the connection before its commit gets it only if there is no stored response. */
function beginningIfNew(tx: Transaction, scope: Scope): Transaction {
  let search: Promise<void> | undefined;
  const requireNew = () => (search ??= requireNothingStored(tx, scope));
  const guarded: Transaction = {
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
 * The refused transaction has rolled back and released its lock. If another process has run the request
 * since, or is running it, that response counts instead of this one.
 */
async function keepRefusal(
  db: Queryable,
  request: IdempotentRequest,
  response: HttpResponse,
): Promise<Outcome | 'busy'> {
  try {
    await db.transaction(async (tx) => recordAtCommit(tx, finishedRequest(request, response)));
    return { response, replayed: false };
  } catch (error) {
    if (error instanceof RequestTaken) return 'busy';
    throw error;
  }
}

/** Three steps: commit a claim, call with a key derived from it, commit writes and response together. */
async function attemptCallingOut(
  db: Queryable,
  request: IdempotentRequest,
  work: Work,
): Promise<Outcome | 'busy'> {
  const claimed = await claim(db, request);
  if (claimed === 'busy' || 'response' in claimed) return claimed;
  const finish = (on: Queryable, response: HttpResponse) =>
    finishLease(on, claimed, response.status, sealResponse(request, response));
  try {
    const outcome = await work.callOut?.(providerKeyOf(claimed));
    const response = await db.transaction(async (tx) => {
      const done = await work.run(tx, outcome);
      if (!(await finish(tx, done))) throw new LeaseLost();
      return done;
    });
    return { response, replayed: false };
  } catch (error) {
    if (error instanceof LeaseLost) return 'busy';
    if (!isKept(error)) {
      // If this fails too, the lease expires by itself. The first error says more.
      await endLease(db, claimed).catch(() => {});
      throw error;
    }
    const response = work.refuse(error);
    return (await finish(db, response)) ? { response, replayed: false } : 'busy';
  }
}

async function claim(db: Queryable, request: IdempotentRequest): Promise<Outcome | 'busy' | Lease> {
  try {
    return await db.transaction(async (tx) => {
      lockAtBegin(tx, request.scope);
      const found = await findLockedRequest(tx, request.scope);
      if (found) checkSameBody(request, found.bodyHash);
      if (found?.leaseIsLive) return 'busy';
      if (found?.status) return replayStored(request, found);
      const { scope, bodyHash } = request;
      const lease = { scope, bodyHash, claimId: found?.claimId ?? newId(), token: newId() };
      saveLeaseAtCommit(tx, lease, LEASE_SECONDS);
      return lease;
    });
  } catch (error) {
    if (error instanceof RequestTaken) return 'busy';
    throw error;
  }
}

class LeaseLost extends Error {}

function providerKeyOf(lease: Lease): string {
  return `atrium-${lease.claimId}`;
}

/** Only 404 and 409 are stored for repetitions. After any other error the request may be tried again. */
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
    throw new Error('tried to replay an unfinished request');
  }
  checkSameBody(request, bodyHash);
  const body = unseal(request.secret, request.scope.hash, sealedResponse);
  return { response: { status, body }, replayed: true };
}

function replay(request: IdempotentRequest, finished: Finished): Outcome {
  checkSameBody(request, finished.bodyHash);
  return { response: finished.response, replayed: true };
}

function checkSameBody(request: IdempotentRequest, bodyHash: Buffer): void {
  if (request.bodyHash.equals(bodyHash)) return;
  throw conflict(
    'idempotency_key_reused',
    'This Idempotency-Key was used with a different body. Use a new key for a new request.',
  );
}

function finishedRequest(request: IdempotentRequest, response: HttpResponse) {
  const { scope, bodyHash } = request;
  const sealedResponse = sealResponse(request, response);
  return { scope, bodyHash, claimId: newId(), status: response.status, sealedResponse };
}

function sealResponse(request: IdempotentRequest, response: HttpResponse): Buffer {
  return seal(request.secret, request.scope.hash, response.body);
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
