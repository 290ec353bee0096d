import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Authority } from './certificates.ts';
import { startHttpsServer, type HttpsServer } from './https-server.ts';

export interface McpMessage {
  /** Undefined for a notification. */
  id?: string | number;
  method?: string;
  params?: Record<string, unknown> & { name?: string; arguments?: Record<string, unknown> };
}

/** How it handles one request. The message is empty if the method is not POST. */
export type McpScript = (
  message: McpMessage,
  response: ServerResponse,
  request: IncomingMessage,
) => void;

export interface McpUpstream extends HttpsServer {
  /** For MCP_ALLOW_HOSTS. */
  host: string;
  url: string;
  /** The methods of the received messages, in order. */
  methods(): string[];
  /** From now on; default: `speakMcp`. */
  answerWith(script: McpScript): void;
}

/** A scripted MCP server over HTTPS on loopback. */
export async function startMcpUpstream(
  authority: Authority,
  { script = speakMcp(), ...options }: { script?: McpScript; names?: readonly string[] } = {},
): Promise<McpUpstream> {
  let current = script;
  const server = await startHttpsServer({ authority, ...options }, (request, response) => {
    current(messageOf(server, request), response, request);
  });
  const host = `localhost:${server.port}`;
  return {
    ...server,
    host,
    url: `https://${host}/mcp`,
    methods: () => server.requests.map(({ body }) => parse(body).method ?? '–'),
    answerWith(next) {
      current = next;
    },
  };
}

export interface UpstreamTool {
  name: string;
  description?: string;
  inputSchema?: object;
  outputSchema?: object;
  /** A result, or what is sent instead. */
  run?: (input: Record<string, unknown>) => object;
}

/** A well-behaved server with these tools. */
export function speakMcp(tools: readonly UpstreamTool[] = [], greeting: object = {}): McpScript {
  return ({ id, method, params }, response) => {
    if (id === undefined) {
      response.writeHead(202).end();
      return;
    }
    if (method === 'initialize') return answer(response, id, { ...GREETING, ...greeting });
    if (method === 'tools/list') {
      // The tools' functions are not JSON, so they stay here.
      const listed = tools.map((tool) => ({ inputSchema: { type: 'object' }, ...tool }));
      return answer(response, id, { tools: listed });
    }
    const run = tools.find(({ name }) => name === params?.name)?.run;
    return answer(response, id, run?.(params?.arguments ?? {}) ?? words('done'));
  };
}

export const GREETING = {
  protocolVersion: '2025-11-25',
  serverInfo: { name: 'fake', version: '1.2.3' },
  capabilities: { tools: {} },
};

/** A tool's result. */
export function words(text: string, isError = false): object {
  return { content: [{ type: 'text', text }], isError };
}

export function answer(response: ServerResponse, id: McpMessage['id'], result: object): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

function messageOf({ requests }: HttpsServer, request: IncomingMessage): McpMessage {
  return parse(requests.find(({ headers }) => headers === request.headers)?.body ?? '');
}

function parse(body: string): McpMessage {
  return body === '' ? {} : (JSON.parse(body) as McpMessage);
}
