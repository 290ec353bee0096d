import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineRoute, fullPath } from '../../src/http/route.ts';
import { ROUTES } from '../../src/app/api.ts';
import { expectError, expectInvalid } from '../harness/clients/envelope.ts';
import { createTestOrg, keyWithScopes, type TestOrg } from '../harness/factories.ts';
import { connectRaw, format, sendRaw, type RawRequest } from '../harness/clients/raw-http.ts';
import { useTestServer } from '../harness/processes/use-test-server.ts';

let org: TestOrg;
let readOnlyKey: string;

const failingRoute = defineRoute({
  operationId: 'fail',
  tag: 'Tests',
  method: 'POST',
  path: '/fail/{how}',
  summary: 'Fail',
  description: 'Throws what it is asked to.',
  auth: 'user',
  scope: null,
  limit: 'write',
  request: { params: z.object({ how: z.string() }) },
  mayReplay: 'always',
  status: 200,
  response: z.strictObject({ fine: z.literal(true) }),
  handler: (_ctx, { params }) => fail(params.how),
});

async function fail(how: string): Promise<{ fine: true }> {
  switch (how) {
    case 'error':
      throw new Error('the password is hunter2');
    case 'text':
      throw 'hunter2' as unknown;
    case 'nothing':
      throw undefined;
    case 'status':
      throw Object.assign(new Error('hunter2'), { statusCode: 418, code: 'HUNTER2' });
    default:
      return { fine: how as unknown as true };
  }
}

const server = useTestServer({ routes: [...ROUTES, failingRoute] });
const { call } = server;

beforeAll(async () => {
  org = await createTestOrg(server.db);
  readOnlyKey = (await keyWithScopes(server.db, org.orgId, org.owner.userId, ['projects:read']))
    .key;
});

const JSON_TYPE = 'Content-Type: application/json';

/** The head of a request whose body never arrives: a response proves that nobody waited for it. */
function sendHeadOnly(request: RawRequest, origin = server.origin) {
  const headers = [JSON_TYPE, 'Content-Length: 1000000', ...(request.headers ?? [])];
  return sendRaw(origin, format({ method: 'POST', ...request, headers }));
}

describe('before the body is read', () => {
  it('404: an unknown path, or another method, without a key', async () => {
    expectError(await sendHeadOnly({ path: '/api/nothing' }), 'NOT_FOUND');
    const reply = await sendHeadOnly({ method: 'PUT', path: '/api/projects' });
    expectError(reply, 'NOT_FOUND');
    expect(reply.headers.get('allow')).toBe('GET, HEAD, POST');
  });

  it('404: an unknown path whatever the type, encoding or size of the body', async () => {
    for (const header of [
      'Content-Type: ?',
      'Content-Encoding: gzip',
      'Content-Length: 99999999',
    ]) {
      const request = format({ method: 'POST', path: '/api/nothing', headers: [header] });
      expectError(await sendRaw(server.origin, request), 'NOT_FOUND');
    }
  });

  it('401: no key, an unknown key, a key of the other family', async () => {
    const path = '/api/projects';
    expectError(await sendHeadOnly({ path }), 'AUTH_ERROR');
    for (const key of ['atr_x', `${org.owner.key}x`, org.orgKey]) {
      const reply = await sendHeadOnly({ path, key });
      expectError(reply, 'AUTH_ERROR');
      expect(reply.headers.get('www-authenticate')).toBe('Bearer');
      expect(reply.headers.has('ratelimit-limit')).toBe(false);
    }
  });

  it('403: a missing scope, another org, a role', async () => {
    const reasons = [
      { path: '/api/projects', key: readOnlyKey },
      { path: '/api/org/caaaaaaaaaaaaaaaaaaaaaaaa/api-keys', key: org.owner.key },
      { path: `/api/org/${org.orgId}/api-keys`, key: org.member.key },
    ].map(async (request) => expectError(await sendHeadOnly(request), 'FORBIDDEN')['reason']);
    expect(await Promise.all(reasons)).toEqual(['missing_scope', 'wrong_org', 'role']);
  });
});

describe('401, then 429, then 403, then 400', () => {
  const limited = useTestServer({ env: { RATE_LIMIT_READS: '1', RATE_LIMIT_WRITES: '1' } });

  it('each hides what comes after it', async () => {
    const { call: ask } = limited;
    const { orgId, owner } = await createTestOrg(limited.db);
    const path = `/api/org/caaaaaaaaaaaaaaaaaaaaaaaa/api-keys?no=such`;
    const forbidden = await ask('POST', path, { key: owner.key, body: '{' });
    expectError(forbidden, 'FORBIDDEN');
    const exhausted = await sendHeadOnly({ path, key: owner.key }, limited.origin);
    expectError(exhausted, 'RATE_LIMIT');
    expect(Number(exhausted.headers.get('retry-after'))).toBeGreaterThan(0);
    await limited.db.query('UPDATE api_keys SET revoked_at = now() WHERE org_id = $1', [orgId]);
    expectError(await ask('POST', path, { key: owner.key, body: '{' }), 'AUTH_ERROR');
  });

  it('403 before 400: rights come before a bad body or query', async () => {
    for (const path of ['/api/projects', '/api/projects?no=such']) {
      expectError(await call('POST', path, { key: readOnlyKey, body: '{' }), 'FORBIDDEN');
    }
  });

  it('404: a name that cannot be stored, whatever the route expects', async () => {
    expectError(await call('POST', '/api/fail/a%00b', { key: org.owner.key }), 'NOT_FOUND');
  });

  it('404 before 400: a malformed id in the path', async () => {
    const options = { key: org.owner.key, body: { colour: 1 } };
    expectError(await call('PATCH', '/api/projects/x?no=such', options), 'NOT_FOUND');
  });

  it('400: query and body are reported together', async () => {
    const reply = await call('POST', '/api/projects?no=such', { key: org.owner.key, body: {} });
    const locations = expectInvalid(reply).map(({ location }) => location);
    expect(locations).toEqual(['query.no', 'body.name']);
  });
});

describe('HEAD', () => {
  it('works wherever GET works, with the same headers and no body', async () => {
    const gets = ROUTES.filter(({ method }) => method === 'GET').map((route) =>
      fullPath(route)
        .replace('{orgId}', org.orgId)
        .replaceAll(/\{\w+\}/g, 'caaaaaaaaaaaaaaaaaaaaaaaa'),
    );
    for (const path of [...gets, '/api/openapi.json', '/healthz', '/readyz', '/docs']) {
      const connection = await connectRaw(server.origin);
      const answerTo = (method: string) => {
        connection.send(format({ method, path, key: org.owner.key }));
        return connection.reply({ head: method === 'HEAD' });
      };
      const shown = await answerTo('HEAD');
      const got = await answerTo('GET');
      const type = 'content-type';
      expect([shown.status, shown.headers.get(type)]).toEqual([got.status, got.headers.get(type)]);
      const isFile = got.headers.get(type) === 'application/gzip';
      const length = shown.headers.get('content-length');
      if (isFile) expect(length).toBe(got.headers.get('content-length'));
      else expect(Number(length)).toBeGreaterThan(0);
      expect(shown.headers.get('x-request-id')).toBeTruthy();
      connection.destroy();
    }
  });

  it('404, 401, 400: refuses like GET', async () => {
    const { key } = org.owner;
    expect((await call('HEAD', '/api/nothing')).status).toBe(404);
    expect((await call('HEAD', '/api/projects')).status).toBe(401);
    expect((await call('HEAD', '/api/projects?limit=0', { key })).status).toBe(400);
  });
});

describe('X-Request-Id', () => {
  it.each(['a', 'A-Z.a_z-0.9', 'x'.repeat(128)])('is kept: %s', async (id) => {
    const headers = { 'x-request-id': id };
    const ok = await call('GET', '/api/projects', { key: org.owner.key, headers });
    expect([ok.headers.get('x-request-id'), ok.json.metadata.requestId]).toEqual([id, id]);
    for (const path of ['/api/projects', '/api/nothing', '/api/%zz']) {
      const reply = await call('GET', path, { headers });
      expect([reply.headers.get('x-request-id'), reply.json.metadata.requestId]).toEqual([id, id]);
    }
  });

  it.each(['', 'x'.repeat(129), 'a b', 'a/b', 'a,b', 'é', '<script>', '"a"'])(
    'is replaced: %s',
    async (id) => {
      const headers = [`X-Request-Id: ${id}`];
      const reply = await sendRaw(server.origin, format({ path: '/api/projects', headers }));
      expectError(reply, 'AUTH_ERROR');
      expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  it('is replaced: sent twice', async () => {
    const headers = ['X-Request-Id: a', 'X-Request-Id: b'];
    const reply = await sendRaw(server.origin, format({ path: '/api/projects', headers }));
    expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('500', () => {
  it.each(['error', 'text', 'nothing', 'status', 'shape'])(
    'says nothing about the cause, which is logged with the requestId: %s',
    async (how) => {
      const headers = { 'x-request-id': `failing-${how}` };
      const reply = await call('POST', `/api/fail/${how}`, { key: org.owner.key, headers });
      expect(expectError(reply, 'INTERNAL_ERROR')).toEqual({});
      expect(reply.text).not.toMatch(/hunter2|HUNTER2|stack|\.ts/);
      const lines = server.logLines
        .map((line) => JSON.parse(line))
        .filter(({ requestId }) => requestId === headers['x-request-id']);
      expect(lines.find(({ level }) => level === 50)).toMatchObject({ route: '/api/fail/:how' });
      if (how === 'error') expect(lines[0].err.message).toBe('the password is hunter2');
    },
  );
});

describe('the log', () => {
  it('has the route template, and neither the URL nor a key', async () => {
    const secrets = [
      org.owner.key,
      org.orgKey,
      'cbbbbbbbbbbbbbbbbbbbbbbbb',
      'page=7777',
      'tokentoken',
    ];
    const { key } = org.owner;
    await call('GET', '/api/projects?page=7777', { key });
    await call('GET', '/api/projects/cbbbbbbbbbbbbbbbbbbbbbbbb', { key });
    await call('POST', '/api/fail/error?page=7777', { key });
    await call('POST', '/api/projects', { key, body: '{"tokentoken"' });
    await call('GET', '/api/projects', { key: org.orgKey });
    await call('GET', '/api/invitations/tokentoken', { key });
    await call('GET', '/api/%zz/tokentoken', { key });
    await sendRaw(
      server.origin,
      format({ path: '/api/projects', headers: [`Authorization: ${key}`] }),
    );
    const log = server.logLines.join('');
    expect(log).toContain('"route":"/api/projects/:projectId"');
    for (const secret of secrets) expect(log).not.toContain(secret);
  });
});
