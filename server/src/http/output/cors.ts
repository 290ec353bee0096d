import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config/config.ts';

const EXPOSED =
  'X-Request-Id, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Idempotency-Replayed, ETag, Accept-Ranges, Content-Range, Content-Disposition, Tus-Resumable, Tus-Version, Tus-Extension, Tus-Max-Size, Upload-Offset, Upload-Length, Upload-Expires';
const ALLOWED_HEADERS = [
  'Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Request-Id',
  // Sent for files, and by tus clients.
  'Range, If-Range, Tus-Resumable, Upload-Offset, Upload-Length, Upload-Checksum',
  // Sent by MCP clients in browsers.
  'Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID',
].join(', ');
const ALLOWED_METHODS = 'GET, HEAD, POST, PATCH, PUT, DELETE';

/** For pages on other origins that call with a Bearer key. Credentials are never allowed, so no cookie is sent. */
export function addCors(app: FastifyInstance, origins: Config['corsOrigins']): void {
  if (origins.length === 0) return;
  app.addHook('onRequest', async (request, reply) => {
    if (!allowOrigin(request, reply, origins)) return;
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return;
    void reply.header('Access-Control-Allow-Methods', ALLOWED_METHODS);
    void reply.header('Access-Control-Allow-Headers', ALLOWED_HEADERS);
    void reply.header('Access-Control-Max-Age', '600');
    await reply.code(204).send();
  });
}

/** Allows the calling page to read the response, if its origin is allowed; returns whether it is. */
export function allowOrigin(
  request: FastifyRequest,
  reply: FastifyReply,
  origins: Config['corsOrigins'],
): boolean {
  if (origins.length === 0 || !request.url.startsWith('/api/')) return false;
  if (origins !== '*') void reply.header('Vary', 'Origin');
  const origin = request.headers.origin;
  if (origin === undefined || !(origins === '*' || origins.includes(origin))) return false;
  void reply.header('Access-Control-Allow-Origin', origins === '*' ? '*' : origin);
  void reply.header('Access-Control-Expose-Headers', EXPOSED);
  return true;
}
