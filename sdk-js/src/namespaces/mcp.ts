import type { Call } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type { PageCall } from '../page.ts';
import type { Transport } from '../transport.ts';
import type { BindMcpServer, ConnectionTest, CreateMcpServer, McpServer } from '../types.ts';

/** MCP servers. Mentioning one lets the model use its tools. */
export class Mcp {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Lists the organisation's MCP servers. */
  list(options?: RequestOptions): PageCall<McpServer> {
    return this.#api.path('/mcp/servers').list(undefined, options);
  }

  /** Registers an MCP server. It is available in every Project until you bind it to some. */
  create(params: CreateMcpServer, options?: RequestOptions): Call<McpServer> {
    return this.#api.path('/mcp/servers').post(params, options);
  }

  /** Deletes an MCP server and its stored secret. */
  delete(id: string, options?: RequestOptions): Call<void> {
    return this.#api.path('/mcp/servers/{id}', id).delete(options);
  }

  /** Tests the connection. A failed test is a result, not an error: check `ok`. */
  testConnection(id: string, options?: RequestOptions): Call<ConnectionTest> {
    return this.#api.path('/mcp/servers/{id}/test-connection', id).post(undefined, options);
  }

  /** Limits an MCP server to these Projects. An empty list makes it available in all of them. */
  bindProjects(id: string, params: BindMcpServer, options?: RequestOptions): Call<McpServer> {
    return this.#api.path('/mcp/servers/{id}/projects', id).put(params, options);
  }
}
