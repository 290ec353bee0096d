import { describe, expect, it } from 'vitest';
import { fullPath } from '../../src/http/route.ts';
import { ROUTES } from '../../src/app/api.ts';
import { useTestServer } from '../harness/processes/use-test-server.ts';

/** The core operations of the specification: method, path and success status. */
const CORE = [
  'GET /api/projects 200',
  'POST /api/projects 201',
  'GET /api/projects/{projectId} 200',
  'GET /api/spaces/{slug}/sessions 200',
  'POST /api/spaces/{slug}/sessions 201',
  'GET /api/spaces/{slug}/sessions/{sessionId} 200',
  'PATCH /api/spaces/{slug}/sessions/{sessionId} 200',
  'DELETE /api/spaces/{slug}/sessions/{sessionId} 204',
  'POST /api/spaces/{slug}/messages/{messageId}/reactions 201',
  'GET /api/spaces/{slug}/sessions/{sessionId}/messages 200',
  'POST /api/spaces/{slug}/sessions/{sessionId}/messages 201',
  'GET /api/memory 200',
  'POST /api/memory 201',
  'DELETE /api/memory/{memoryId} 204',
  'POST /api/memory/search 200',
  'POST /api/invitations/{token}/accept 200',
  'GET /api/org/{orgId}/invitations 200',
  'POST /api/org/{orgId}/invitations 201',
  'GET /api/org/{orgId}/members 200',
  'PATCH /api/org/{orgId}/members/{userId} 200',
  'DELETE /api/org/{orgId}/members/{userId} 204',
  'GET /api/keys 200',
  'POST /api/keys 201',
  'GET /api/org/{orgId}/api-keys 200',
  'POST /api/org/{orgId}/api-keys 201',
  'DELETE /api/org/{orgId}/api-keys/{keyId} 200',
  'POST /api/billing/checkout 200',
  'GET /api/billing/credits 200',
  'POST /api/billing/portal 200',
  'POST /api/billing/topup 200',
  'GET /api/mcp/servers 200',
  'POST /api/mcp/servers 201',
  'DELETE /api/mcp/servers/{id} 204',
  'POST /api/mcp/servers/{id}/test-connection 200',
];

/** The whole v1 Memory API. */
const V1 = [
  'GET /api/v1/memories 200',
  'POST /api/v1/memories 201',
  'GET /api/v1/memories/{id} 200',
  'PATCH /api/v1/memories/{id} 200',
  'DELETE /api/v1/memories/{id} 204',
  'POST /api/v1/memories/search 200',
];

/** Each surface's document, and the routes that it has to describe. */
const DOCUMENTS = [
  ['/api/openapi.json', ROUTES.filter((route) => route.auth !== 'org-key')],
  ['/api/v1/openapi.json', ROUTES.filter((route) => route.auth === 'org-key')],
] as const;

const server = useTestServer();
const { call } = server;

it('everything beyond the core, and the v1 surface, is marked as an extension', () => {
  const core = ROUTES.filter((route) => !route.extension);
  expect(
    core.map((route) => `${route.method} ${fullPath(route)} ${route.status}`).toSorted(),
  ).toEqual([...CORE, ...V1].toSorted());
});

describe.each(DOCUMENTS)('GET %s', (path, routes) => {
  it('is served to everyone, without an envelope, as OpenAPI 3.1.0', async () => {
    const reply = await call('GET', path);
    expect(reply.status).toBe(200);
    const version = path.includes('/v1/') ? '1.0.0' : '2.0.0';
    expect(reply.json).toMatchObject({ openapi: '3.1.0', info: { version } });
  });

  it('describes its own operations and no others, each whole', async () => {
    const { paths } = (await call('GET', path)).json;
    const described = Object.entries<object>(paths).flatMap(([each, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${each}`),
    );
    expect(described.toSorted()).toEqual(
      routes.map((route) => `${route.method} ${route.path}`).toSorted(),
    );
    for (const route of routes) {
      const operation = paths[route.path][route.method.toLowerCase()];
      expect(operation).toMatchObject({
        operationId: route.operationId,
        summary: expect.any(String),
        description: expect.any(String),
      });
      expect(Object.keys(operation.responses)).toEqual(
        expect.arrayContaining([
          String(route.status),
          '400',
          '401',
          '403',
          '404',
          '409',
          '429',
          '500',
        ]),
      );
      if (route.isStream) {
        const { content } = operation.responses[route.status];
        expect(content['text/event-stream'].example).toBe(route.example?.response);
      } else if (route.response) {
        expect(
          operation.responses[route.status].content['application/json'].example.data,
        ).toBeDefined();
        expect(route.response.safeParse(route.example?.response).error).toBeUndefined();
      }
      if (route.request.body)
        expect(operation.requestBody.content['application/json'].example).toBeDefined();
    }
  });
});
