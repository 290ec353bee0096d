import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MCP_OFFER } from '../../src/app/mcp-offer.ts';
import { scopesOf } from '../../src/http/route.ts';
import { listTool } from '../../src/mcp-endpoint/tool.ts';
import { createCaller, type Call, type Reply } from '../harness/clients/client.ts';
import { createTestDatabase, type TestDatabase } from '../harness/databases/database.ts';
import { expectError, problemsOf } from '../harness/clients/envelope.ts';
import { addPerson, createTestOrg, keyWithScopes, type TestOrg } from '../harness/factories.ts';
import { format, sendRaw } from '../harness/clients/raw-http.ts';
import { startTestServer, type TestServer } from '../harness/processes/server.ts';

const PATH = '/api/mcp';
const PUBLIC_URL = 'https://atrium.example.com';
const APP = 'https://app.example.com';

let shared: TestDatabase;
let org: TestOrg;
let local: TestServer;
let published: TestServer;
let proxied: TestServer;
let call: Call;

beforeAll(async () => {
  shared = await createTestDatabase();
  org = await createTestOrg(shared.db);
  local = await startTestServer({ shared });
  const env = { PUBLIC_URL, HOST: '0.0.0.0', CORS_ORIGINS: APP };
  published = await startTestServer({ shared, env });
  proxied = await startTestServer({ shared, env: { ...env, TRUST_PROXY: 'loopback' } });
  call = createCaller(local.origin);
});
afterAll(async () => {
  await Promise.all([local, published, proxied].map((server) => server.stop()));
  await shared.drop();
});

const rpc = (method: string, params?: object, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params && { params }),
});
const PING = rpc('ping');
const callOf = (name: string, args: object = {}) => rpc('tools/call', { name, arguments: args });

async function newKey(): Promise<string> {
  return (await addPerson(shared.db, org.orgId, 'MEMBER')).key;
}

/** fetch does not let a caller choose the Host header. */
async function send(
  server: TestServer,
  headers: Record<string, string>,
  method = 'POST',
): Promise<Reply> {
  const sent = request(server.origin + PATH, {
    method,
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${org.owner.key}`,
      ...headers,
    },
  });
  sent.end(method === 'POST' ? JSON.stringify(PING) : undefined);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const text = (await response.toArray()).join('');
  return {
    status: response.statusCode ?? 0,
    headers: new Headers(response.headers as Record<string, string>),
    text,
    json: JSON.parse(text),
  };
}

describe('who may call', () => {
  it('401 in the envelope: no key, a v1 key, an unknown, a revoked and a removed one', async () => {
    const { userId } = await addPerson(shared.db, org.orgId, 'MEMBER');
    const own = await keyWithScopes(shared.db, org.orgId, userId, ['keys:read', 'keys:write']);
    expect((await call('POST', PATH, { key: own.key, body: PING })).status).toBe(200);
    await call('DELETE', `/api/keys/${own.keyId}`, { key: own.key });
    const gone = await addPerson(shared.db, org.orgId, 'MEMBER');
    await call('DELETE', `/api/org/${org.orgId}/members/${gone.userId}`, { key: org.owner.key });
    for (const key of [undefined, org.orgKey, 'atr_nothing', own.key, gone.key]) {
      const reply = await call('POST', PATH, { ...(key !== undefined && { key }), body: PING });
      expectError(reply, 'AUTH_ERROR');
      expect(reply.headers.get('www-authenticate')).toBe('Bearer');
      expect(reply.headers.get('ratelimit-limit')).toBeNull();
    }
  });

  it.each(['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'])(
    '405 with Allow: %s, no key needed',
    async (method) => {
      const reply = await call(method, PATH);
      expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'POST']);
      expect(reply.json).toEqual({
        jsonrpc: '2.0',
        error: { code: -32_000, message: expect.any(String) },
        id: null,
      });
      expect(reply.headers.get('x-request-id')).toMatch(/./);
    },
  );

  it('200 or 403: which Host and Origin a server on loopback accepts', async () => {
    const { host } = new URL(local.origin);
    const port = host.split(':')[1];
    const cases: [Record<string, string>, number][] = [
      [{}, 200],
      [{ host: `localhost:${port}` }, 200],
      [{ host: `[::1]:${port}` }, 200],
      [{ host: 'localhost' }, 200],
      [{ host: 'evil.example.com' }, 403],
      [{ host: `evil.example.com:${port}` }, 403],
      [{ host: '127.0.0.1.evil.example.com' }, 403],
      [{ host: 'evil.example.com', 'x-forwarded-host': host }, 403],
      [{ origin: local.origin }, 200],
      [{ host: `localhost:${port}`, origin: `http://localhost:${port}` }, 200],
      [{ origin: `http://localhost:${Number(port) + 1}` }, 403],
      [{ origin: 'https://evil.example.com' }, 403],
      [{ origin: 'null' }, 403],
      [{ host: 'evil.example.com', origin: 'http://evil.example.com' }, 403],
    ];
    for (const [headers, status] of cases) {
      const reply = await send(local, headers);
      expect(reply.status, JSON.stringify(headers)).toBe(status);
      if (status === 403)
        expect(expectError(reply, 'FORBIDDEN')).toEqual({ reason: 'cross_origin' });
    }
  });

  it('200 or 403: which Host and Origin a published server accepts', async () => {
    const own = { host: 'atrium.example.com' };
    const cases: [TestServer, Record<string, string>, number][] = [
      [published, own, 200],
      [published, { host: 'ATRIUM.example.com:8443' }, 200],
      [published, { host: 'localhost' }, 403],
      [published, { host: 'atrium', 'x-forwarded-host': 'atrium.example.com' }, 403],
      [published, { ...own, origin: PUBLIC_URL }, 200],
      [published, { ...own, origin: APP }, 200],
      [published, { ...own, origin: 'https://evil.example.com' }, 403],
      [proxied, { host: 'atrium', 'x-forwarded-host': 'atrium.example.com' }, 200],
      [proxied, { host: 'atrium', 'x-forwarded-host': 'evil.example.com' }, 403],
    ];
    for (const [server, headers, status] of cases) {
      expect((await send(server, headers)).status, JSON.stringify(headers)).toBe(status);
    }
    // The guard comes first, even without a key, for every method.
    const evil = { ...own, origin: 'https://evil.example.com', authorization: '' };
    expect((await send(published, evil)).status).toBe(403);
    expect((await send(published, evil, 'GET')).status).toBe(403);
  });

  it('204: a preflight of an allowed origin, with the headers of the protocol', async () => {
    const reply = await createCaller(published.origin)('OPTIONS', PATH, {
      headers: { origin: APP, 'access-control-request-method': 'POST' },
    });
    expect(reply.status).toBe(204);
    expect(reply.headers.get('access-control-allow-headers')).toContain('Mcp-Protocol-Version');
  });
});

describe('what may be sent', () => {
  it('400 in the envelope: a body that is not JSON, or too large', async () => {
    const key = await newKey();
    const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
      call('POST', PATH, { key, body, headers });
    expect(problemsOf(await post('{"jsonrpc":'))).toEqual(['body malformed_json']);
    expect(problemsOf(await post(Buffer.from([0x22, 0xff, 0x22])))).toEqual(['body invalid_utf8']);
    expect(problemsOf(await post('['.repeat(65) + ']'.repeat(65)))).toEqual(['body too_deep']);
    expect(problemsOf(await post('{}', { 'content-type': 'text/plain' }))).toEqual([
      'body unsupported_content_type',
    ]);
    expect(problemsOf(await post('{}', { 'content-encoding': 'gzip' }))).toEqual([
      'body unsupported_encoding',
    ]);
    const padded = (size: number) => JSON.stringify(PING).padEnd(size, ' ');
    expect((await post(padded(1024 * 1024))).status).toBe(200);
    expect(problemsOf(await post(padded(1024 * 1024 + 1)))).toEqual(['body too_large']);
  });

  it('400 by the protocol: a batch, and invalid messages', async () => {
    const key = await newKey();
    for (const body of [[PING], [], [callOf('list_projects'), PING], {}, '""', 'null', '7', '']) {
      const reply = await call('POST', PATH, { key, body });
      expect([reply.status, reply.json?.error.code], JSON.stringify(body)).toEqual([400, -32_600]);
    }
  });

  it('400 by the protocol: very many values, without an error for each', async () => {
    const key = await newKey();
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`k${at}`, 0]));
    const capabilities = { experimental: many };
    const clientInfo = { name: 'test', version: '1' };
    for (const body of [
      rpc('initialize', { protocolVersion: '2025-06-18', clientInfo, capabilities }),
      rpc('tools/call', { name: 'list_projects', _meta: many }),
      rpc('ping', many),
      { ...PING, ...many },
    ]) {
      const reply = await call('POST', PATH, { key, body });
      expect([reply.status, reply.json.error.code]).toEqual([400, -32_600]);
      expect(reply.text.length).toBeLessThan(1_000);
    }
    const unknown = await call('POST', PATH, { key, body: callOf('list_projects', many) });
    const { error } = unknown.json.result.structuredContent;
    expect([error.code, error.details.errors.length]).toEqual(['VALIDATION_ERROR', 1_000]);
  });

  it('202 without a body: a notification', async () => {
    const key = await newKey();
    const message = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const reply = await call('POST', PATH, { key, body: message });
    expect([reply.status, reply.text]).toEqual([202, '']);
  });

  it('200 as JSON, whatever the Accept header says', async () => {
    const key = await newKey();
    for (const accept of ['application/json', '*/*', 'text/event-stream', 'text/html']) {
      const reply = await call('POST', PATH, { key, body: PING, headers: { accept } });
      expect([reply.status, reply.headers.get('content-type')]).toEqual([
        200,
        'application/json; charset=utf-8',
      ]);
      expect(reply.json).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    }
  });

  it('opens no stream: 404 for a subscription, and unknown methods are reported', async () => {
    const key = await newKey();
    const listen = await call('POST', PATH, { key, body: rpc('subscriptions/listen', {}, 'a') });
    expect([listen.status, listen.json.error.code, listen.json.id]).toEqual([404, -32_601, 'a']);
    const unknown = await call('POST', PATH, { key, body: rpc('tools/drop') });
    expect(unknown.json.error.code).toBe(-32_601);
  });
});

describe('limits', () => {
  it('429 in the envelope: the 61st request of a minute that is not a tool call', async () => {
    const key = await newKey();
    for (let count = 1; count <= 60; count++) {
      const body = [PING, rpc('tools/list'), callOf('nothing'), '{'][count % 4];
      const reply = await call('POST', PATH, { key, body });
      expect(reply.status).not.toBe(429);
      expect(reply.headers.get('ratelimit-remaining')).toBe(String(60 - count));
    }
    for (const body of [PING, '{', [PING]]) {
      const reply = await call('POST', PATH, { key, body });
      expect(expectError(reply, 'RATE_LIMIT')).toEqual({ limit: 60, kind: 'MCP request' });
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    // Tools have their own quotas, and none of this counts against the HTTP operations.
    const listed = await call('POST', PATH, { key, body: callOf('list_projects') });
    expect(listed.json.result.isError).toBeUndefined();
    expect(listed.headers.get('ratelimit-limit')).toBeNull();
  });

  it('429 in the envelope: the 61st tool call without an id, which calls nothing', async () => {
    const key = await newKey();
    const { id: _, ...body } = callOf('list_projects');
    for (let count = 1; count <= 60; count++) {
      const reply = await call('POST', PATH, { key, body });
      expect(reply.status).toBe(202);
      expect(reply.headers.get('ratelimit-remaining')).toBe(String(60 - count));
    }
    expectError(await call('POST', PATH, { key, body }), 'RATE_LIMIT');
  });

  it('429 before the body is read: the 601st request of a minute, whatever it is', async () => {
    const key = await newKey();
    const { id: _, ...silent } = callOf('list_projects');
    const bodies = [PING, '{', [PING], callOf('post_message'), silent, callOf('list_projects')];
    for (let count = 0; count < 600; count += 12) {
      const asked = [...bodies, ...bodies].map((body) => call('POST', PATH, { key, body }));
      await Promise.all(asked);
    }
    const unsent = format({
      method: 'POST',
      path: PATH,
      key,
      headers: ['Content-Type: application/json', 'Content-Length: 1000000'],
    });
    const head = unsent.toString().replace('Host: atrium', 'Host: localhost');
    const reply = await sendRaw(local.origin, head);
    expect(expectError(reply, 'RATE_LIMIT')).toEqual({ limit: 600, kind: 'MCP request' });
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('isError past the quota of a tool: 60 reads, 20 writes, 10 posts', async () => {
    const key = await newKey();
    const quotas: [string, number][] = [
      ['list_projects', 60],
      ['add_memory', 20],
      ['post_message', 10],
    ];
    for (const [name, quota] of quotas) {
      const ask = async () =>
        (await call('POST', PATH, { key, body: callOf(name) })).json.result.structuredContent;
      for (let count = 0; count < quota; count++) {
        expect((await ask()).error?.code, name).not.toBe('RATE_LIMIT');
      }
      const { error } = await ask();
      expect(error, name).toEqual({
        code: 'RATE_LIMIT',
        message: expect.stringContaining(`${quota} ${name} calls`),
        details: { limit: quota, kind: `${name} call` },
        retryAfterSeconds: expect.any(Number),
      });
      expect(error.retryAfterSeconds).toBeGreaterThan(0);
      expect(error.retryAfterSeconds).toBeLessThanOrEqual(60);
    }
  });

  it.skipIf(!process.env['TEST_REDIS_URL'])(
    'two servers on one Redis share the quota',
    async () => {
      const key = await newKey();
      const env = { REDIS_URL: process.env['TEST_REDIS_URL'] ?? '' };
      const servers = await Promise.all([1, 2].map(() => startTestServer({ shared, env })));
      const callers = servers.map(({ origin }) => createCaller(origin));
      try {
        const asked = Array.from({ length: 14 }, (_, index) =>
          (callers[index % 2] as Call)('POST', PATH, { key, body: callOf('post_message') }),
        );
        const codes = (await Promise.all(asked)).map(
          ({ json }) => json.result.structuredContent.error.code,
        );
        expect(codes.filter((code) => code === 'RATE_LIMIT')).toHaveLength(4);
      } finally {
        await Promise.all(servers.map((server) => server.stop()));
      }
    },
  );
});

describe('operation', () => {
  it('the table in docs/mcp.md names every tool with its scope, quota and arguments', async () => {
    const page = await readFile(new URL('../../../docs/mcp.md', import.meta.url), 'utf8');
    const rows = page.split('\n').filter((line) => /^\| `\w+` \| `\w+:\w+`[^|]* \|/.test(line));
    const expected = [...MCP_OFFER.tools.values()].map((tool) => {
      const { inputSchema } = listTool(tool);
      const { properties = {}, required = [] } = inputSchema;
      const rest = Object.keys(properties).filter((name) => !required.includes(name));
      const lists = [required, rest].filter((names) => names.length > 0);
      const shown = lists.map((names) => names.map((name) => `\`${name}\``).join(', '));
      const scopes = scopesOf(tool).map((scope) => `\`${scope}\``);
      const cells = [`\`${tool.name}\``, scopes.join(', '), tool.quota, shown.join('; ')];
      return `| ${cells.join(' | ')} |`.replace('  ', ' ');
    });
    expect(rows).toEqual(expected);
  });

  it('logs and counts by route, with the key and without secrets or contents', async () => {
    const { key, keyId } = await addPerson(shared.db, org.orgId, 'MEMBER');
    const body = callOf('search_memory', { query: 'where is the treasure?' });
    const reply = await call('POST', PATH, { key, body, headers: { 'x-request-id': 'mcp-1' } });
    expect(reply.headers.get('x-request-id')).toBe('mcp-1');
    const lines = local.logLines.filter((line) => line.includes('"mcp-1"'));
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ method: 'POST', route: PATH, status: 200, keyId }),
    ]);
    expect(local.logLines.join('')).not.toContain('treasure');
    expect(local.logLines.join('')).not.toContain(key);
  });

  it('finishes running calls when the server drains', async () => {
    const server = await startTestServer({ shared });
    const sent = request(server.origin + PATH, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await newKey()}`,
        'content-type': 'application/json',
        expect: '100-continue',
      },
    });
    sent.flushHeaders();
    await once(sent, 'continue');
    const stopping = server.stop();
    sent.end(JSON.stringify(callOf('list_projects')));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const answered = JSON.parse((await response.toArray()).join(''));
    expect(answered.result.structuredContent).toMatchObject({ page: 1 });
    await stopping;
  });
});
