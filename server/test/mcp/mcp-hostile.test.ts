import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createAuthority } from '../harness/outside/certificates.ts';
import { createCaller, type Call, type Reply } from '../harness/clients/client.ts';
import { countDecodedBytes } from '../harness/counting/decoded-bytes.ts';
import { createTestOrg, type TestOrg } from '../harness/factories.ts';
import {
  answer,
  GREETING,
  speakMcp,
  startMcpUpstream,
  type McpScript,
  type McpUpstream,
} from '../harness/outside/mcp-upstream.ts';
import { startTestServer, type TestServer } from '../harness/processes/server.ts';

const SECRET = 'canary-secret-4711';
/** In every response of the servers. Nothing of a body may be shown. */
const BODY = 'canary-body-0815';

const authority = createAuthority();
let upstream: McpUpstream;
/** On loopback too, but not allowed. */
let inside: McpUpstream;
let impostors: McpUpstream[];
let server: TestServer;
let call: Call;
let org: TestOrg;

const JSON_TYPE = { 'content-type': 'application/json' };
const SSE_TYPE = { 'content-type': 'text/event-stream' };
const MEBIBYTE = 1024 * 1024;

/** Responds to `initialize` correctly, and to everything else as scripted. */
const after = (script: McpScript): McpScript => {
  const speak = speakMcp();
  return (message, response, request) =>
    message.method === 'initialize' || message.id === undefined
      ? speak(message, response, request)
      : script(message, response, request);
};
const respond =
  (status: number, headers: Record<string, string>, body = BODY): McpScript =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);
const redirect =
  (status: number, location: () => string): McpScript =>
  (_, response) =>
    void response.writeHead(status, { location: location() }).end(BODY);
const stream =
  (...events: string[]): McpScript =>
  (_, response) =>
    void response.writeHead(200, SSE_TYPE).end(events.join(''));
const event = (message: object) => `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;
const tools = (count: number, text = '') =>
  Array.from({ length: count }, (_, at) => ({ name: `${BODY}-${at}`, description: text }));

/** Each under its own path, with the error that a connection test reports. */
const CASES: Record<string, [code: string, script: McpScript]> = {
  hangs: ['timeout', () => {}],
  'hangs after the headers': [
    'timeout',
    (_, response) => response.writeHead(200, JSON_TYPE).flushHeaders(),
  ],
  'hangs in a stream': [
    'timeout',
    (_, response) => void response.writeHead(200, SSE_TYPE).write(': hello\n\n'),
  ],
  'hangs when it is asked for its tools': ['timeout', after(() => {})],
  'endlessly sends unrelated messages': [
    'timeout',
    (_, response) => {
      response.writeHead(200, SSE_TYPE);
      const timer = setInterval(() => {
        response.write(event({ method: 'notifications/message', params: { data: BODY } }));
      }, 50);
      response.on('close', () => clearInterval(timer));
    },
  ],
  trickles: [
    'timeout',
    (_, response) => {
      response.writeHead(200, JSON_TYPE);
      const timer = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(timer));
    },
  ],
  'sends 100 MB': ['too_large', (_, response) => flood(response, JSON_TYPE)],
  'streams 100 MB': ['too_large', (_, response) => flood(response, SSE_TYPE)],
  'announces 100 MB': [
    'too_large',
    (_, response) =>
      void response.writeHead(200, { ...JSON_TYPE, 'content-length': '104857600' }).write(BODY),
  ],
  'sends 100 MB, compressed': [
    'too_large',
    (_, response) =>
      void response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(BOMB),
  ],
  'refuses with 100 MB': ['too_large', (_, response) => flood(response, JSON_TYPE, 404)],
  'redirects to loopback': ['refused', redirect(302, () => inside.url)],
  'redirects to loopback, keeping the body': ['refused', redirect(307, () => inside.url)],
  'redirects to metadata': ['refused', redirect(308, () => 'https://169.254.169.254/latest')],
  'redirects to http': ['refused', redirect(301, () => 'http://example.com/')],
  'redirects to a file': ['refused', redirect(301, () => 'file:///etc/passwd')],
  'redirects in a circle': ['refused', redirect(307, () => '')],
  'redirects without a Location': ['server_error', respond(302, {})],
  'returns HTML': ['not_mcp', respond(200, { 'content-type': 'text/html' }, `<p>${BODY}`)],
  'returns HTML, and calls it JSON': ['not_mcp', respond(200, JSON_TYPE, `<p>${BODY}`)],
  'returns nothing': ['not_mcp', respond(204, {}, '')],
  'returns 202': ['not_mcp', respond(202, {}, '')],
  'returns deep JSON': ['not_mcp', respond(200, JSON_TYPE, '['.repeat(1_000_000))],
  'returns JSON with a deep result': [
    'not_mcp',
    ({ id = 0 }, response) =>
      void response
        .writeHead(200, JSON_TYPE)
        .end(`{"id":${id},"result":${'['.repeat(400_000)}${']'.repeat(400_000)}}`),
  ],
  'responds to another request': [
    'not_mcp',
    (_, response) => answer(response, 4711, { ...GREETING, instructions: BODY }),
  ],
  'answers with an error': [
    'not_mcp',
    ({ id }, response) =>
      void response
        .writeHead(200, JSON_TYPE)
        .end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message: BODY } })),
  ],
  'responds with something else': [
    'not_mcp',
    ({ id }, response) => answer(response, id, { [BODY]: 1 }),
  ],
  'speaks another protocol': [
    'not_mcp',
    ({ id }, response) => answer(response, id, { ...GREETING, protocolVersion: BODY }),
  ],
  'is missing': ['not_mcp', respond(404, {})],
  'closes without a response': ['network', (_, response) => void response.destroy()],
  'closes in the middle': [
    'network',
    (_, response) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-length': '1000' });
      response.write(BODY, () => response.destroy());
    },
  ],
  'closes its stream early': ['network', stream(': hello\n\n')],
  'closes its stream after a wrong response': ['network', stream(event({ id: 99, result: {} }))],
  'denies access': ['unauthorized', respond(401, {})],
  'names another sign-in server': [
    'unauthorized',
    (_, response) =>
      void response
        .writeHead(403, {
          'www-authenticate': `Bearer error="insufficient_scope", scope="x", resource_metadata="${inside.url}"`,
        })
        .end(BODY),
  ],
  'denies access to its tools': ['unauthorized', after(respond(401, {}))],
  fails: ['server_error', respond(500, {})],
  'limits our requests': ['server_error', respond(429, { 'retry-after': '1' })],
  'offers 10,000 tools': ['too_large', speakMcp(tools(10_000))],
  'offers 10,000 tools with many words': ['too_large', speakMcp(tools(10_000, BODY.repeat(20)))],
  'offers 10,000 tools on 100 pages': [
    'too_large',
    after(({ id, params }, response) => {
      const page = Number(params?.['cursor'] ?? 0) + 1;
      const listed = tools(100).map((tool) => ({ ...tool, inputSchema: { type: 'object' } }));
      answer(response, id, { tools: listed, nextCursor: `${page}` });
    }),
  ],
  'offers an endless list of nothing': [
    'too_large',
    after(({ id }, response) => answer(response, id, { tools: [], nextCursor: 'more' })),
  ],
};
const BOMB = gzipSync(Buffer.alloc(100 * MEBIBYTE, ' '));

/** With backpressure: it sends only as much as is read and sockets buffer. */
function flood(response: ServerResponse, headers: Record<string, string>, status = 200): void {
  response.writeHead(status, headers);
  const chunk = Buffer.alloc(64 * 1024, 'x');
  let left = 100 * MEBIBYTE;
  const next = () => {
    if (!response.writable) return;
    if ((left -= chunk.length) < 0) {
      response.end();
      return;
    }
    response.write(chunk, next);
  };
  next();
}

interface Outcome {
  reply: Reply;
  /** How much the servers have sent meanwhile, and how much that was when decoded. */
  sentBytes: number;
  decodedBytes: number;
}
const outcomes = new Map<string, Outcome>();
let decoded: ReturnType<typeof countDecodedBytes>;

beforeAll(async () => {
  decoded = countDecodedBytes();
  const scripts = Object.values(CASES).map(([, script]) => script);
  upstream = await startMcpUpstream(authority, {
    script: (message, response, request) => {
      if (request.method === 'DELETE') {
        response.writeHead(204).end();
        return;
      }
      scripts[Number(request.url?.slice(1))]?.(message, response, request);
    },
  });
  inside = await startMcpUpstream(authority);
  const stranger = createAuthority('Somebody else');
  impostors = await Promise.all([
    startMcpUpstream(stranger),
    startMcpUpstream(authority, { names: ['other.example.com'] }),
  ]);
  const hosts = [upstream, ...impostors].map(({ host }) => host);
  const env = { MCP_ALLOW_HOSTS: hosts.join() };
  server = await startTestServer({ env, ca: authority.certificate });
  call = createCaller(server.origin);
  org = await createTestOrg(server.db);
  const run = async (name: string) => {
    const id = await register(`https://${upstream.host}/${Object.keys(CASES).indexOf(name)}`);
    outcomes.set(name, await test(id));
  };
  // One by one, so that bytes are counted for the right case. Servers that only wait send almost nothing.
  const [waiting, others] = [true, false].map((isWaiting) =>
    Object.keys(CASES).filter((name) => (CASES[name]?.[0] === 'timeout') === isWaiting),
  );
  for (const name of others ?? []) await run(name);
  await Promise.all((waiting ?? []).map(run));
});
afterAll(async () => {
  decoded.stop();
  await server.stop();
  await Promise.all([upstream, inside, ...impostors].map((each) => each.close()));
});

let registered = 0;

async function register(endpointUrl: string): Promise<string> {
  const mentionSlug = `s${++registered}`;
  const body = { displayName: 'x', mentionSlug, endpointUrl, authType: 'BEARER', secret: SECRET };
  const reply = await call('POST', '/api/mcp/servers', { key: org.owner.key, body });
  expect(reply.status, reply.text).toBe(201);
  return reply.json.data.id;
}

async function test(id: string): Promise<Outcome> {
  const [sent, decodedBefore] = [upstream.bytesSent(), decoded.bytes()];
  const path = `/api/mcp/servers/${id}/test-connection`;
  const reply = await call('POST', path, { key: org.owner.key });
  return {
    reply,
    sentBytes: upstream.bytesSent() - sent,
    decodedBytes: decoded.bytes() - decodedBefore,
  };
}

describe('a server that', () => {
  it.each(Object.entries(CASES).map(([name, [code]]) => [name, code] as const))(
    '%s: %s',
    (name, code) => {
      const outcome = outcomes.get(name);
      const { data } = outcome?.reply.json ?? {};
      expect(data).toEqual({ ok: false, error: { code, message: expect.stringMatching(/./) } });
      expectNothingPrivate(outcome?.reply.text ?? '');
    },
  );

  it.each([
    ['has a certificate of nobody we know', 0, /trusted authority/],
    ['has the certificate of another name', 1, /another name/],
  ])('%s: tls', async (_, at, message) => {
    const { data } = (await test(await register(impostors[at]?.url ?? ''))).reply.json;
    expect(data).toEqual({
      ok: false,
      error: { code: 'tls', message: expect.stringMatching(message) },
    });
  });

  it('has less than ten seconds for everything', async () => {
    const limits = vi.spyOn(AbortSignal, 'timeout');
    await test(await register(`https://${upstream.host}/${Object.keys(CASES).indexOf('fails')}`));
    expect(limits.mock.calls).toContainEqual([8_000]);
    limits.mockRestore();
  });

  it('none of them made us call an address that is not allowed', () => {
    expect(inside.connections()).toBe(0);
  });

  it('none of them left a trace in the logs or in the list', async () => {
    const { text } = await call('GET', '/api/mcp/servers', { key: org.owner.key });
    const records = JSON.parse(text).data.items.map((each: object) => ({
      ...each,
      endpointUrl: '',
    }));
    expectNothingPrivate(JSON.stringify(records));
    expectNothingPrivate(server.logLines.join(''));
  });
});

describe('a server that sends too much besides its answer', () => {
  it('gets no further requests for a thousand requests of its own', async () => {
    const questions = Array.from({ length: 5_000 }, (_, id) =>
      event({ id: `q${id}`, method: 'ping' }),
    );
    const before = upstream.requests.length;
    const id = await register(
      withScript(({ id: asked, method }, response) => {
        if (asked === undefined) {
          response.writeHead(202).end();
          return;
        }
        const result = method === 'initialize' ? GREETING : { tools: [] };
        response.writeHead(200, SSE_TYPE);
        response.write(questions.join('') + event({ id: asked, result }));
        // Its stream stays open. The client leaves when it has its response.
      }),
    );
    const { reply } = await test(id);
    expect(reply.json.data).toMatchObject({ ok: true });
    expect(upstream.requests.length - before).toBeLessThanOrEqual(4);
  });

  it('is shown shortened', async () => {
    const serverInfo = { name: 'n'.repeat(100_000), version: '1\ud800' };
    const capabilities = { tools: {}, experimental: { x: { y: BODY.repeat(10_000) } } };
    const speak = speakMcp([], { serverInfo, capabilities });
    const { reply } = await test(await register(withScript(speak)));
    expect(reply.json.data).toMatchObject({ ok: true, capabilities: { tools: {} } });
    expect(reply.text.length).toBeLessThan(2_000);
  });

  it('does not delay us when its session ends', async () => {
    const speak = speakMcp();
    const id = await register(
      withScript((message, response, request) => {
        response.setHeader('mcp-session-id', 'session-1');
        speak(message, response, request);
      }),
    );
    upstream.answerWith((message, response, request) => {
      if (request.method !== 'DELETE') byPath(message, response, request);
    });
    // Without a timeout, so waiting for the end of the session would never finish.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { reply } = await test(id).finally(() => vi.useRealTimers());
    expect(reply.json.data).toMatchObject({ ok: true });
  });
});

describe('a server that sends too much', () => {
  it.each(Object.keys(CASES).filter((name) => / 100 MB|10,000/.test(name)))(
    '%s: is read only up to the limit',
    (name) => {
      // A response may have 1 MiB. The rest is what two sockets buffer.
      expect(outcomes.get(name)?.sentBytes).toBeLessThan(24 * MEBIBYTE);
      expect(outcomes.get(name)?.decodedBytes).toBeLessThan(16 * MEBIBYTE);
    },
  );
});

const more: McpScript[] = [];

const byPath: McpScript = (message, response, request) => {
  if (request.method === 'DELETE') {
    response.writeHead(204).end();
    return;
  }
  const number = Number(request.url?.slice(1));
  const scripts = [...Object.values(CASES).map(([, script]) => script), ...more];
  scripts[number]?.(message, response, request);
};

/** The address of another server. */
function withScript(script: McpScript): string {
  more.push(script);
  upstream.answerWith(byPath);
  return `https://${upstream.host}/${Object.keys(CASES).length + more.length - 1}`;
}

function expectNothingPrivate(text: string): void {
  expect(text).not.toContain(SECRET);
  expect(text).not.toContain(BODY);
  expect(text).not.toMatch(/127\.0\.0\.1:|169\.254|::1\b/);
  expect(text).not.toContain(`${inside.port}`);
}
