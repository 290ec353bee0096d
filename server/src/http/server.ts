import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Config } from '../config.ts';
import { AppError, invalid } from '../errors.ts';
import { addCors } from './cors.ts';
import { errorAnswer } from './envelope.ts';
import { bodyError } from './json.ts';
import { admit, sendAnswer, serve, type PipelineParts } from './pipeline.ts';
import { answerProtocolErrors, SLOW_SENDER_LIMITS } from './protocol.ts';
import { checkRoutes, fullPath, type Route } from './route.ts';

export const MAX_BODY_BYTES = 1024 * 1024;

export interface HttpServerOptions {
  config: Pick<Config, 'corsOrigins' | 'trustProxy'>;
  parts: PipelineParts;
  routes: readonly Route[];
  /** The names of templates that are served beside the API, for the log and for `Allow`. */
  onResponse: (request: FastifyRequest, reply: FastifyReply) => void;
}

export function createHttpServer({
  config,
  parts,
  routes,
  onResponse,
}: HttpServerOptions): FastifyInstance {
  checkRoutes(routes);
  const app = Fastify({
    logger: false,
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: config.trustProxy,
    genReqId: requestIdOf,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 512 },
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply, parts),
    clientErrorHandler: () => {}, // `answerProtocolErrors` has its own, for requests and tunnels alike.
    // Node's own answer to a missing Host header has no envelope, so `refuseMalformed` checks it.
    http: { ...SLOW_SENDER_LIMITS, requireHostHeader: false },
  });
  app.server.removeAllListeners('clientError');
  answerProtocolErrors(app.server, parts.clock);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.decorateRequest('caller', undefined);
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('X-Request-Id', request.id);
    refuseMalformed(request.raw);
  });
  app.addHook('onResponse', async (request, reply) => onResponse(request, reply));
  addCors(app, config.corsOrigins);
  app.setErrorHandler((error: FastifyError, request, reply) =>
    answerError(error, request, reply, parts),
  );
  app.setNotFoundHandler((request, reply) => answerUnknown(request, reply, parts, templates));
  const templates = routes.map((route) => ({
    method: route.method,
    pattern: pathPattern(fullPath(route)),
  }));
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

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

function requestIdOf(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID();
}

function refuseMalformed(request: IncomingMessage): void {
  const { host, 'transfer-encoding': transfer } = request.headers;
  if (host === undefined && request.httpVersion === '1.1') {
    throw invalid([{ location: 'header.host', code: 'required', message: 'is required' }]);
  }
  if (transfer !== undefined && transfer.toLowerCase() !== 'chunked') {
    throw invalid([
      { location: 'header.transfer-encoding', code: 'invalid_value', message: 'must be chunked' },
    ]);
  }
}

function answerError(
  error: FastifyError | AppError,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: PipelineParts,
): FastifyReply {
  const known = toAppError(error);
  if (known.code === 'INTERNAL_ERROR') {
    parts.log.error(
      { err: error, requestId: request.id, route: request.routeOptions.url },
      'request failed',
    );
  }
  // Framework errors, such as a broken URL, never pass the onRequest hook.
  void reply.header('X-Request-Id', request.id);
  if (known.retryAfterSeconds !== undefined)
    void reply.header('Retry-After', known.retryAfterSeconds);
  if (known.code === 'AUTH_ERROR') void reply.header('WWW-Authenticate', 'Bearer');
  // Fastify closes the connection on a body that is too large, which can cut the answer off before the
  // sender has read it. Node reads on and discards, until the slow-sender limit.
  void reply.removeHeader('connection');
  return sendAnswer(reply, errorAnswer(known, request.id, parts.clock.now()));
}

function toAppError(error: FastifyError | AppError): AppError {
  if (error instanceof AppError) return error;
  if (error.code === 'FST_ERR_BAD_URL') return nothingHere();
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return invalid([bodyError('too_large', `the body is larger than ${MAX_BODY_BYTES} bytes`)]);
  }
  if (error.code?.startsWith('FST_ERR_') && (error.statusCode ?? 500) < 500) {
    return invalid([
      { location: 'request', code: 'malformed', message: 'this is not a valid request' },
    ]);
  }
  return new AppError(
    'INTERNAL_ERROR',
    'Something went wrong on our side; quote the requestId when you report it.',
  );
}

interface Template {
  method: string;
  pattern: RegExp;
}

function answerUnknown(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: PipelineParts,
  templates: readonly Template[],
): FastifyReply {
  const path = request.url.split('?', 1)[0] ?? '';
  const methods = templates.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
  if (methods.includes('GET')) methods.push('HEAD');
  if (methods.length > 0) void reply.header('Allow', [...new Set(methods)].toSorted().join(', '));
  return sendAnswer(reply, errorAnswer(nothingHere(), request.id, parts.clock.now()));
}

function nothingHere(): AppError {
  return new AppError('NOT_FOUND', 'There is nothing at this path, or not with this method.');
}

function pathPattern(path: string): RegExp {
  const source = path
    .replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${source}$`);
}
