import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';

const EXPOSED =
  'X-Request-Id, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Idempotency-Replayed';
const ALLOWED_HEADERS = 'Authorization, Content-Type, Idempotency-Key, X-Request-Id';
const ALLOWED_METHODS = 'GET, HEAD, POST, PATCH, PUT, DELETE';

/** For pages of other origins that call with a Bearer key. Credentials are never allowed, so no cookie goes along. */
export function addCors(app: FastifyInstance, origins: Config['corsOrigins']): void {
  if (origins.length === 0) return;
  app.addHook('onRequest', async (request, reply) => {
    if (!request.url.startsWith('/api')) return;
    if (origins !== '*') void reply.header('Vary', 'Origin');
    const origin = request.headers.origin;
    if (origin === undefined || !(origins === '*' || origins.includes(origin))) return;
    void reply.header('Access-Control-Allow-Origin', origins === '*' ? '*' : origin);
    void reply.header('Access-Control-Expose-Headers', EXPOSED);
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return;
    void reply.header('Access-Control-Allow-Methods', ALLOWED_METHODS);
    void reply.header('Access-Control-Allow-Headers', ALLOWED_HEADERS);
    void reply.header('Access-Control-Max-Age', '600');
    await reply.code(204).send();
  });
}
