import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import { identifyKey, type Caller } from '../http/callers/auth.ts';
import { readAuthority } from '../http/callers/authority.ts';
import type { PipelineParts } from '../http/pipeline.ts';
import { takeSlotOf } from '../http/callers/rate-limit.ts';
import { readJson } from '../http/input/request-input.ts';
import { askerOf } from './asker.ts';
import { exchange, rpcError, type RpcResponse } from './exchange.ts';
import { createGuard } from './guard.ts';
import { readMessage } from './message.ts';
import type { McpOffer } from './offer.ts';
import { createMcpServer } from './server.ts';
import { takeQuota, type ToolCall } from './tool.ts';

const PATH = '/api/mcp';
/** Per minute and key: requests of any kind, including refused tool calls. Counted before the body is read. */
const ALL_REQUESTS = 600;
/** Per minute and key, for everything except tool calls. */
const OTHER_REQUESTS = 60;

const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
const METHOD_NOT_ALLOWED = -32_000;

/**
 * The MCP endpoint for other programs: Streamable HTTP without sessions. Errors before a message is read
 * (401, 403, 429, a body that is not JSON) use the API's envelope. All others follow the protocol.
 */
export function addMcpEndpoint(
  app: FastifyInstance,
  config: Pick<Config, 'publicUrl' | 'host' | 'corsOrigins'>,
  parts: PipelineParts,
  offer: McpOffer,
): void {
  const guard = createGuard(config);
  app.route({
    method: 'POST',
    url: PATH,
    async onRequest(request) {
      guard(request);
      const { authority, caller } = await readAuthority({
        identify: (again) => identifyKey(request.raw, 'user', parts.authenticate, again),
        check: () => {}, // Each tool and resource has a scope of its own.
        maxAgeMs: parts.authorityMaxAgeMs,
      });
      request.caller = caller;
      request.authority = authority;
      const bucket = `${keyIdOf(request)}:mcp:all`;
      const allowance = { bucket, limit: ALL_REQUESTS, kind: 'MCP request' };
      await takeSlotOf(parts.rateLimits.limiter, allowance);
    },
    handler: async (request, reply) => send(reply, await answer(offer, parts, request, reply)),
  });
  // The protocol requires 405 here. It tells clients that there are no streams and no sessions.
  app.route({
    method: app.supportedMethods.filter((method) => method !== 'POST'),
    url: PATH,
    async onRequest(request, reply) {
      guard(request);
      void reply.header('Allow', 'POST');
      const text = 'Method not allowed. Use POST to send messages.';
      await send(reply, rpcError(405, METHOD_NOT_ALLOWED, text, null));
    },
    handler: () => undefined,
  });
}

async function answer(
  offer: McpOffer,
  parts: PipelineParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<RpcResponse> {
  await request.authority.current(parts.db);
  const { limiter } = parts.rateLimits;
  const keyId = keyIdOf(request);
  const others = { bucket: `${keyId}:mcp`, limit: OTHER_REQUESTS, kind: 'MCP request' };
  const takeOther = () => takeSlotOf(limiter, others, reply);
  let message: unknown;
  try {
    message = readJson(request);
  } catch (error) {
    await takeOther();
    throw error;
  }
  const { tool, given, rest, isTooLarge } = readMessage(message, offer.tools);
  if (!tool) await takeOther();
  if (Array.isArray(message)) {
    const text = 'Batches are not supported. Send one message per request.';
    return rpcError(400, INVALID_REQUEST, text, null);
  }
  const { method, id } = (message ?? {}) as { method?: unknown; id?: unknown };
  // There is nothing to subscribe to, and an idle stream would only hold a connection.
  if (method === 'subscriptions/listen') {
    return rpcError(404, METHOD_NOT_FOUND, 'This server does not support subscriptions.', id);
  }
  const refused = tool && (await takeQuota(limiter, keyId, tool));
  if (isTooLarge) return rpcError(400, INVALID_REQUEST, 'The message has too many values.', id);
  if (!tool) return exchangeWith(offer, parts, request, message);
  return exchangeWith(offer, parts, request, rest, { tool, given, refused });
}

async function exchangeWith(
  offer: McpOffer,
  parts: PipelineParts,
  request: FastifyRequest,
  message: unknown,
  call?: ToolCall,
): Promise<RpcResponse> {
  const asker = askerOf(parts, request);
  let problem: Error | undefined;
  const answered = await exchange(
    message,
    protocolHeaders(request),
    () => createMcpServer(offer, asker, call),
    (error) => (problem = error),
  );
  if (answered.status >= 500) asker.log.error({ err: problem, route: PATH }, 'MCP request failed');
  return answered;
}

function keyIdOf({ caller }: FastifyRequest): string | null {
  return (caller as Caller).actor.keyId;
}

/** Only the protocol's headers, never the key. Responses are always JSON, whatever else the client accepts. */
function protocolHeaders({ headers }: FastifyRequest): Headers {
  const own = Object.entries(headers).filter(([name]) => name.startsWith('mcp-'));
  return new Headers([
    ...own.map(([name, value]): [string, string] => [name, String(value)]),
    ['content-type', 'application/json'],
    ['accept', 'application/json, text/event-stream'],
  ]);
}

function send(reply: FastifyReply, { status, body }: RpcResponse): FastifyReply {
  void reply.code(status);
  if (body === '') return reply.send();
  return reply.header('content-type', 'application/json; charset=utf-8').send(body);
}
