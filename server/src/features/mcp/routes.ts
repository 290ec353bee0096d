import { defineRoute, type Route } from '../../http/route.ts';
import { presentList } from '../../lists/present.ts';
import { presentServer } from './present.ts';
import {
  BindMcpServer,
  ConnectionTest,
  CreateMcpServer,
  McpServer,
  McpServerList,
  McpServerPath,
} from './schema.ts';
import {
  bindMcpServer,
  checkEndpoint,
  createMcpServer,
  listMcpServers,
  recordTest,
  removeMcpServer,
  testMcpServer,
} from './service.ts';

const serverExample = {
  id: 'cmf3k2v8q0008x5p7h9d4t6wz',
  displayName: 'Issue tracker',
  mentionSlug: 'tracker',
  endpointUrl: 'https://mcp.example.com/mcp',
  authType: 'BEARER',
  hasSecret: true,
  projectIds: [],
  lastTestedAt: null,
  lastError: null,
  createdAt: '2026-11-15T09:30:00.000Z',
};
const MANAGERS = ['OWNER', 'ADMIN'] as const;

const read = { tag: 'MCP', auth: 'user', scope: 'mcp:read', limit: 'read' } as const;
const write = { tag: 'MCP', auth: 'user', scope: 'mcp:write', limit: 'write' } as const;

export const mcpRoutes: Route[] = [
  defineRoute({
    ...read,
    operationId: 'listMcpServers',
    method: 'GET',
    path: '/mcp/servers',
    summary: 'List MCP servers',
    description: "The organisation's MCP servers, newest first. Secrets are never returned.",
    response: McpServerList,
    example: { response: { items: [serverExample], total: 1 } },
    handler: async (ctx) => presentList(await listMcpServers(ctx), presentServer),
  }),
  defineRoute({
    ...write,
    operationId: 'createMcpServer',
    method: 'POST',
    path: '/mcp/servers',
    summary: 'Register an MCP server',
    description:
      'The address must use HTTPS and be public. It is checked now and on every call. If the host name cannot be resolved at the moment, the server is registered with `lastError`. If a model, an agent or another server has the slug: 409 with the reason `slug_taken`.',
    roles: MANAGERS,
    request: { body: CreateMcpServer },
    mayReplay: 'always',
    status: 201,
    response: McpServer,
    example: {
      request: {
        displayName: 'Issue tracker',
        mentionSlug: 'tracker',
        endpointUrl: 'https://mcp.example.com/mcp',
        authType: 'BEARER',
        secret: 'a-token-of-that-server',
      },
      response: serverExample,
    },
    prepare: (ctx, { body }) => checkEndpoint(ctx, body),
    handler: async (ctx, { body }, checked) =>
      presentServer(await createMcpServer(ctx, body, checked)),
  }),
  defineRoute({
    ...write,
    operationId: 'deleteMcpServer',
    method: 'DELETE',
    path: '/mcp/servers/{id}',
    summary: 'Remove an MCP server',
    description: 'Its secret is deleted too.',
    roles: MANAGERS,
    request: { params: McpServerPath },
    status: 204,
    handler: (ctx, { params }) => removeMcpServer(ctx, params.id),
  }),
  defineRoute({
    ...write,
    operationId: 'testMcpServer',
    method: 'POST',
    path: '/mcp/servers/{id}/test-connection',
    summary: 'Test the connection to an MCP server',
    description:
      'Calls `initialize` on the server (or `server/discover` if it only supports the newer protocol) and lists its tools. Returns what the server says about itself, or what went wrong, within 10 seconds.',
    roles: MANAGERS,
    request: { params: McpServerPath },
    mayReplay: 'always',
    response: ConnectionTest,
    example: {
      response: {
        ok: true,
        protocolVersion: '2025-11-25',
        serverInfo: { name: 'tracker', version: '1.4.0' },
        capabilities: { tools: {} },
        latencyMs: 182,
      },
    },
    callOut: (ctx, { params }) => testMcpServer(ctx, params.id),
    async handler(ctx, { params }, result) {
      await recordTest(ctx, params.id, result);
      return result;
    },
  }),
  defineRoute({
    ...write,
    operationId: 'bindMcpServer',
    method: 'PUT',
    path: '/mcp/servers/{id}/projects',
    summary: 'Bind an MCP server to Projects',
    description:
      'Limits it to the sessions of these Projects. With an empty list it serves all Projects again. An unknown Project: 404.',
    extension: true,
    roles: MANAGERS,
    request: { params: McpServerPath, body: BindMcpServer },
    response: McpServer,
    example: {
      request: { projectIds: ['cmf3k2v8q0001x5p7h9d4t6wz'] },
      response: { ...serverExample, projectIds: ['cmf3k2v8q0001x5p7h9d4t6wz'] },
    },
    handler: async (ctx, { params, body }) =>
      presentServer(await bindMcpServer(ctx, params.id, body.projectIds)),
  }),
];
