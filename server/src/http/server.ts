import type { IncomingMessage } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import { invalid } from '../core/errors.ts';
import type { WebApp } from '../web-app/web-app.ts';
import { addCors, allowOrigin } from './output/cors.ts';
import { sendError, MAX_BODY_BYTES } from './output/error-handler.ts';
import { paceLargeBodies } from './input/large-bodies.ts';
import { findMalformation, hasBody, originForm } from './input/malformed.ts';
import { closeFilesHost } from './input/files-host.ts';
import { admit, serve, type PipelineParts } from './pipeline.ts';
import {
  answerProtocolErrors,
  isRefused,
  KEEP_ALIVE_MS,
  refuseFurtherRequests,
  requestIdOf,
  SLOW_SENDER_LIMITS,
  type SlowSenderLimits,
} from './connections/protocol.ts';
import { checkRoutes, fullPath, type Route } from './route.ts';
import { securityHeaders } from './output/security-headers.ts';
import { answerUnknownPaths } from './input/unknown-path.ts';
import { createWebAppServer } from './web-app/web-app.ts';

export interface HttpServerOptions {
  config: Pick<Config, 'corsOrigins' | 'trustProxy' | 'publicUrl'>;
  parts: PipelineParts;
  routes: readonly Route[];
  /** Called first, before anything can be sent. */
  onRequest?: (request: FastifyRequest, reply: FastifyReply) => void;
  onResponse: (request: FastifyRequest, reply: FastifyReply) => void;
  slowSenderLimits?: SlowSenderLimits | undefined;
  webApp?: WebApp | undefined;
}

/** Longer than any path that Node's parser accepts, so an id that is too long is a 404 like any malformed id. */
const MAX_PARAM_LENGTH = 16 * 1024;

export function createHttpServer({
  config,
  parts,
  routes,
  onRequest,
  onResponse,
  slowSenderLimits = SLOW_SENDER_LIMITS,
  webApp,
}: HttpServerOptions): FastifyInstance {
  checkRoutes(routes);
  const app = Fastify({
    logger: false,
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: config.trustProxy,
    genReqId: requestIdOf,
    rewriteUrl: originForm,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    frameworkErrors: (error, request, reply) => {
      allowOrigin(request, reply, config.corsOrigins); // An invalid URL does not reach the hooks.
      void sendError(error, request, reply, parts);
    },
    clientErrorHandler: () => {}, // `answerProtocolErrors` handles these, for requests and tunnels.
    // Without this, Fastify sets the server's limit to none.
    requestTimeout: slowSenderLimits.requestTimeout,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Node's response to a missing Host header has no envelope, so `refuseMalformed` checks it.
    http: { ...slowSenderLimits, requireHostHeader: false },
  });
  app.server.removeAllListeners('clientError');
  const headers = securityHeaders(config.publicUrl);
  answerProtocolErrors(app.server, parts.clock, headers);
  // Before Fastify, so that every response has them.
  app.server.prependListener('request', (_request, response) => {
    for (const name in headers) response.setHeader(name, headers[name] as string);
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.decorateRequest('caller', undefined);
  app.decorateRequest('authority');
  app.addHook('onRequest', async (request, reply) => {
    if (isRefused(request.raw.socket)) {
      reply.hijack();
      return;
    }
    onRequest?.(request, reply);
    void reply.header('X-Request-Id', request.id);
    refuseMalformed(request.raw, reply);
    // Fastify would refuse an unsupported content type even if there is no body.
    if (!hasBody(request.raw)) delete request.raw.headers['content-type'];
  });
  app.addHook('onResponse', async (request, reply) => onResponse(request, reply));
  closeFilesHost(app, parts.dependencies.site.filesOrigin);
  paceLargeBodies(app);
  addCors(app, config.corsOrigins);
  answerUnknownPaths(
    app,
    parts,
    webApp && createWebAppServer(webApp, parts.dependencies.site.filesOrigin),
  );
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, parts));
  for (const route of routes) {
    app.route({
      method: route.method,
      url: fullPath(route).replaceAll(/\{(\w+)\}/g, ':$1'),
      onRequest: admit(route, parts),
      handler: serve(route, parts),
    });
  }
  return app;
}

function refuseMalformed(request: IncomingMessage, reply: FastifyReply): void {
  const problem = findMalformation(request);
  if (!problem) return;
  refuseFurtherRequests(request.socket);
  void reply.header('Connection', 'close');
  throw invalid([problem]);
}
