import { describe, expect, it } from 'vitest';
import { createTestOrg } from './harness/factories.ts';
import { useTestServer } from './harness/use-test-server.ts';

const server = useTestServer({ env: { METRICS_PORT: '0' } });
const { call } = server;

describe('probes', () => {
  it('/healthz: the process is up', async () => {
    const reply = await call('GET', '/healthz');
    expect([reply.status, reply.json]).toEqual([200, { status: 'ok' }]);
  });

  it('/readyz: 200 if migrated, 503 if migrations are pending', async () => {
    expect((await call('GET', '/readyz')).status).toBe(200);
    await server.db.query('UPDATE schema_migrations SET version = version - 1000');
    expect((await call('GET', '/readyz')).status).toBe(503);
    await server.db.query('UPDATE schema_migrations SET version = version + 1000');
    expect((await call('GET', '/readyz')).status).toBe(200);
  });
});

describe('logs and metrics', () => {
  it('contain the route template and the request id, never the URL or the key', async () => {
    const org = await createTestOrg(server.db);
    const path = '/api/projects/caaaaaaaaaaaaaaaaaaaaaaaa?secret=hush';
    await call('GET', path, { key: org.owner.key, headers: { 'x-request-id': 'trace-me' } });
    const line = server.logLines
      .map((text) => JSON.parse(text))
      .find((entry) => entry.requestId === 'trace-me');
    expect(line).toMatchObject({
      method: 'GET',
      route: '/api/projects/:projectId',
      status: 400,
      keyId: org.owner.keyId,
    });
    for (const text of server.logLines) {
      expect(text).not.toContain(org.owner.key);
      expect(text).not.toContain('hush');
    }
  });

  it('/metrics: on its own port, by route template', async () => {
    const { port } = server.logLines
      .map((text) => JSON.parse(text))
      .find((entry) => entry.msg === 'serving metrics');
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(text).toMatch(
      /atrium_http_request_duration_seconds_count\{route="\/readyz",method="GET",status="200"\} \d/,
    );
    expect((await call('GET', '/metrics')).status).toBe(404);
  });
});
