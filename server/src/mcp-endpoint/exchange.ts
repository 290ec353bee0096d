import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type Server,
} from '@modelcontextprotocol/server';

export interface RpcResponse {
  status: number;
  /** Empty with 202, if no response is needed. */
  body: string;
}

/** One message, one server instance, one response, for any revision of the protocol. */
export async function exchange(
  message: unknown,
  headers: Headers,
  createServer: () => Server,
  onError: (error: Error) => void,
): Promise<RpcResponse> {
  const request = new Request('http://atrium.invalid/api/mcp', { method: 'POST', headers });
  const response = (await isLegacyRequest(request, message))
    ? await answerLegacy(request, message, createServer())
    : await createMcpHandler(createServer, { legacy: 'reject', onerror: onError }).fetch(request, {
        parsedBody: message,
      });
  return { status: response.status, body: await response.text() };
}

/** As JSON. The handler itself would open an event stream for each response of the 2025 revisions. */
async function answerLegacy(request: Request, message: unknown, server: Server): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    await server.close();
  }
}

export function rpcError(status: number, code: number, text: string, id: unknown): RpcResponse {
  const echoed = typeof id === 'string' || typeof id === 'number' ? id : null;
  return {
    status,
    body: JSON.stringify({ jsonrpc: '2.0', error: { code, message: text }, id: echoed }),
  };
}
