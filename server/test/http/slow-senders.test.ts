import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PipelineParts } from '../../src/http/pipeline.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { expectError, expectInvalid } from '../harness/clients/envelope.ts';
import { createTestOrg, type TestOrg } from '../harness/factories.ts';
import { connectRaw, format, type RawConnection } from '../harness/clients/raw-http.ts';
import { useTestServer } from '../harness/processes/use-test-server.ts';

const LIMITS = { headersTimeout: 800, requestTimeout: 1_600, connectionsCheckingInterval: 50 };

let origin: string;
let org: TestOrg;

const server = useTestServer({
  slowSenderLimits: LIMITS,
  connectionLimits: { unusedMs: 1_600, checkEveryMs: 50 },
});
const { call } = server;

beforeAll(async () => {
  ({ origin } = server);
  org = await createTestOrg(server.db);
});

const create = (name: string, headers: string[] = []) =>
  format({
    method: 'POST',
    path: '/api/projects',
    key: org.owner.key,
    headers: ['Content-Type: application/json', ...headers],
    body: JSON.stringify({ name }),
  });

const names = async () => {
  const { json } = await call('GET', '/api/projects', { key: org.member.key });
  return json.data.items.map((project: { name: string }) => project.name);
};

/** Disconnected with a response that says why; others are served meanwhile. */
async function expectCutOff(connection: RawConnection) {
  expect((await call('GET', '/api/projects', { key: org.member.key })).status).toBe(200);
  const reply = await connection.reply();
  expect(expectInvalid(reply)[0]?.message).toContain('too long');
  expect(reply.headers.get('connection')).toBe('close');
  return reply;
}

describe('400 and closed: a sender who is too slow', () => {
  it('stops in the middle of the head', async () => {
    const connection = await connectRaw(origin);
    connection.send('GET /api/projects HTTP/1.1\r\nHost: at');
    await expectCutOff(connection);
    expect(await connection.closed()).toBe(0);
  });

  it('sends the head one byte at a time', async () => {
    const connection = await connectRaw(origin);
    const text = create('Drip');
    let sent = 0;
    const drip = setInterval(() => connection.send(text.subarray(sent, ++sent)), 20);
    await expectCutOff(connection);
    await connection.closed();
    clearInterval(drip);
  });

  it('sends the body one byte at a time', async () => {
    const connection = await connectRaw(origin);
    const text = create('x'.repeat(100), ['X-Request-Id: slow-body']);
    let sent = text.indexOf('\r\n\r\n') + 4;
    connection.send(text.subarray(0, sent));
    const drip = setInterval(() => connection.send(text.subarray(sent, ++sent)), 50);
    const reply = await expectCutOff(connection);
    expect(reply.headers.get('x-request-id')).toBe('slow-body');
    await connection.closed();
    clearInterval(drip);
    expect(await names()).toEqual([]);
  });

  it('sends the rest of the body after the response: nothing is stored', async () => {
    const connection = await connectRaw(origin);
    const text = create('Late');
    connection.send(text.subarray(0, -3));
    await expectCutOff(connection);
    connection.send(text.subarray(-3));
    await connection.closed();
    expect(await names()).toEqual([]);
    expect(server.logLines.join('')).not.toMatch(/failed|"status":500/);
  });

  it('never sends the body of a request that was answered early: closed, no second response', async () => {
    const connection = await connectRaw(origin);
    connection.send(
      format({ method: 'POST', path: '/api/projects', headers: ['Content-Length: 9'] }),
    );
    expectError(await connection.reply(), 'AUTH_ERROR');
    expect(await connection.closed()).toBe(0);
  });

  it('stops in the middle of the next head: the previous response stays complete', async () => {
    const connection = await connectRaw(origin);
    connection.send(format({ path: '/healthz' }), 'GET /healthz HTTP/1.1\r\n');
    expect((await connection.reply()).json).toEqual({ status: 'ok' });
    await expectCutOff(connection);
    expect(await connection.closed()).toBe(0);
  });
});

describe('a connection without a request', () => {
  it('is closed without a byte, which would be taken for the response to the next request', async () => {
    const connection = await connectRaw(origin);
    const opened = performance.now();
    expect(await connection.closed()).toBe(0);
    expect(performance.now() - opened).toBeGreaterThan(LIMITS.headersTimeout);
  });

  it('200: may send its first request later than a head may take', async () => {
    const connection = await connectRaw(origin);
    await setTimeout(LIMITS.headersTimeout + 300);
    connection.send(format({ path: '/healthz' }));
    expect((await connection.reply()).status).toBe(200);
    // From then on the limits apply.
    connection.send('GET /healthz HTTP/1.1\r\n');
    await expectCutOff(connection);
    expect(await connection.closed()).toBe(0);
  });

  it('is refused if it then sends half a head', async () => {
    const connection = await connectRaw(origin);
    await setTimeout(LIMITS.headersTimeout + 300);
    connection.send('GET /healthz HTTP/1.1\r\n');
    await expectCutOff(connection);
    expect(await connection.closed()).toBe(0);
  });
});

describe('200: a request that arrived while the process was busy', () => {
  it('is not refused for being read late', async () => {
    // In a thread of its own, because this one is going to stand still.
    const sender = new Worker(
      `const { parentPort, workerData } = require('node:worker_threads');
       const socket = require('node:net').connect(workerData.port, '127.0.0.1');
       let text = '';
       socket.on('data', (data) => (text += data)).on('close', () => parentPort.postMessage(text));
       socket.write('GET /healthz HTTP/1.1\\r\\n', () => {
         parentPort.postMessage('half');
         setTimeout(() => socket.write('Host: atrium\\r\\nConnection: close\\r\\n\\r\\n'), 400);
       });`,
      { eval: true, workerData: { port: Number(new URL(origin).port) } },
    );
    await once(sender, 'message');
    await setTimeout(100); // The server has read the first half.
    // From here on, timers run before the server reads.
    await new Promise((resolve) => setImmediate(resolve));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LIMITS.headersTimeout + 100);
    const [text] = (await once(sender, 'message')) as [string];
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    await sender.terminate();
  });
});

describe('200: a sender who pauses between requests', () => {
  it('may take longer than any of the limits', async () => {
    const resting = await connectRaw(origin);
    resting.send(format({ path: '/healthz' }));
    expect((await resting.reply()).status).toBe(200);
    const slow = await connectRaw(origin);
    slow.send(create('Slow').subarray(0, -1));
    await expectCutOff(slow);
    resting.send(format({ path: '/healthz' }));
    expect((await resting.reply()).status).toBe(200);
    resting.destroy();
  });
});

describe('by default', () => {
  it('a head may take 10 seconds and a request 30, and connections outlast their clients', () => {
    const dependencies = { site: {} };
    const parts = { clock: { now: () => new Date() }, dependencies } as PipelineParts;
    const config = { corsOrigins: [], trustProxy: false, publicUrl: 'http://127.0.0.1' };
    const { server: plain } = createHttpServer({ config, parts, routes: [], onResponse: () => {} });
    expect([plain.headersTimeout, plain.requestTimeout]).toEqual([10_000, 30_000]);
    // Load balancers keep connections up to 10 minutes, browsers up to 5.
    expect(plain.keepAliveTimeout).toBeGreaterThan(600_000);
  });
});
