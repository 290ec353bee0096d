import { ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { z } from 'zod';
import { isViolation, sqlState } from '../../src/db/transactions/violations.ts';
import { createProject } from '../../src/features/projects/service.ts';
import { defineRoute, type Route } from '../../src/http/route.ts';
import { ROUTES } from '../../src/app/api.ts';

/**
 * The unchanged server, run by its own `main.ts`. It stops at the point named by HALT_AT, says so on
 * stdout, and waits to be killed or told `go`. It also says when it has to wait for another
 * process (`busy`). With PROVIDER_URL it has a route that calls out.
 */
export type HaltPoint =
  | 'after-lookup' // The caller has been looked up, and the result is not used yet.
  | 'before-commit'
  | 'after-commit'
  | 'after-rollback' // Whether asked for, or because a statement sent with COMMIT failed.
  | 'mid-answer';

const { HALT_AT: point, PROVIDER_URL: providerUrl } = process.env;
const go = Promise.withResolvers<void>();
createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'go') go.resolve();
});
watchTransactions();
if (point === 'mid-answer') haltInAnswers();
if (providerUrl !== undefined) (ROUTES as Route[]).push(callingOutRoute(providerUrl));
await import('../../src/main.ts');
process.exit(); // Exits with the server: reading stdin would keep the process alive.

async function haltAt(here: HaltPoint): Promise<void> {
  if (here !== point) return;
  say(`halted ${here}`);
  await go.promise;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

interface Batch extends pg.Submittable {
  statements: { text: string }[];
  callback: (error: (Error & { cause?: unknown }) | null, results?: unknown) => void;
}

type Query = (
  this: pg.Client,
  query: string | Batch,
  ...values: unknown[]
) => Promise<pg.QueryResult>;

/** Watches statements. Only transactions that store a response halt. */
function watchTransactions(): void {
  // oxlint-disable-next-line typescript/unbound-method -- called with the client it belongs to
  const query = pg.Client.prototype.query as unknown as Query;
  const watched: Query = async function watched(sent, ...values) {
    if (typeof sent === 'object' && 'statements' in sent) {
      const send = (batch: Batch) => void query.call(this, batch);
      return sendWatched(sent, send) as never;
    }
    const result = await query.call(this, sent, ...values);
    if (result.command === 'ROLLBACK') await haltAt('after-rollback');
    return result;
  };
  Object.assign(pg.Client.prototype, { query: watched });
}

function sendWatched(batch: Batch, send: (batch: Batch) => void): void {
  const texts = batch.statements.map(({ text }) => text);
  const storesResponse = texts.some((text) => text.startsWith('INSERT INTO idempotency_keys'));
  const { callback } = batch;
  const halts = storesResponse && texts.at(-1) === 'COMMIT';
  if (halts && point === 'before-commit') return sendInTwo(batch, send);
  batch.callback = (error, results) => {
    if (isBusy(error, results)) say('busy');
    void (async () => {
      if (halts && !error) await haltAt('after-commit');
      if (texts.some((text) => /FROM api_keys k\b/.test(text))) await haltAt('after-lookup');
      callback(error, results);
    })();
  };
  send(batch);
}

/** Everything but COMMIT has run when it halts, as if it were killed just before that arrives. */
function sendInTwo(batch: Batch, send: (batch: Batch) => void): void {
  const { callback, statements } = batch;
  const part = (of: Batch['statements'], then: Batch['callback']) =>
    Reflect.construct(batch.constructor, [of, then]) as Batch;
  const first = part(statements.slice(0, -1), (failed, results) => {
    if (isBusy(failed)) say('busy');
    if (failed) return callback(failed);
    const commit = part(statements.slice(-1), (error, result) =>
      callback(error, [results, result].flat()),
    );
    return void haltAt('before-commit').then(() => send(commit));
  });
  send(first);
}

/** Another process has the request: it has the lock, has recorded a response, or has a lease. */
function isBusy(error: { cause?: unknown } | null, results?: unknown): boolean {
  const cause = error?.cause;
  // The lock at BEGIN, or the one at COMMIT, is taken.
  if (sqlState(cause) === '22012' || isViolation(cause, 'requestRunning')) return true;
  if (isViolation(cause, 'requestRecorded')) return true;
  const all = [results].flat() as ({ rows?: { leaseIsLive?: boolean }[] } | undefined)[];
  return all.some((result) => result?.rows?.some((row) => row.leaseIsLive === true));
}

/** Sends the head and the first half of the response, and no more. */
function haltInAnswers(): void {
  // oxlint-disable-next-line typescript/unbound-method -- called with the response it belongs to
  const end = ServerResponse.prototype.end as (this: ServerResponse, ...args: unknown[]) => unknown;
  Object.assign(ServerResponse.prototype, {
    end(this: ServerResponse, chunk: unknown, ...rest: unknown[]) {
      if (this.statusCode !== 201 || typeof chunk !== 'string') {
        return end.call(this, chunk, ...rest);
      }
      const half = chunk.length >> 1;
      this.write(chunk.slice(0, half), () => {
        void haltAt('mid-answer').then(() => end.call(this, chunk.slice(half)));
      });
      return this;
    },
  });
}

/** Calls the test's provider over HTTP, then creates a Project from its response. */
function callingOutRoute(url: string): Route {
  return defineRoute({
    operationId: 'testCallOut',
    tag: 'Test',
    method: 'POST',
    path: '/test/call-outs',
    summary: 'Test',
    description: 'Test',
    auth: 'user',
    scope: null,
    limit: 'write',
    request: { body: z.strictObject({ name: z.string() }) },
    mayReplay: 'always',
    status: 201,
    response: z.object({ id: z.string(), outcome: z.string() }),
    async callOut(_ctx, _input, providerKey) {
      const reply = await fetch(url, {
        method: 'POST',
        headers: { 'idempotency-key': providerKey },
      });
      if (!reply.ok) throw new Error(`the provider answered ${reply.status}`);
      return reply.text();
    },
    async handler(ctx, { body }, outcome) {
      const { id } = await createProject(ctx, { name: body.name });
      return { id, outcome };
    },
  });
}
