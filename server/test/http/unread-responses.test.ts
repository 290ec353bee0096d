import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { ROUTES } from '../../src/app/api.ts';
import { defineRoute } from '../../src/http/route.ts';
import type { WebApp } from '../../src/web-app/web-app.ts';
import { askAndIgnore, type DeafClient } from '../harness/clients/deaf-client.ts';
import { openSessionEvents } from '../harness/clients/event-stream.ts';
import { createTestOrg, type TestOrg } from '../harness/factories.ts';
import { connectRaw, format } from '../harness/clients/raw-http.ts';
import type { TestServerOptions } from '../harness/processes/server.ts';
import { useTestServer } from '../harness/processes/use-test-server.ts';

/** More than the buffers of a connection hold, at both ends. */
const HUGE = 48 * 1024 * 1024;
/** Fits into them. */
const LARGE = 200 * 1024;

const fileOf = (bytes: number) => ({
  type: 'text/javascript',
  etag: `"${bytes}"`,
  identity: Buffer.alloc(bytes, 'a'),
  br: undefined,
  gzip: undefined,
});
const files = new Map([
  ['/assets/huge.js', fileOf(HUGE)],
  ['/assets/large.js', fileOf(LARGE)],
]);
const webApp: WebApp = { state: () => ({ kind: 'ready', files }) };

const route = { tag: 'Test', method: 'GET', summary: '', description: '' } as const;
const hugeJson = defineRoute({
  ...route,
  operationId: 'testHugeJson',
  path: '/test/huge-json',
  auth: 'user',
  scope: null,
  limit: 'read',
  request: {},
  status: 200,
  response: z.object({ text: z.string() }),
  handler: async () => ({ text: 'a'.repeat(HUGE) }),
});
let closedDownloads = 0;
const hugeDownload = defineRoute({
  ...route,
  operationId: 'testHugeDownload',
  path: '/test/huge-download',
  auth: 'user',
  scope: null,
  limit: 'read',
  request: {},
  status: 200,
  fileType: 'application/gzip',
  handler: async () => ({
    fileName: 'huge.gz',
    async *read() {
      for (let at = 0; at < HUGE; at += LARGE) yield Buffer.alloc(LARGE);
    },
    close: async () => void closedDownloads++,
  }),
});

const base: TestServerOptions = { webApp, routes: [...ROUTES, hugeJson, hugeDownload] };
const endedIn = (lines: readonly string[]) =>
  lines
    .map((line) => JSON.parse(line) as { msg?: string; responses?: number })
    .filter(({ msg }) => msg === 'ended responses that nobody reads')
    .reduce((sum, { responses = 0 }) => sum + responses, 0);

describe('a response that nobody reads is ended', () => {
  const server = useTestServer({
    ...base,
    connectionLimits: { stalledMs: 3_000, restMs: 1_500, checkEveryMs: 50 },
  });
  let org: TestOrg;
  beforeAll(async () => {
    org = await createTestOrg(server.db);
  });

  async function expectEnded(client: DeafClient, endedBefore: number): Promise<number> {
    await vi.waitFor(() => expect(endedIn(server.logLines)).toBe(endedBefore + 1), 60_000);
    return client.readOn();
  }

  it.each([
    ['JSON', '/api/test/huge-json'],
    ['a file', '/assets/huge.js'],
    ['a download', '/api/test/huge-download'],
  ])('if it is %s', async (_kind, path) => {
    const before = endedIn(server.logLines);
    const client = await askAndIgnore(server.origin, { path, key: org.owner.key });
    expect(await expectEnded(client, before)).toBeLessThan(HUGE);
  });

  it('which also ends the work for a download', () => {
    expect(closedDownloads).toBe(1);
  });

  it('if the kernel has all of it, and no request follows', async () => {
    const before = endedIn(server.logLines);
    const client = await askAndIgnore(server.origin, { path: '/assets/large.js' });
    await expectEnded(client, before);
  });

  it('but not while somebody reads it, however slowly', async () => {
    const before = endedIn(server.logLines);
    const { socket } = await askAndIgnore(server.origin, { path: '/assets/huge.js' });
    const started = performance.now();
    let bytes = 0;
    socket.on('data', (chunk) => {
      bytes += chunk.length;
      if (bytes > HUGE) socket.destroy();
      if (performance.now() - started > 4_000) return;
      socket.pause();
      setTimeout(() => socket.resume(), 20);
    });
    await once(socket, 'close');
    expect(bytes).toBeGreaterThan(HUGE);
    expect(endedIn(server.logLines)).toBe(before);
  });

  it('nor is a connection closed that rests after a small response', async () => {
    const connection = await connectRaw(server.origin);
    connection.send(format({ path: '/healthz' }));
    expect((await connection.reply()).status).toBe(200);
    await sleep(2_000);
    connection.send(format({ path: '/healthz' }));
    expect((await connection.reply()).status).toBe(200);
    connection.destroy();
  });

  it('nor a quiet event stream', async () => {
    const key = org.owner.key;
    const project = await server.call('POST', '/api/projects', { key, body: { name: 'Quiet' } });
    const sessions = `/api/spaces/${project.json.data.slug}/sessions`;
    const session = await server.call('POST', sessions, { key, body: { name: 'Quiet' } });
    const path = `${sessions}/${session.json.data.id}`;
    const stream = await openSessionEvents(server.origin, { path, key });
    // More than a large response, in all.
    for (let nth = 0; nth < 5; nth++) {
      const body = { body: 'x'.repeat(20_000) };
      await server.call('POST', `${path}/messages`, { key, body });
    }
    await sleep(2_000);
    await server.call('POST', `${path}/messages`, { key, body: { body: 'Still there?' } });
    await stream.takeUntil('message.created');
    stream.close();
  });
});

describe('the number of responses that one client leaves unread is bounded', () => {
  const server = useTestServer({
    ...base,
    env: { TRUST_PROXY: '1' },
    connectionLimits: {
      stalledMs: 10_000,
      restMs: 60_000,
      mostUnread: 3,
      mostUnreadBytes: 4 * HUGE,
      checkEveryMs: 50,
    },
  });
  const ask = (address: string, path: string) =>
    askAndIgnore(server.origin, { path, headers: [`X-Forwarded-For: ${address}`] });

  it('those that rest longest are ended first, and nobody else’s', async () => {
    const theirs = await ask('192.0.2.7', '/assets/huge.js');
    const first = await ask('192.0.2.1', '/assets/huge.js');
    const second = await ask('192.0.2.1', '/assets/huge.js');
    await sleep(200);
    const rest = await Promise.all([3, 4, 5].map(() => ask('192.0.2.1', '/assets/huge.js')));
    await vi.waitFor(() => expect(endedIn(server.logLines)).toBe(2), 8_000);
    for (const client of [first, second]) expect(await client.readOn()).toBeLessThan(HUGE);
    for (const { socket } of [theirs, ...rest]) socket.destroy();
  });
});
