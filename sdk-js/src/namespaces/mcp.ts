import type { Call } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type { PageCall } from '../page.ts';
import type { Transport } from '../transport.ts';
import type { BindMcpServer, ConnectionTest, CreateMcpServer, McpServer } from '../types.ts';

/** MCP servers whose tools a model may use when their slug is mentioned. */
export class Mcp {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** The servers of the org. */
  list(options?: RequestOptions): PageCall<McpServer> {
    return this.#api.list('/mcp/servers', [], undefined, options);
  }

  /** Registers a server. It serves every Project until it is bound to some. */
  create(params: CreateMcpServer, options?: RequestOptions): Call<McpServer> {
    return this.#api.call('POST', '/mcp/servers', [], params, options);
  }

  /** Removes a server, and its stored secret. */
  delete(id: string, options?: RequestOptions): Call<void> {
    return this.#api.call('DELETE', '/mcp/servers/{id}', [id], undefined, options);
  }

  /** Calls the server. A failure is a result: look at `ok`. */
  testConnection(id: string, options?: RequestOptions): Call<ConnectionTest> {
    return this.#api.call('POST', '/mcp/servers/{id}/test-connection', [id], undefined, options);
  }

  /** Limits a server to these Projects; an empty list lifts the limit. */
  bindProjects(id: string, params: BindMcpServer, options?: RequestOptions): Call<McpServer> {
    return this.#api.call('PUT', '/mcp/servers/{id}/projects', [id], params, options);
  }
}
