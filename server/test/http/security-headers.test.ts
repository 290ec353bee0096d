import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signIn } from '../harness/clients/browser.ts';
import { createTestDatabase, type TestDatabase } from '../harness/databases/database.ts';
import { createTestOrg, type TestOrg } from '../harness/factories.ts';
import { connectRaw, format, head, sendRaw } from '../harness/clients/raw-http.ts';
import { startTestServer, type TestServer } from '../harness/processes/server.ts';

const APP = 'https://app.example.com';
const YEAR = 'max-age=31536000';
const OWN = ['Sec-Fetch-Site: same-origin'];
const PREFLIGHT = [`Origin: ${APP}`, 'Access-Control-Request-Method: POST'];

let shared: TestDatabase;
let org: TestOrg;
let plain: TestServer;
let secure: TestServer;
let cookie: string;

beforeAll(async () => {
  shared = await createTestDatabase();
  org = await createTestOrg(shared.db);
  const env = { CORS_ORIGINS: APP };
  plain = await startTestServer({ shared, env });
  secure = await startTestServer({
    shared,
    env: { ...env, PUBLIC_URL: 'https://atrium.example.com' },
  });
  ({ cookie } = await signIn(plain, org.owner.email));
});
afterAll(async () => {
  await Promise.all([plain.stop(), secure.stop()]);
  await shared.drop();
});

function expectHeaders(headers: Headers, isSecure: boolean): void {
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
  expect(headers.get('strict-transport-security')).toBe(isSecure ? YEAR : null);
}

const JSON_TYPE = 'Content-Type: application/json';
const asOwner = (method: string, path: string, body?: string) => () =>
  format({
    method,
    path: path.replace('ORG', org.orgId),
    key: org.owner.key,
    headers: [JSON_TYPE],
    ...(body !== undefined && { body }),
  });
const byAnyone = (method: string, path: string, ...headers: string[]) => {
  return () => format({ method, path, headers });
};

describe.each([
  ['http', () => plain, false],
  ['https', () => secure, true],
] as const)('every answer of a server at an %s address', (_scheme, server, isSecure) => {
  it.each<[string, number, () => string | Uint8Array]>([
    ['a list', 200, asOwner('GET', '/api/projects')],
    ['a new record', 201, asOwner('POST', '/api/keys', '{"name":"x","scopes":["org:read"]}')],
    ['no content', 204, () => format({ method: 'POST', path: '/web/sign-out', headers: OWN })],
    ['a bad body', 400, asOwner('POST', '/api/projects', '{')],
    ['no key', 401, byAnyone('GET', '/api/projects')],
    ['another org', 403, asOwner('GET', '/api/org/caaaaaaaaaaaaaaaaaaaaaaaa/members')],
    ['nothing there', 404, byAnyone('GET', '/api/nothing')],
    ['a broken URL', 404, byAnyone('GET', '/api/%zz')],
    ['a tunnel', 404, () => head('CONNECT x:1 HTTP/1.1', 'Host: x:1')],
    ['no HTTP', 400, () => 'nonsense\r\n\r\n'],
    ['no host', 400, () => head('GET / HTTP/1.1')],
    ['an expectation', 400, byAnyone('POST', '/api/projects', 'Expect: a miracle')],
    ['a preflight', 204, byAnyone('OPTIONS', '/api/projects', ...PREFLIGHT)],
    ['openapi.json', 200, byAnyone('GET', '/api/openapi.json')],
    ['healthz', 200, byAnyone('GET', '/healthz')],
    ['readyz', 200, byAnyone('GET', '/readyz')],
    ['the webhook', 400, byAnyone('POST', '/api/webhooks/stripe')],
    ['the MCP endpoint, by a wrong name', 403, byAnyone('POST', '/api/mcp')],
    ['the reference', 200, byAnyone('GET', '/docs')],
  ])('%s: %i', async (_title, status, request) => {
    const reply = await sendRaw(server().origin, request());
    expect(reply.status, reply.text).toBe(status);
    expectHeaders(reply.headers, isSecure);
  });

  it('HEAD', async () => {
    const connection = await connectRaw(server().origin);
    connection.send(asOwner('HEAD', '/api/projects')());
    const reply = await connection.reply({ head: true });
    expect(reply.status).toBe(200);
    expectHeaders(reply.headers, isSecure);
    connection.destroy();
  });

  it('the stream of events', async () => {
    const aborted = new AbortController();
    const { status, headers } = await fetch(`${server().origin}/web/events`, {
      headers: { cookie },
      signal: aborted.signal,
    });
    aborted.abort();
    expect(status).toBe(200);
    expectHeaders(headers, isSecure);
  });

  it('the MCP endpoint', async () => {
    const { status, headers } = await fetch(`${server().origin}/api/mcp`);
    expect(status).toBe(405);
    expectHeaders(headers, isSecure);
  });
});
