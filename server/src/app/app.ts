import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { LazySandbox } from '../adapters/payments/lazy-sandbox.ts';
import { createMemoryLimiter } from '../adapters/rate-limiter/memory.ts';
import { createRedisLimiter } from '../adapters/rate-limiter/redis.ts';
import type { Bus } from '../bus/bus.ts';
import type { Config } from '../config/config.ts';
import type { Clock, Dependencies, SystemActor } from '../core/context.ts';
import type { Database } from '../db/types.ts';
import { isMigrated } from '../db/migrating/migrate.ts';
import { receiveStripeEvent, STRIPE_WEBHOOK } from '../features/billing/webhook.ts';
import { receiveSlackRequest, SLACK_WEBHOOK } from '../features/channels/webhook.ts';
import { addFilesOrigin } from '../features/files/origin/endpoint.ts';
import { addUploads } from '../features/files/uploads/endpoint.ts';
import { createCookieAuthenticator } from '../features/identity/web-sessions/authenticator.ts';
import { createAuthenticator } from '../features/keys/authenticator.ts';
import { addLiveEvents, openStream, readRoom } from '../features/live/endpoint.ts';
import { startLive, type LiveTiming } from '../features/live/service.ts';
import { unsubscribe, UNSUBSCRIBE_PATH } from '../features/notifications/digest/service.ts';
import type { Caller } from '../http/callers/auth.ts';
import { AUTHORITY_MAX_AGE_MS } from '../http/callers/authority.ts';
import { addDocsPage } from '../http/docs/docs-page.ts';
import { createIdempotency } from '../http/idempotency/idempotency.ts';
import { namingVariable } from '../http/connections/listening.ts';
import { createMetrics, serveMetrics } from '../http/probes/metrics.ts';
import { addOperations } from '../http/probes/operations.ts';
import type { PipelineParts } from '../http/pipeline.ts';
import { SLOW_SENDER_LIMITS, type SlowSenderLimits } from '../http/connections/protocol.ts';
import type { Route } from '../http/route.ts';
import { createHttpServer } from '../http/server.ts';
import { addSandboxPages } from '../http/web-app/sandbox-pages.ts';
import { watchConnections, type ConnectionLimits } from '../http/connections/watch-connections.ts';
import { addWebhook } from '../http/input/webhook.ts';
import { addMcpEndpoint } from '../mcp-endpoint/endpoint.ts';
import { MCP_OFFER } from './mcp-offer.ts';
import { createMeasured } from './measurements.ts';
import type { WebApp } from '../web-app/web-app.ts';
import { buildV1Document, buildV2Document, ROUTES, WEB_ROUTES } from './api.ts';

export interface AppOptions {
  config: Config;
  db: Database;
  log: Logger;
  bus: Bus;
  dependencies: Dependencies & { sandbox?: LazySandbox | undefined };
  routes?: readonly Route[];
  checkResponses?: boolean;
  /** Shorter times, for tests. */
  slowSenderLimits?: SlowSenderLimits;
  connectionLimits?: Partial<ConnectionLimits> | undefined;
  drainNoticeMs?: number;
  authorityMaxAgeMs?: number | undefined;
  liveTiming?: Partial<LiveTiming> | undefined;
  /** Without it, only the API is served. */
  webApp?: WebApp | undefined;
}

export interface App {
  /** Starts listening and returns the port, which the system chooses if the configured one is 0. */
  listen(): Promise<number>;
  /** Finishes open requests, then closes everything except the database. */
  close(): Promise<void>;
}

/** A load balancer needs time to see `/readyz` fail before connections are refused. */
const DRAIN_NOTICE_MS = 500;
const SWEEP_EVERY_MS = 50;

/** The composition root: connects dependencies and features to one server. */
export function createApp({
  config,
  db,
  log,
  bus,
  dependencies,
  routes = [...ROUTES, ...WEB_ROUTES],
  checkResponses = false,
  slowSenderLimits,
  connectionLimits,
  drainNoticeMs = DRAIN_NOTICE_MS,
  authorityMaxAgeMs = AUTHORITY_MAX_AGE_MS,
  liveTiming,
  webApp,
}: AppOptions): App {
  const clock: Clock = { now: () => new Date() };
  const memory = createMemoryLimiter();
  const limiter = config.redisUrl ? createRedisLimiter(config.redisUrl, memory, log) : memory;
  const authenticator = createAuthenticator(db, log);
  const cookies = createCookieAuthenticator(db, log);
  const metrics = createMetrics(createMeasured(db, log, dependencies.encoder));
  const live = startLive({ db, bus, log, presence: dependencies.presence, timing: liveTiming });
  const parts: PipelineParts = {
    db,
    clock,
    log,
    dependencies,
    checkResponses,
    authorityMaxAgeMs,
    authenticate: authenticator.authenticate,
    authenticateCookie: cookies.authenticateCookie,
    webSettings: {
      signup: config.signup,
      signInAttempts: config.rateLimitSignIns,
      sendsMail: config.smtpUrl !== undefined,
    },
    rateLimits: { limiter, reads: config.rateLimitReads, writes: config.rateLimitWrites },
    idempotency: createIdempotency(db),
    openStream: (request, reply, about) =>
      openStream(request, reply, live, { room: readRoom(about) }),
  };
  const connections = watchConnections(connectionLimits, log);
  const server = createHttpServer({
    config,
    routes,
    slowSenderLimits,
    webApp,
    parts,
    onRequest: connections.noteRequest,
    onResponse(request, reply) {
      metrics.observe(request, reply);
      log.info({
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        ip: request.ip,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ...callerFields(request.caller),
      });
    },
  });
  const unused = connections.watch(server.server);
  addMcpEndpoint(server, config, parts, MCP_OFFER);
  addLiveEvents(server, parts, live);
  const uploads = addUploads(server, parts, {
    stalledMs: (slowSenderLimits ?? SLOW_SENDER_LIMITS).requestTimeout,
  });
  if (config.files.origin !== undefined) addFilesOrigin(server, parts);
  let draining = false;
  addOperations(
    server,
    { isReady: () => isMigrated(db), isDraining: () => draining },
    { '/api/openapi.json': buildV2Document, '/api/v1/openapi.json': buildV1Document },
  );
  addDocsPage(server);
  if (dependencies.sandbox) addSandboxPages(server, dependencies.sandbox);
  const contextOf = (requestId: string) => {
    const actor: SystemActor = { kind: 'system' };
    return { requestId, actor, db, clock, log: log.child({ requestId }), ...dependencies };
  };
  addWebhook(server, clock, {
    path: STRIPE_WEBHOOK,
    receive: (body, headers, requestId) =>
      receiveStripeEvent(contextOf(requestId), body, headers['stripe-signature']),
  });
  addWebhook(server, clock, {
    path: `${SLACK_WEBHOOK}/:connectionId`,
    limiter,
    receive: (body, headers, requestId, { connectionId = '' }) =>
      receiveSlackRequest(contextOf(requestId), connectionId, body, headers),
  });
  addWebhook(server, clock, {
    path: `${UNSUBSCRIBE_PATH}/:token`,
    receive: (_body, _headers, _requestId, { token = '' }) =>
      unsubscribe({ db, tokens: dependencies.tokens }, token),
  });
  let metricsServer: Server | undefined;

  return {
    async listen() {
      await limiter.ready();
      await namingVariable('PORT', server.listen({ port: config.port, host: config.host }));
      metricsServer = await serveMetrics(config, metrics, log);
      const { port } = server.server.address() as AddressInfo;
      dependencies.site.listensOn(port);
      return port;
    },
    async close() {
      draining = true;
      await new Promise((resolve) => setTimeout(resolve, drainNoticeMs));
      live.close();
      await uploads.close();
      // A connection stays open after its request, but the next request must go to another server.
      const { headersTimeout } = slowSenderLimits ?? SLOW_SENDER_LIMITS;
      const sweeping = setInterval(() => {
        server.server.closeIdleConnections();
        unused.closeAll(headersTimeout);
      }, SWEEP_EVERY_MS);
      await server.close();
      clearInterval(sweeping);
      metricsServer?.close();
      await Promise.all([authenticator.settle(), cookies.settle()]);
      await limiter.close();
    },
  };
}

/** The id of the key or the web session, never its secret. */
function callerFields(caller: Caller | undefined): { keyId?: string; webSessionId?: string } {
  const { actor } = caller ?? {};
  if (!actor) return {};
  if (actor.kind === 'org-key' || actor.keyId !== null) return { keyId: actor.keyId as string };
  return { webSessionId: actor.webSessionId as string };
}
