import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fullPath } from '../src/http/route.ts';
import { ROUTES } from '../src/surfaces.ts';
import { createCaller, type Call } from './harness/client.ts';
import { startTestServer, type TestServer } from './harness/server.ts';

/** The specification's own operations that are built so far: method, path and success status. */
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
];

let server: TestServer;
let call: Call;

beforeAll(async () => {
  server = await startTestServer();
  call = createCaller(server.origin);
});
afterAll(() => server.stop());

describe('GET /api/openapi.json', () => {
  it('is served to everyone, without an envelope, as OpenAPI 3.1.0', async () => {
    const reply = await call('GET', '/api/openapi.json');
    expect(reply.status).toBe(200);
    expect(reply.json).toMatchObject({ openapi: '3.1.0', info: { version: '2.0.0' } });
  });

  it('marks everything beyond the core as an extension', () => {
    const core = ROUTES.filter((route) => !route.extension);
    expect(
      core.map((route) => `${route.method} ${fullPath(route)} ${route.status}`).toSorted(),
    ).toEqual(CORE.toSorted());
  });

  it('describes every operation whole', async () => {
    const { paths } = (await call('GET', '/api/openapi.json')).json;
    for (const route of ROUTES) {
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
      if (route.response) {
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
