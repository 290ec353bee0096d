import { beforeAll, describe, expect, it, vi } from 'vitest';
import { fullPath, type Route } from '../../src/http/route.ts';
import { ROUTES, WEB_ROUTES } from '../../src/app/api.ts';
import { browserWith, signIn, type Browser } from '../harness/clients/browser.ts';
import { createCaller } from '../harness/clients/client.ts';
import { expectError } from '../harness/clients/envelope.ts';
import { addPerson, createTestOrg, type TestOrg } from '../harness/factories.ts';
import { format, sendRaw } from '../harness/clients/raw-http.ts';
import { startTestServer } from '../harness/processes/server.ts';
import { useTestServer } from '../harness/processes/use-test-server.ts';

const server = useTestServer({ env: { CORS_ORIGINS: '*' } });
const { call } = server;
let org: TestOrg;
let second: TestOrg;
let browser: Browser;

beforeAll(async () => {
  org = await createTestOrg(server.db);
  second = await createTestOrg(server.db);
  browser = await signIn(server, org.owner.email);
});

const join = (orgId: string, userId: string, role: string) =>
  server.db.query('INSERT INTO memberships (org_id, user_id, role) VALUES ($1, $2, $3)', [
    orgId,
    userId,
    role,
  ]);

const ID = 'caaaaaaaaaaaaaaaaaaaaaaaa';
const target = (route: Route) => fullPath(route).replaceAll(/\{\w+\}/g, ID);

describe('403 cross_origin', () => {
  const changing = [...ROUTES, ...WEB_ROUTES].filter(
    ({ method, auth }) => method !== 'GET' && auth !== 'org-key',
  );
  const foreign: [string, Record<string, string>][] = [
    ['another site', { origin: 'https://evil.example' }],
    [
      'another site that says otherwise',
      { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    ],
    ['no page at all', {}],
    ['a neighbour', { 'sec-fetch-site': 'same-site' }],
    ['an opaque origin', { origin: 'null' }],
  ];

  it.each(changing.map((route) => [`${route.method} ${fullPath(route)}`, route] as const))(
    '%s, before the body is read',
    async (_, route) => {
      for (const [, headers] of foreign) {
        const lines = Object.entries({ cookie: browser.cookie, ...headers }).map(
          ([name, value]) => `${name}: ${value}`,
        );
        const bytes = format({
          method: route.method,
          path: target(route),
          headers: ['Content-Type: application/json', 'Content-Length: 100000', ...lines],
        });
        const reply = await sendRaw(server.origin, bytes);
        expect(expectError(reply, 'FORBIDDEN')).toEqual({ reason: 'cross_origin' });
        expect(reply.headers.get('access-control-allow-credentials')).toBeNull();
      }
    },
  );

  it('our own pages are allowed: by Origin, by Sec-Fetch-Site, by address', async () => {
    const port = new URL(server.origin).port;
    const own: Record<string, string>[] = [
      { origin: server.origin },
      { 'sec-fetch-site': 'same-origin' },
      { origin: `http://localhost:${port}`, host: `localhost:${port}` },
      { origin: `http://[::1]:${port}`, host: `[::1]:${port}` },
    ];
    for (const headers of own) {
      const lines = Object.entries({ host: 'atrium', ...headers }).map(([n, v]) => `${n}: ${v}`);
      const head = [`POST /web/sign-out HTTP/1.1`, ...lines, 'Content-Length: 0'];
      const reply = await sendRaw(server.origin, `${head.join('\r\n')}\r\n\r\n`);
      expect(reply.status, lines.join()).toBe(204);
    }
  });

  it('another name or port that points here is not our own', async () => {
    for (const [host, origin] of [
      ['evil.example', 'http://evil.example'],
      [new URL(server.origin).host, 'http://127.0.0.1:1'],
    ]) {
      const head = `POST /web/sign-out HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\nContent-Length: 0\r\n\r\n`;
      const reply = await sendRaw(server.origin, head);
      expect(expectError(reply, 'FORBIDDEN')).toEqual({ reason: 'cross_origin' });
    }
  });

  it('not for keys and not for reads; 401 comes first, and a refusal takes no slot', async () => {
    const headers = { origin: 'https://evil.example' };
    const body = { name: 'By a key' };
    const byKey = await call('POST', '/api/projects', { key: org.owner.key, body, headers });
    expect(byKey.status).toBe(201);
    expect((await browser.call('GET', '/api/projects', { headers })).status).toBe(200);
    expectError(await call('POST', '/api/projects', { body, headers }), 'AUTH_ERROR');
    const refused = await browser.call('POST', '/api/projects', { body, headers });
    expect([refused.status, refused.headers.get('ratelimit-limit')]).toEqual([403, null]);
  });
});

describe('a cookie', () => {
  it('is ignored if there is a key, valid or not', async () => {
    const { cookie } = browser;
    const me = await browser.call('GET', '/api/me', { key: second.member.key });
    expect(me.json.data).toMatchObject({
      userId: second.member.userId,
      keyId: second.member.keyId,
      org: { id: second.orgId },
    });
    for (const authorization of ['Bearer atr_wrong', 'Basic x', `Bearer ${org.orgKey}`]) {
      const reply = await call('GET', '/api/me', { headers: { cookie, authorization } });
      expectError(reply, 'AUTH_ERROR');
    }
    // The key belongs to that org, whatever the header names.
    const headers = { cookie, 'atrium-org': second.orgId };
    const byKey = await call('GET', '/api/me', { key: org.owner.key, headers });
    expect(byKey.json.data.org.id).toBe(org.orgId);
  });

  it('401: the v1 API and MCP do not accept it', async () => {
    expectError(await browser.call('GET', '/api/v1/memories'), 'AUTH_ERROR');
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expectError(await browser.call('POST', '/api/mcp', { body }), 'AUTH_ERROR');
  });

  it('has every scope: it can create keys with any scope, in the active org', async () => {
    const body = { name: 'k', scopes: ['billing:write', 'org:write'] };
    const minted = await browser.call('POST', '/api/keys', { body });
    expect(minted.status, minted.text).toBe(201);
    const me = await call('GET', '/api/me', { key: minted.json.data.secret });
    expect(me.json.data, me.text).toMatchObject({ org: { id: org.orgId }, scopes: body.scopes });
    const rotated = await browser.call('POST', `/api/keys/${minted.json.data.id}/rotate`);
    expect(rotated.status).toBe(201);
  });

  it('is not in the log; the session is, and the audit log has the person and no key', async () => {
    const body = { name: 'Audited' };
    const { json } = await browser.call('POST', '/api/projects', { body });
    const audit = await browser.call('GET', `/api/org/${org.orgId}/audit?limit=1`);
    expect(audit.json.data.items[0]).toMatchObject({
      resourceId: json.data.id,
      actorKind: 'user',
      actorUserId: org.owner.userId,
      keyId: null,
    });
    const log = server.logLines.join('');
    expect(log).not.toContain(browser.cookie.split('=')[1]);
    expect(log).toMatch(/"webSessionId":"c[a-z0-9]{24}"/);
  });

  it('responses are not cached', async () => {
    const reply = await browser.call('GET', '/api/projects');
    expect(reply.headers.get('cache-control')).toBe('no-store');
    const byKey = await call('GET', '/api/projects', { key: org.owner.key });
    expect(byKey.headers.get('cache-control')).toBeNull();
  });
});

describe('the active org', () => {
  it('is the one in Atrium-Org, else the last used one, at first the one joined first', async () => {
    const person = await addPerson(server.db, org.orgId, 'ADMIN');
    await join(second.orgId, person.userId, 'MEMBER');
    const { call: page } = await signIn(server, person.email);
    const active = async (headers: Record<string, string> = {}) => {
      const { data } = (await page('GET', '/api/me', { headers })).json;
      return [data.org.id, data.role];
    };
    expect(await active()).toEqual([org.orgId, 'ADMIN']);
    expect(await active({ 'atrium-org': second.orgId })).toEqual([second.orgId, 'MEMBER']);
    await vi.waitFor(async () => expect(await active()).toEqual([second.orgId, 'MEMBER']));
    const profile = await page('GET', '/web/profile');
    expect(profile.json.data).toMatchObject({ lastOrgId: second.orgId, orgs: [{}, {}] });
    const made = await page('POST', '/api/projects', { body: { name: 'In the second' } });
    const found = await call('GET', `/api/projects/${made.json.data.id}`, {
      key: second.owner.key,
    });
    expect(found.status).toBe(200);
    const elsewhere = await page('GET', `/api/org/${org.orgId}/members`);
    expect(expectError(elsewhere, 'FORBIDDEN')).toEqual({ reason: 'wrong_org' });
  });

  it.each(['/api/projects', '/api/me', `/api/org/${ID}/members`])(
    '403 wrong_org: the caller is not a member, or there is no such org (%s)',
    async (path) => {
      for (const named of [second.orgId, ID, 'x', '', `${org.orgId},${org.orgId}`]) {
        const reply = await browser.call('GET', path, { headers: { 'atrium-org': named } });
        expect(expectError(reply, 'FORBIDDEN')).toEqual({ reason: 'wrong_org' });
      }
      expect((await browser.call('GET', '/api/me')).json.data.org.id).toBe(org.orgId);
    },
  );

  it('403 from the next request on after removal; a new role counts at once, too', async () => {
    const person = await addPerson(server.db, org.orgId, 'MEMBER');
    const { call: page } = await signIn(server, person.email);
    const path = `/api/org/${org.orgId}`;
    const member = `${path}/members/${person.userId}`;
    expect((await page('GET', `${path}/audit`)).status).toBe(403);
    await browser.call('PATCH', member, { body: { role: 'ADMIN' } });
    expect((await page('GET', `${path}/audit`)).status).toBe(200);
    await browser.call('DELETE', member);
    const headers = { 'atrium-org': org.orgId };
    for (const reply of [
      await page('GET', '/api/projects'),
      await page('GET', '/api/projects', { headers }),
      await page('GET', `${path}/audit`),
    ]) {
      expect(expectError(reply, 'FORBIDDEN')).toEqual({ reason: 'wrong_org' });
    }
    const me = await page('GET', '/api/me');
    expect(me.json.data).toMatchObject({ org: null, role: null, keyId: null });
    expect(me.json.data.scopes).toContain('projects:write');
    expect((await page('GET', '/web/profile')).json.data).toMatchObject({
      orgs: [],
      lastOrgId: null,
    });
  });

  it('POST /orgs: 201, and the new one is the active one', async () => {
    const person = await addPerson(server.db, org.orgId, 'MEMBER');
    await browser.call('DELETE', `/api/org/${org.orgId}/members/${person.userId}`);
    const { call: page } = await signIn(server, person.email);
    const made = await page('POST', '/api/orgs', { body: { name: ' Mine ' } });
    expect([made.status, made.json.data]).toEqual([
      201,
      { id: expect.any(String), name: 'Mine', role: 'OWNER', createdAt: expect.any(String) },
    ]);
    const { id } = made.json.data;
    expect((await page('GET', '/api/me')).json.data).toMatchObject({ org: { id }, role: 'OWNER' });
    const audit = await page('GET', `/api/org/${id}/audit`);
    expect(audit.json.data.items).toMatchObject([
      { action: 'org.created', resourceId: id, actorUserId: person.userId },
    ]);
    expect((await page('POST', '/api/orgs', { body: { name: '' } })).status).toBe(400);
  });
});

describe('Idempotency-Key', () => {
  const once = (key: string, headers: Record<string, string> = {}) => ({
    body: { name: `Idempotent ${key}` },
    headers: { 'idempotency-key': key, ...headers },
  });

  it('belongs to one session and one org', async () => {
    const person = await addPerson(server.db, org.orgId, 'ADMIN');
    await join(second.orgId, person.userId, 'ADMIN');
    const [one, other] = [await signIn(server, person.email), await signIn(server, person.email)];
    const inFirst = { 'atrium-org': org.orgId };
    const post = (by: Browser, headers = inFirst) =>
      by.call('POST', '/api/projects', once('same', headers));
    const made = await post(one);
    const again = await post(one);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.text).toBe(made.text);
    const inSecond = await post(one, { 'atrium-org': second.orgId });
    expect([inSecond.status, inSecond.headers.get('idempotency-replayed')]).toEqual([201, null]);
    const elsewhere = await post(other);
    expect(elsewhere.headers.get('idempotency-replayed')).toBeNull();
  });

  it('replays a created key, which is not stored anywhere', async () => {
    const options = {
      body: { name: 'k', scopes: ['projects:read'] },
      headers: { 'idempotency-key': 'minting' },
    };
    const [made, again] = [
      await browser.call('POST', '/api/keys', options),
      await browser.call('POST', '/api/keys', options),
    ];
    expect(made.json.data.secret).toMatch(/^atr_/);
    expect(again.json.data.secret).toBe(made.json.data.secret);
    const rows = await server.db.query<{ sealed: string }>(
      `SELECT encode(sealed_response, 'escape') AS sealed FROM idempotency_keys`,
    );
    expect(JSON.stringify(rows)).not.toContain(made.json.data.secret);
  });

  it('works if the first request changes the active org', async () => {
    const person = await addPerson(server.db, org.orgId, 'MEMBER');
    await browser.call('DELETE', `/api/org/${org.orgId}/members/${person.userId}`);
    const { call: page } = await signIn(server, person.email);
    const [made, again] = [
      await page('POST', '/api/orgs', once('own')),
      await page('POST', '/api/orgs', once('own')),
    ];
    expect([made.status, again.text]).toEqual([201, made.text]);
    expect((await page('GET', '/web/profile')).json.data.orgs).toHaveLength(1);
  });
});

describe('rate limits', () => {
  it('count per person across all sessions, ten times as high; keys count separately', async () => {
    const env = { RATE_LIMIT_READS: '2', RATE_LIMIT_WRITES: '1' };
    const shared = { db: server.db, url: undefined, drop: async () => {} };
    const limited = await startTestServer({ env, shared });
    try {
      const both = [
        await signIn(limited, org.member.email),
        await signIn(limited, org.member.email),
      ];
      const statuses = [];
      for (let at = 0; at < 22; at++) {
        statuses.push((await (both[at % 2] as Browser).call('GET', '/api/projects')).status);
      }
      expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429, 429]);
      const refused = await (both[0] as Browser).call('GET', '/web/profile');
      expect([refused.status, refused.headers.get('ratelimit-limit')]).toEqual([429, '20']);
      const write = await (both[0] as Browser).call('POST', '/api/projects', { body: {} });
      expect([write.status, write.headers.get('ratelimit-remaining')]).toEqual([400, '9']);
      const byKey = createCaller(limited.origin);
      expect((await byKey('GET', '/api/projects', { key: org.member.key })).status).toBe(200);
      const somebody = await signIn(limited, org.admin.email);
      expect((await somebody.call('GET', '/api/projects')).status).toBe(200);
    } finally {
      await limited.stop();
    }
  });
});

describe('CORS', () => {
  it('never lets another site use the cookie', async () => {
    const headers = { origin: 'https://evil.example' };
    const read = await browser.call('GET', '/api/projects', { headers });
    expect(read.headers.get('access-control-allow-origin')).toBe('*');
    expect(read.headers.get('access-control-allow-credentials')).toBeNull();
    const web = await browser.call('GET', '/web/profile', { headers });
    expect(web.headers.get('access-control-allow-origin')).toBeNull();
    const preflight = await call('OPTIONS', '/api/projects', {
      headers: { ...headers, 'access-control-request-method': 'POST' },
    });
    expect(preflight.headers.get('access-control-allow-headers')).not.toMatch(/atrium-org/i);
  });
});

describe('the documents', () => {
  it('do not mention /web', async () => {
    const { text } = await browserWith(server).call('GET', '/api/openapi.json');
    // Chat systems call /api/webhooks.
    expect(text.replaceAll('/webhooks/', '')).not.toContain('/web');
    expect(text).not.toContain('sign-in');
  });
});
