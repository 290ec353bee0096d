import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCaller, type Call } from '../harness/clients/client.ts';
import { createTestDatabase, type TestDatabase } from '../harness/databases/database.ts';
import { createTestOrg, type TestOrg } from '../harness/factories.ts';
import { startTestServer, type TestServer } from '../harness/processes/server.ts';

const ORIGIN = 'https://app.example.com';
const EXPOSED = [
  'X-Request-Id',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Idempotency-Replayed',
  'ETag',
  'Accept-Ranges',
  'Content-Range',
  'Content-Disposition',
  'Tus-Resumable',
  'Tus-Version',
  'Tus-Extension',
  'Tus-Max-Size',
  'Upload-Offset',
  'Upload-Length',
  'Upload-Expires',
];

let shared: TestDatabase;
let org: TestOrg;
const servers: TestServer[] = [];
let callNone: Call;
let callList: Call;
let callAny: Call;

beforeAll(async () => {
  shared = await createTestDatabase();
  org = await createTestOrg(shared.db);
  const start = async (env: Record<string, string>) => {
    const server = await startTestServer({ shared, env });
    servers.push(server);
    return createCaller(server.origin);
  };
  callNone = await start({});
  callList = await start({ CORS_ORIGINS: `https://other.example.com, ${ORIGIN}` });
  callAny = await start({ CORS_ORIGINS: '*' });
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await shared.drop();
});

const preflight = { origin: ORIGIN, 'access-control-request-method': 'POST' };

function corsHeaders(headers: Headers): string[] {
  return [...headers.keys()].filter((name) => name.startsWith('access-control-'));
}

describe('by default', () => {
  it('no response has CORS headers', async () => {
    const read = await callNone('GET', '/api/projects', {
      key: org.owner.key,
      headers: { origin: ORIGIN },
    });
    expect([read.status, corsHeaders(read.headers)]).toEqual([200, []]);
    const asked = await callNone('OPTIONS', '/api/projects', { headers: preflight });
    expect([asked.status, corsHeaders(asked.headers)]).toEqual([404, []]);
  });
});

describe.each<[string, () => Call, string, string | null]>([
  ['a list', () => callList, ORIGIN, 'Origin'],
  ['*', () => callAny, '*', null],
])('CORS_ORIGINS is %s', (_title, caller, allowed, vary) => {
  it('204: a preflight, with X-Request-Id, without a key', async () => {
    const { status, headers, text } = await caller()('OPTIONS', '/api/projects', {
      headers: { ...preflight, 'x-request-id': 'asked' },
    });
    expect([status, text]).toEqual([204, '']);
    expect(headers.get('x-request-id')).toBe('asked');
    expect(headers.get('access-control-allow-origin')).toBe(allowed);
    expect(headers.get('vary')).toBe(vary);
    expect(headers.get('access-control-allow-methods')?.split(', ').toSorted()).toEqual([
      'DELETE',
      'GET',
      'HEAD',
      'PATCH',
      'POST',
      'PUT',
    ]);
    const names = headers.get('access-control-allow-headers')?.toLowerCase().split(', ');
    expect(names).toEqual(
      expect.arrayContaining([
        'authorization',
        'content-type',
        'idempotency-key',
        'x-request-id',
        'range',
        'tus-resumable',
        'upload-offset',
        'upload-checksum',
      ]),
    );
  });

  it('every response may be read, errors too, with its headers', async () => {
    const headers = { origin: ORIGIN };
    const { key } = org.owner;
    const replies = [
      await caller()('GET', '/api/projects', { key, headers }),
      await caller()('POST', '/api/projects', { key, headers, body: '{' }),
      await caller()('GET', '/api/projects', { headers }),
      await caller()('GET', '/api/nothing', { headers }),
      await caller()('GET', '/api/projects/%zz', { headers }),
      await caller()('GET', '/api/openapi.json', { headers }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 400, 401, 404, 404, 200]);
    for (const reply of replies) {
      expect(reply.headers.get('access-control-allow-origin')).toBe(allowed);
      expect(reply.headers.get('access-control-expose-headers')?.split(', ')).toEqual(EXPOSED);
      expect(reply.headers.get('vary')).toBe(vary);
    }
  });

  it('credentials are never allowed', async () => {
    for (const headers of [preflight, { origin: ORIGIN, cookie: 'atrium_session=x' }]) {
      for (const method of ['OPTIONS', 'GET']) {
        const reply = await caller()(method, '/api/projects', { headers });
        expect(reply.headers.has('access-control-allow-credentials')).toBe(false);
      }
    }
  });

  it('404: OPTIONS that is not a preflight', async () => {
    const reply = await caller()('OPTIONS', '/api/projects', { headers: { origin: ORIGIN } });
    expect(reply.status).toBe(404);
    expect(reply.headers.get('allow')).toBe('GET, HEAD, POST');
  });

  it('only the API is open to other origins', async () => {
    for (const path of ['/healthz', '/apis', '/']) {
      const reply = await caller()('GET', path, { headers: { origin: ORIGIN } });
      expect(corsHeaders(reply.headers)).toEqual([]);
    }
  });
});

describe('an origin that is not in the list', () => {
  it.each([
    'https://evil.example',
    'https://app.example.com.evil.example',
    'http://app.example.com',
    'https://app.example.com:8443',
    'https://APP.example.com',
    'null',
    '',
  ])('gets no CORS headers: %s', async (origin) => {
    const headers = { ...preflight, origin };
    const asked = await callList('OPTIONS', '/api/projects', { headers });
    expect([asked.status, corsHeaders(asked.headers)]).toEqual([404, []]);
    const read = await callList('GET', '/api/projects', { key: org.owner.key, headers });
    expect([read.status, corsHeaders(read.headers)]).toEqual([200, []]);
    expect(read.headers.get('vary')).toBe('Origin');
  });
});
