import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Dependencies, Clock, WebSettings } from '../core/context.ts';
import type { Database } from '../db/types.ts';
import type { Download } from '../lists/download.ts';
import type { Elsewhere, FileContent } from '../lists/file-content.ts';
import type { StoredFile } from '../lists/stored-file.ts';
import { invalidValue } from '../core/errors.ts';
import { checkAccess } from './callers/access.ts';
import {
  identifyByCookie,
  identifyCaller,
  type Authenticators,
  type Caller,
} from './callers/auth.ts';
import { readAuthority, type Authority } from './callers/authority.ts';
import { sendDownload } from './output/download.ts';
import { errorResponse, successResponse, type HttpResponse } from './output/envelope.ts';
import { requestScope, type Idempotency } from './idempotency/idempotency.ts';
import type { Work } from './idempotency/request.ts';
import type { Scope } from './idempotency/store.ts';
import { requireOwnOrigin } from './callers/own-origin.ts';
import { takeSlot, type RateLimits } from './callers/rate-limit.ts';
import { mayReplay, responseNotKept } from './idempotency/replays.ts';
import { readInput } from './input/request-input.ts';
import type { AnyContext, Input, Route, RouteRequest } from './route.ts';
import { sendContent } from './output/send-content.ts';
import { sendStored } from './output/send-stored.ts';
import { sendText } from './output/send-text.ts';
import { sendPage, toPage } from './output/tagged.ts';
import { createWebParts, isWeb } from './web-context.ts';

export interface PipelineParts extends Authenticators {
  db: Database;
  clock: Clock;
  log: Logger;
  dependencies: Dependencies;
  webSettings: WebSettings;
  rateLimits: RateLimits;
  idempotency: Idempotency;
  /** Keeps the response open for events about what a stream's handler returned. */
  openStream: (request: FastifyRequest, reply: FastifyReply, about: unknown) => FastifyReply;
  /** Checks each response against its schema; for tests. */
  checkResponses: boolean;
  /** How old the caller's rights may be when a handler starts. */
  authorityMaxAgeMs: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller as admitted, for logs and limits. `authority` has their current rights. */
    caller: Caller | undefined;
    authority: Authority;
  }
}

/** Decides what it can before the body is read: 401, cross-origin, then 429, then 403. */
export function admit(route: Route, parts: PipelineParts) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const check = (caller: Caller) => {
      if (!isWeb(route)) checkAccess(route, caller, request.params as Record<string, string>);
    };
    const org = await orgInPath(route, parts, request);
    const { authority, caller } = await readAuthority({
      identify: (again) => identifyCaller(request.raw, route.auth, parts, again, org),
      check,
      maxAgeMs: parts.authorityMaxAgeMs,
    });
    request.caller = caller;
    request.authority = authority;
    if (isWeb(route) || caller?.actor.keyId === null) {
      void reply.header('Cache-Control', 'no-store');
      requireOwnOrigin(request, parts.dependencies.site.publicUrl());
    }
    await takeSlot(parts.rateLimits, route, caller, request, reply);
    if (caller) check(caller);
  };
}

/** The organisation that a page could not name, because a picture's address has no headers. */
async function orgInPath(
  { findOrg }: Route,
  parts: PipelineParts,
  { raw, params }: FastifyRequest,
): Promise<string | undefined> {
  if (!findOrg || raw.headers['atrium-org'] !== undefined) return undefined;
  const caller = await identifyByCookie(raw, parts.authenticateCookie, undefined);
  if (caller?.actor.kind !== 'user') return undefined;
  return findOrg(parts.db, caller.actor.userId, params as Record<string, string>);
}

/** Validation, idempotency, handler, envelope. */
export function serve(route: Route, parts: PipelineParts) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { authority } = request;
    // The body may have taken a while: callers who lost their rights since then are refused first.
    const caller = await authority.current(parts.db);
    const input = readInput(route, request);
    if (!caller || isWeb(route)) return serveWeb(route, parts, request, reply, input);
    const contextOf: ContextOf = (current) => createContext(parts, request.id, current);
    const read = () =>
      authority.run(parts.db, (current, db) =>
        route.handler({ ...contextOf(current), db }, input, undefined),
      );
    if (route.isTagged) {
      const page = await toPage(route, await read(), parts.checkResponses);
      return sendPage(request, reply, page, parts.clock.now());
    }
    if (route.fileType !== undefined) {
      return sendDownload(route.fileType, reply, {
        open: read as () => Promise<Download>,
        check: () => authority.current(parts.db),
        log: parts.log.child({ requestId: request.id }),
      });
    }
    if (route.isContent) {
      const content = (await read()) as FileContent | Elsewhere;
      if ('location' in content) return reply.redirect(content.location, 302);
      return sendContent(request, reply, content, {
        now: parts.clock.now(),
        check: () => authority.current(parts.db),
        log: parts.log.child({ requestId: request.id }),
      });
    }
    if (route.storedType !== undefined) return sendStored(reply, (await read()) as StoredFile);
    if (route.isStream) return parts.openStream(request, reply, await read());
    const work = createWork(route, parts, request, input, contextOf);
    const key = route.method === 'POST' ? readIdempotencyKey(request) : undefined;
    if (key === undefined) return sendResponse(reply, await runOnce(work, parts, request));
    const idempotent = {
      scope: scopeOf(route, caller, request.raw.url ?? '', key),
      bodyHash: hash('sha256', (request.body as Buffer | undefined) ?? '', 'buffer'),
      secret: caller.secret,
      callerId: callerIdOf(caller),
      isRead: route.limit === 'read',
    };
    const { response, replayed } = await authority.restarting(() =>
      parts.idempotency.run(idempotent, work),
    );
    if (response && !replayed) return sendResponse(reply, response);
    // This request may have waited for the first one.
    const again = contextOf(await authority.current(parts.db));
    if (response && (await mayReplay(route, again, input, response))) {
      return sendResponse(reply.header('Idempotency-Replayed', 'true'), response);
    }
    if (!idempotent.isRead) throw responseNotKept();
    return sendResponse(reply, await runOnce(work, parts, request));
  };
}

/** Browser routes have no idempotency. */
async function serveWeb(
  route: Route,
  parts: PipelineParts,
  request: FastifyRequest,
  reply: FastifyReply,
  input: Input<RouteRequest>,
): Promise<FastifyReply> {
  const { addTo, sendCookie } = createWebParts(parts, request);
  const contextOf: ContextOf = (caller) => addTo(createContext(parts, request.id, caller));
  const work = createWork(route, parts, request, input, contextOf);
  const response = await runOnce(work, parts, request);
  sendCookie(reply);
  return sendResponse(reply, response);
}

/**
 * A web session does not belong to an org, so the scope also contains the active one. Routes that need no
 * org leave it out: joining an org changes the active one, and the repetition would be a new request.
 */
function scopeOf(route: Route, caller: Caller, url: string, key: string): Scope {
  const { actor, orgId } = caller;
  const callerId = callerIdOf(caller);
  if (actor.kind === 'user' && actor.webSessionId !== null) {
    const place = (route.auth === 'user' ? orgId : null) ?? actor.userId;
    return requestScope(place, [callerId, place, 'POST', url, key]);
  }
  return requestScope(orgId ?? '', [callerId, 'POST', url, key]);
}

function callerIdOf({ actor }: Caller): string {
  return (actor.kind === 'user' ? actor.webSessionId : null) ?? actor.keyId ?? '';
}

export function sendResponse(reply: FastifyReply, response: HttpResponse): FastifyReply {
  void reply.code(response.status);
  if (response.status === 204) return reply.send();
  return sendText(reply.header('content-type', 'application/json; charset=utf-8'), response.body);
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
    ...parts.dependencies,
  };
}

type ContextOf = (caller: Caller | undefined) => AnyContext;

/** Each step uses the caller's current rights, except that the result of an outside call is always recorded. */
function createWork(
  route: Route,
  parts: PipelineParts,
  { id, authority }: FastifyRequest,
  input: Input<RouteRequest>,
  contextOf: ContextOf,
): Work {
  const { callOut, prepare } = route;
  let calledAs: AnyContext | undefined;
  return {
    async run(db, outcome) {
      const ctx = calledAs ?? contextOf(await authority.current(db));
      const data = await route.handler({ ...ctx, db }, input, outcome);
      if (parts.checkResponses) responseOf(route, ctx)?.parse(data);
      return successResponse(route.status, data, id, parts.clock.now());
    },
    enter: (tx) => authority.hold(tx),
    refuse: (error) => errorResponse(error, id, parts.clock.now()),
    ...(callOut && {
      callOut: async (providerKey: string) => {
        calledAs = contextOf(await authority.current(parts.db));
        return callOut(calledAs, input, providerKey);
      },
    }),
    ...(prepare && {
      prepare: () => authority.prepare(parts.db, (caller) => prepare(contextOf(caller), input)),
    }),
  };
}

function responseOf(route: Route, { actor }: AnyContext) {
  const isBrowser = actor.kind === 'user' && actor.webSessionId !== null;
  return (isBrowser && route.browserResponse) || route.response;
}

async function runOnce(
  work: Work,
  { db, clock }: PipelineParts,
  { id, authority }: FastifyRequest,
): Promise<HttpResponse> {
  if (work.callOut) {
    return work.run(db, await work.callOut(`atrium-${id}-${clock.now().getTime()}`));
  }
  const outcome = await work.prepare?.();
  return authority.run(db, (_caller, guarded) => work.run(guarded, outcome));
}

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

function readIdempotencyKey(request: FastifyRequest): string | undefined {
  const value = request.headers['idempotency-key'];
  if (value === undefined) return undefined;
  if (typeof value === 'string' && VISIBLE_ASCII.test(value)) return value;
  const message = 'must be 1 to 255 visible ASCII characters, sent once';
  throw invalidValue('header.idempotency-key', message);
}
