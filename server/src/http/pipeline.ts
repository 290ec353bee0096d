import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Adapters, Clock, Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { invalid } from '../errors.ts';
import { checkAccess } from './access.ts';
import { identifyCaller, type Authenticate, type Caller } from './auth.ts';
import { errorAnswer, successAnswer, type Answer } from './envelope.ts';
import { requestScope, type Idempotency, type Work } from './idempotency/idempotency.ts';
import { takeSlot, type RateLimits } from './rate-limit.ts';
import { readInput } from './request-input.ts';
import type { Input, Route, RouteRequest } from './route.ts';

export interface PipelineParts {
  db: Database;
  clock: Clock;
  log: Logger;
  adapters: Adapters;
  authenticate: Authenticate;
  rateLimits: RateLimits;
  idempotency: Idempotency;
  /** Checks each answer against its schema; the tests run with it. */
  checkResponses: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
  }
}

/** Everything that is decided before the body is read: 401, then 429, then 403. */
export function admit(route: Route, parts: PipelineParts) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const caller = await identifyCaller(request.raw, route.auth, parts.authenticate);
    request.caller = caller;
    await takeSlot(parts.rateLimits, route, caller, reply);
    checkAccess(route, caller, request.params as Record<string, string>);
  };
}

/** Validation, idempotency, handler, envelope. */
export function serve(route: Route, parts: PipelineParts) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const caller = request.caller as Caller;
    const input = readInput(route, request);
    const ctx = createContext(parts, request.id, caller);
    const work = createWork(route, parts, ctx, input);
    const key = route.method === 'POST' ? readIdempotencyKey(request) : undefined;
    if (key === undefined) return sendAnswer(reply, await runOnce(work, ctx));
    const { answer, replayed } = await parts.idempotency.run(
      {
        scope: requestScope(caller.orgId, [caller.actor.keyId, 'POST', request.raw.url ?? '', key]),
        bodyHash: hash('sha256', (request.body as Buffer | undefined) ?? '', 'buffer'),
        secret: caller.secret,
      },
      work,
    );
    if (replayed) void reply.header('Idempotency-Replayed', 'true');
    return sendAnswer(reply, answer);
  };
}

export function sendAnswer(reply: FastifyReply, answer: Answer): FastifyReply {
  void reply.code(answer.status);
  if (answer.status === 204) return reply.send();
  return reply.header('content-type', 'application/json; charset=utf-8').send(answer.body);
}

export function createContext(parts: PipelineParts, requestId: string, caller: Caller): Context {
  return {
    requestId,
    orgId: caller.orgId,
    actor: caller.actor,
    db: parts.db,
    clock: parts.clock,
    log: parts.log.child({ requestId }),
    ...parts.adapters,
  };
}

function createWork(
  route: Route,
  parts: PipelineParts,
  ctx: Context,
  input: Input<RouteRequest>,
): Work {
  const { callOut, prepare } = route;
  return {
    async run(db, outcome) {
      const data = await route.handler({ ...ctx, db }, input, outcome);
      if (parts.checkResponses) route.response?.parse(data);
      return successAnswer(route.status, data, ctx.requestId, ctx.clock.now());
    },
    refuse: (error) => errorAnswer(error, ctx.requestId, ctx.clock.now()),
    ...(callOut && { callOut: (providerKey: string) => callOut(ctx, input, providerKey) }),
    ...(prepare && { prepare: () => prepare(ctx, input) }),
  };
}

async function runOnce(work: Work, ctx: Context): Promise<Answer> {
  const outcome = work.prepare
    ? await work.prepare()
    : await work.callOut?.(`atrium-${ctx.requestId}-${ctx.clock.now().getTime()}`);
  return work.run(ctx.db, outcome);
}

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

function readIdempotencyKey(request: FastifyRequest): string | undefined {
  const value = request.headers['idempotency-key'];
  if (value === undefined) return undefined;
  if (typeof value === 'string' && VISIBLE_ASCII.test(value)) return value;
  throw invalid([
    {
      location: 'header.idempotency-key',
      code: 'invalid_value',
      message: 'must be 1 to 255 visible ASCII characters, sent once',
    },
  ]);
}
