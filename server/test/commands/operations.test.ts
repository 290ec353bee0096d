import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { countLedgerMismatches } from '../../src/features/billing/ledger/service.ts';
import { AGENT_REPLY } from '../../src/features/messages/replies/service.ts';
import { createLogger } from '../../src/core/logger.ts';
import { createMeasured } from '../../src/app/measurements.ts';
import { ENGINE } from '../harness/databases/database.ts';
import { createTestOrg } from '../harness/factories.ts';
import { useTestServer } from '../harness/processes/use-test-server.ts';

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
    const text = await readMetrics();
    expect(text).toMatch(
      /atrium_http_request_duration_seconds_count\{route="\/readyz",method="GET",status="200"\} \d/,
    );
    expect(text).toMatch(/^atrium_memories_pending 0$/m);
    expect((await call('GET', '/metrics')).status).toBe(404);
  });

  it('/metrics: the age of the queue by kind, failed jobs, connections, and the ledger', async () => {
    const org = await createTestOrg(server.db);
    await server.db.query(
      `INSERT INTO jobs (kind, payload, run_at, dead_at) VALUES
         ('late', '{}', now() - interval '100 seconds', NULL), ('late', '{}', now() - interval '5 seconds', NULL),
         ('late', '{}', now() + interval '1 hour', NULL), ('broken', '{}', now() - interval '1 day', now())`,
    );
    const values = valuesIn(await readMetrics());
    expect(values['atrium_jobs_waiting{kind="late"}']).toBe(2);
    expect(values['atrium_jobs_oldest_seconds{kind="late"}']).toBeGreaterThanOrEqual(100);
    expect(values['atrium_jobs_dead{kind="broken"}']).toBe(1);
    expect(values['atrium_jobs_oldest_seconds{kind="broken"}']).toBe(0);
    expect(values['atrium_db_connections']).toBeGreaterThan(0);
    expect(values['atrium_db_waiting']).toBe(0);
    if (ENGINE === 'postgres') expect(values['atrium_ledger_mismatches']).toBe(0);
    expect(await countLedgerMismatches(server.db)).toBe(0);
    await server.db.query(
      `INSERT INTO ledger_entries (org_id, id, kind, credits, source) VALUES ($1, 'wrong', 'USAGE', -5, 'nobody')`,
      [org.orgId],
    );
    expect(await countLedgerMismatches(server.db)).toBe(1);
  });

  it('the dashboard and the alerts name only what is measured', async () => {
    const files = ['grafana-dashboard.json', 'alerts.yaml'].map((name) =>
      readFileSync(new URL(`../../../deploy/${name}`, import.meta.url), 'utf8'),
    );
    const measured = createMeasured(server.db, createLogger('silent'), {
      model: '',
      tokenModel: '',
    }).gauges;
    const known = `${measured.map(({ name }) => name).join('\n')}\n${await readMetrics()}`;
    const named = new Set(files.join().match(/\b(atrium|nodejs|process)_[a-z0-9_]+/g));
    expect(named.size).toBeGreaterThan(8);
    for (const name of named) expect(known).toContain(name);
    expect(known).toContain('atrium_jobs_oldest_seconds');
    expect(files[1]).toContain(`kind="${AGENT_REPLY}"`);
  });
});

async function readMetrics(): Promise<string> {
  const { port } = server.logLines
    .map((text) => JSON.parse(text))
    .find((entry) => entry.msg === 'serving metrics');
  return (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
}

/** By name and labels. */
function valuesIn(text: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  );
}
