import type {
  Client,
  RequestOptions,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { unlessAborted } from '../../core/unless-aborted.ts';
import type { SafeFetch } from '../safe-fetch/safe-fetch.ts';
import { createExchange, type Exchange } from './exchange.ts';
import { explainFailure } from './failure.ts';
import { readGreeting } from './greeting.ts';
import {
  McpFailure,
  type McpClients,
  type McpConnection,
  type McpTarget,
  type RemoteTool,
} from './mcp-client.ts';
import { MOST_LISTED, readTools, showRefusal, showResult } from './tools.ts';

/** For connecting, for listing tools, and for each call. */
const CALL_MS = 10_000;
const MOST_PAGES = 20;

const OURSELVES = { name: 'atrium', version: '2.0.0' };
/** Most servers support `initialize`. One that only supports the newest protocol gets `server/discover`. */
const NEWEST_PROTOCOL = { pin: '2026-07-28' };

export function createMcpClients(safeFetch: SafeFetch): McpClients {
  const fetch = createExchange(safeFetch);
  return {
    check: (url) => safeFetch.check(url),
    close: () => safeFetch.close(),
    async connect(target, signal) {
      const within = timeLimit(signal);
      try {
        return await greet(target, 'legacy', fetch, within);
      } catch (error) {
        if (!(error instanceof McpFailure) || error.code !== 'not_mcp') throw error;
        return greet(target, NEWEST_PROTOCOL, fetch, within).catch((failure: unknown) => {
          // Neither worked. Report the first failure, because most servers support `initialize`.
          throw failure instanceof McpFailure && failure.code === 'not_mcp' ? error : failure;
        });
      }
    },
  };
}

async function greet(
  target: McpTarget,
  mode: 'legacy' | { pin: string },
  fetch: Exchange,
  signal: AbortSignal,
): Promise<McpConnection> {
  // Loaded on first use: it is large, and most processes start without an MCP server to call.
  const sdk = await import('@modelcontextprotocol/client');
  const client = new sdk.Client(OURSELVES, { versionNegotiation: { mode } });
  const transport = new sdk.StreamableHTTPClientTransport(new URL(target.url), {
    fetch,
    requestInit: { headers: target.headers },
    // The guard follows and checks redirects, and drops our headers at another origin.
    redirectPolicy: 'follow',
  });
  const startedAt = performance.now();
  try {
    // The library ignores the signal while it tries the newest protocol.
    await unlessAborted(signal, client.connect(transport, { signal, timeout: CALL_MS }));
  } catch (error) {
    letGo(client, transport);
    throw explainFailure(error, signal);
  }
  const latencyMs = Math.round(performance.now() - startedAt);
  return {
    greeting: readGreeting(client, latencyMs),
    listTools: (caller) =>
      bounded(caller, async (options) => readTools(await listAll(client, options))),
    callTool: (tool, input, caller) =>
      bounded(caller, async (options) => {
        const given = typeof input === 'object' && input !== null ? { ...input } : {};
        // Without the output schema, which the library would compile into a validator.
        const inputSchema = tool.inputSchema as { type: 'object' };
        const toolDefinition = { name: tool.name, inputSchema };
        const call = { name: tool.name, arguments: given };
        return client
          .callTool(call, { ...options, toolDefinition })
          .then(showResult, (error: unknown) => {
            if (error instanceof sdk.ProtocolError) return showRefusal(error.message);
            throw error;
          });
      }),
    close: () => letGo(client, transport),
  };
}

async function bounded<T>(
  caller: AbortSignal,
  call: (options: RequestOptions) => Promise<T>,
): Promise<T> {
  const signal = timeLimit(caller);
  try {
    return await call({ signal, timeout: CALL_MS });
  } catch (error) {
    throw explainFailure(error, signal);
  }
}

/** Page by page: the library's own listing reads up to 64 pages and writes to the console. */
async function listAll(client: Client, options: RequestOptions): Promise<RemoteTool[]> {
  if (!client.getServerCapabilities()?.tools) return [];
  const tools: RemoteTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const listed = await client.request({ method: 'tools/list', params }, options);
    tools.push(...listed.tools.map(({ description = '', ...tool }) => ({ ...tool, description })));
    cursor = listed.nextCursor;
    if (tools.length > MOST_LISTED) break;
    if (cursor === undefined) return tools;
  }
  throw new McpFailure('too_large', `the server lists more than ${MOST_LISTED} tools`);
}

/** Tells a server with sessions that this one has ended, without waiting for a response. */
function letGo(client: Client, transport: StreamableHTTPClientTransport): void {
  const farewell = transport.terminateSession().catch(() => {});
  void farewell.then(() => client.close()).catch(() => {});
}

function timeLimit(caller: AbortSignal | undefined): AbortSignal {
  const limit = AbortSignal.timeout(CALL_MS);
  return caller ? AbortSignal.any([caller, limit]) : limit;
}
