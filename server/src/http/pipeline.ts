import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Adapters, Clock, WebSettings } from '../context.ts';
import type { Database } from '../db/database.ts';
import { invalid } from '../errors.ts';
import { checkAccess } from './access.ts';
import { identifyCaller, type Authenticators, type Caller } from './auth.ts';
import { errorAnswer, successAnswer, type Answer } from './envelope.ts';
import { requestScope, type Idempotency, type Work } from './idempotency/idempotency.ts';
import type { Scope } from './idempotency/store.ts';
import { requireOwnOrigin } from './own-origin.ts';
import { takeSlot, type RateLimits } from './rate-limit.ts';
import { readInput } from './request-input.ts';
import type { AnyContext, Input, Route, RouteRequest } from './route.ts';
import { addWebParts, isWeb } from './web-context.ts';

export interface PipelineParts extends Authenticators {
  db: Database;
  clock: Clock;
  log: Logger;
  adapters: Adapters;
  webSettings: WebSettings;
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

/** Everything that is decided before the body is read: 401, cross-origin, then 429, then 403. */
export function admit(route: Route, parts: PipelineParts) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const caller = await identifyCaller(request.raw, route.auth, parts);
    request.caller = caller;
    if (isWeb(route) || caller?.actor.keyId === null) {
      void reply.header('Cache-Control', 'no-store');
      requireOwnOrigin(request, parts.adapters.site.publicUrl());
    }
    await takeSlot(parts.rateLimits, route, caller, request, reply);
    if (caller && !isWeb(route)) {
      checkAccess(route, caller, request.params as Record<string, string>);
    }
  };
}

/** Validation, idempotency, handler, envelope. */
export function serve(route: Route, parts: PipelineParts) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const input = readInput(route, request);
    const { caller } = request;
    if (!caller || isWeb(route)) return serveWeb(route, parts, request, reply, input);
    const ctx = createContext(parts, request.id, caller);
    const work = createWork(route, parts, ctx, input);
    const key = route.method === 'POST' ? readIdempotencyKey(request) : undefined;
    if (key === undefined) return sendAnswer(reply, await runOnce(work, ctx));
    const { answer, replayed } = await parts.idempotency.run(
      {
        scope: scopeOf(route, caller, request.raw.url ?? '', key),
        bodyHash: hash('sha256', (request.body as Buffer | undefined) ?? '', 'buffer'),
        secret: caller.secret,
      },
      work,
    );
    if (replayed) void reply.header('Idempotency-Replayed', 'true');
    return sendAnswer(reply, answer);
  };
}

/** The routes of the browser keep no answers: what they give is a cookie, or said only once. */
async function serveWeb(
  route: Route,
  parts: PipelineParts,
  request: FastifyRequest,
  reply: FastifyReply,
  input: Input<RouteRequest>,
): Promise<FastifyReply> {
  const { ctx, sendCookie } = addWebParts(
    createContext(parts, request.id, request.caller),
    parts,
    request,
  );
  const answer = await runOnce(createWork(route, parts, ctx, input), ctx);
  sendCookie(reply);
  return sendAnswer(reply, answer);
}

/**
 * A person's session is in no org, so the active one is named too; but not where none is needed, since
 * joining an org changes which one is active, and a repetition would be another request.
 */
function scopeOf(route: Route, { actor, orgId }: Caller, url: string, key: string): Scope {
  if (actor.kind === 'user' && actor.webSessionId !== null) {
    const place = (route.auth === 'user' ? orgId : null) ?? actor.userId;
    return requestScope(place, [actor.webSessionId, place, 'POST', url, key]);
  }
  return requestScope(orgId ?? '', [actor.keyId ?? '', 'POST', url, key]);
}

export function sendAnswer(reply: FastifyReply, answer: Answer): FastifyReply {
  void reply.code(answer.status);
  if (answer.status === 204) return reply.send();
  return reply.header('content-type', 'application/json; charset=utf-8').send(answer.body);
}

export function createContext(
  parts: PipelineParts,
  requestId: string,
  caller: Caller | undefined,
): AnyContext {
  return {
    requestId,
    orgId: caller?.orgId ?? null,
    actor: caller?.actor ?? { kind: 'visitor' },
    db: parts.db,
    clock: parts.clock,
    log: parts.log.child({ requestId }),
    ...parts.adapters,
  };
}

function createWork(
  route: Route,
  parts: PipelineParts,
  ctx: AnyContext,
  input: Input<RouteRequest>,
): Work {
  const { callOut, prepare } = route;
  const isBrowser = ctx.actor.kind === 'user' && ctx.actor.webSessionId !== null;
  const response = (isBrowser && route.browserResponse) || route.response;
  return {
    async run(db, outcome) {
      const data = await route.handler({ ...ctx, db }, input, outcome);
      if (parts.checkResponses) response?.parse(data);
      return successAnswer(route.status, data, ctx.requestId, ctx.clock.now());
    },
    refuse: (error) => errorAnswer(error, ctx.requestId, ctx.clock.now()),
    ...(callOut && { callOut: (providerKey: string) => callOut(ctx, input, providerKey) }),
    ...(prepare && { prepare: () => prepare(ctx, input) }),
  };
}

async function runOnce(work: Work, ctx: AnyContext): Promise<Answer> {
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
