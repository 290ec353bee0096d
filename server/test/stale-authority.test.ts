import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { withTransaction } from '../src/context.ts';
import { defineRoute } from '../src/http/route.ts';
import { ROUTES, WEB_ROUTES } from '../src/surfaces.ts';
import { signIn, type Browser } from './harness/browser.ts';
import { createCaller, type Call, type Reply } from './harness/client.ts';
import { expectError } from './harness/envelope.ts';
import { addPerson, createTestOrg, type Person, type TestOrg } from './harness/factories.ts';
import { connectRaw, format, type RawRequest } from './harness/raw-http.ts';
import { startTestServer, type TestServer } from './harness/server.ts';

/** Where the routes below wait until the test lets them go on, and what they did. */
const stage = { reached: Promise.withResolvers<void>(), gate: Promise.withResolvers<void>() };
const done: string[] = [];

async function wait(): Promise<void> {
  stage.reached.resolve();
  await stage.gate.promise;
}

const common = {
  tag: 'Test',
  method: 'POST',
  summary: '',
  description: '',
  auth: 'user',
  roles: ['OWNER', 'ADMIN'],
  scope: 'projects:write',
  limit: 'write',
  request: {},
  status: 200,
  response: z.object({ role: z.string() }),
} as const;
const preparing = defineRoute({
  ...common,
  operationId: 'testPreparing',
  path: '/test/preparing',
  async prepare({ actor }) {
    await wait();
    return actor.role;
  },
  handler: async ({ actor }, _input, preparedAs) => {
    done.push(`${preparedAs} ${actor.role}`);
    return { role: actor.role };
  },
});
const transacting = defineRoute({
  ...common,
  operationId: 'testTransacting',
  path: '/test/transacting',
  handler: async (ctx) => {
    await wait();
    return withTransaction(ctx, async ({ actor }) => {
      done.push(actor.role);
      return { role: actor.role };
    });
  },
});
const callingOut = defineRoute({
  ...common,
  operationId: 'testCallingOut',
  path: '/test/calling-out',
  async callOut() {
    done.push('called');
    await wait();
  },
  handler: async ({ actor }) => {
    done.push('recorded');
    return { role: actor.role };
  },
});

let server: TestServer;
let call: Call;
let org: TestOrg;
let admin: Person;
let browser: Browser;

beforeAll(async () => {
  const routes = [...ROUTES, ...WEB_ROUTES, preparing, transacting, callingOut];
  server = await startTestServer({ routes, authorityMaxAgeMs: 0 });
  call = createCaller(server.origin);
});
afterAll(() => server.stop());

beforeEach(async () => {
  org = await createTestOrg(server.db);
  admin = await addPerson(server.db, org.orgId, 'ADMIN');
  browser = await signIn(server, admin.email);
  stage.reached = Promise.withResolvers();
  stage.gate = Promise.withResolvers();
  done.length = 0;
});

/** Settles when the next caller was looked up: the server has not seen what changes from then on. */
function callerLookedUp(): Promise<void> {
  const { db } = server;
  const { query } = db;
  const { promise, resolve } = Promise.withResolvers<void>();
  db.query = async <Row extends object>(text: string, values?: readonly unknown[]) => {
    const rows = await query<Row>(text, values);
    if (/FROM api_keys k|JOIN web_sessions/.test(text)) {
      db.query = query;
      resolve();
    }
    return rows;
  };
  return promise;
}

type JsonRequest = Omit<RawRequest, 'body'> & { body: object };

/** The head, then `change` once the caller was admitted, then the body. */
async function sendInTwo(request: JsonRequest, change: () => Promise<unknown>): Promise<Reply> {
  const body = Buffer.from(JSON.stringify(request.body));
  const headers = ['Content-Type: application/json', ...(request.headers ?? [])];
  const bytes = format({ method: 'POST', ...request, headers, body });
  // The MCP endpoint answers to names of its own only.
  const head = bytes
    .subarray(0, -body.length)
    .toString()
    .replace('Host: atrium', 'Host: localhost');
  const connection = await connectRaw(server.origin);
  const admitted = callerLookedUp();
  connection.send(head);
  await admitted;
  await change();
  connection.send(body);
  try {
    return await connection.reply();
  } finally {
    connection.destroy();
  }
}

const sql = (text: string, values: unknown[]) => server.db.query(text, values);
const removeAdmin = async () =>
  expect(
    (
      await call('DELETE', `/api/org/${org.orgId}/members/${admin.userId}`, {
        key: org.owner.key,
      })
    ).status,
  ).toBe(204);
const setRole = (userId: string, role: string) =>
  sql('UPDATE memberships SET role = $3 WHERE org_id = $1 AND user_id = $2', [
    org.orgId,
    userId,
    role,
  ]);
const narrow = () => sql("UPDATE api_keys SET scopes = '{org:read}' WHERE id = $1", [admin.keyId]);
const revoke = async () =>
  expect(
    (await call('DELETE', `/api/keys/${admin.keyId}`, { key: admin.key })).status,
  ).toBeLessThan(300);
const revokeOrgKeys = () =>
  sql('UPDATE api_keys SET revoked_at = now() WHERE org_id = $1 AND user_id IS NULL', [org.orgId]);
const signOut = async () => expect((await browser.call('POST', '/web/sign-out')).status).toBe(204);
const cookieHeaders = () => [`Cookie: ${browser.cookie}`, `Origin: ${server.origin}`];

async function countRows(): Promise<number> {
  const [row] = await server.db.query<{ count: string }>(
    `SELECT (SELECT count(*) FROM projects) + (SELECT count(*) FROM memories) +
       (SELECT count(*) FROM api_keys) + (SELECT count(*) FROM invitations) +
       (SELECT count(*) FROM idempotency_keys) + (SELECT count(*) FROM jobs) AS count`,
  );
  return Number(row?.count);
}

describe('rights that end between the head and the body of a request', () => {
  interface Case {
    request: () => JsonRequest;
    change: () => Promise<unknown>;
    /** The code and, with 403, the reason. */
    answer: [code: 'AUTH_ERROR' | 'FORBIDDEN', reason?: string];
  }
  const byKey = (path: string, body: object): Case['request'] => {
    return () => ({
      path: path.replace('ORG', org.orgId),
      key: admin.key,
      body,
    });
  };
  const byCookie = (path: string, body: object, more: string[] = []): Case['request'] => {
    return () => ({
      path: path.replace('ORG', org.orgId),
      headers: [...cookieHeaders(), ...more.map((line) => line.replace('ORG', org.orgId))],
      body,
    });
  };
  const newKey = { name: 'Late', scopes: ['projects:read'] };
  const newMemory = { content: 'Late', visibility: 'ORG' };
  const invitation = { email: 'late@example.com', role: 'MEMBER' };

  it.each<[string, Case]>([
    [
      '401: POST /keys, the key revoked',
      { request: byKey('/api/keys', newKey), change: revoke, answer: ['AUTH_ERROR'] },
    ],
    [
      '401: POST /org/{orgId}/api-keys, the caller removed',
      {
        request: byKey('/api/org/ORG/api-keys', { name: 'Late' }),
        change: removeAdmin,
        answer: ['AUTH_ERROR'],
      },
    ],
    [
      '403: an invitation, the caller demoted',
      {
        request: byKey('/api/org/ORG/invitations', invitation),
        change: () => setRole(admin.userId, 'MEMBER'),
        answer: ['FORBIDDEN', 'role'],
      },
    ],
    [
      "403: POST /projects, the key's scopes narrowed",
      {
        request: byKey('/api/projects', { name: 'Late' }),
        change: narrow,
        answer: ['FORBIDDEN', 'missing_scope'],
      },
    ],
    [
      '401: with an Idempotency-Key',
      {
        request: () => ({
          ...byKey('/api/projects', { name: 'Late' })(),
          headers: ['Idempotency-Key: late'],
        }),
        change: revoke,
        answer: ['AUTH_ERROR'],
      },
    ],
    [
      '401 before 400: the body is wrong too',
      {
        request: byKey('/api/projects', { nonsense: true }),
        change: revoke,
        answer: ['AUTH_ERROR'],
      },
    ],
    [
      '401: a v1 key',
      {
        request: () => ({ ...byKey('/api/v1/memories', newMemory)(), key: org.orgKey }),
        change: revokeOrgKeys,
        answer: ['AUTH_ERROR'],
      },
    ],
    [
      '403: a cookie, removed from the org that is named',
      {
        request: byCookie('/api/projects', { name: 'Late' }, ['Atrium-Org: ORG']),
        change: removeAdmin,
        answer: ['FORBIDDEN', 'wrong_org'],
      },
    ],
    [
      '403: a cookie, removed from the org last used',
      {
        request: byCookie('/api/projects', { name: 'Late' }),
        change: removeAdmin,
        answer: ['FORBIDDEN', 'wrong_org'],
      },
    ],
    [
      '401: a cookie, signed out',
      {
        request: byCookie('/api/projects', { name: 'Late' }),
        change: signOut,
        answer: ['AUTH_ERROR'],
      },
    ],
    [
      '401: a route of the browser, signed out',
      {
        request: () => ({
          ...byCookie('/web/password', { password: 'a password that is long' })(),
          method: 'PUT',
        }),
        change: signOut,
        answer: ['AUTH_ERROR'],
      },
    ],
    [
      '401: a tool of the MCP endpoint',
      {
        request: byKey('/api/mcp', {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'add_memory', arguments: newMemory },
        }),
        change: revoke,
        answer: ['AUTH_ERROR'],
      },
    ],
  ])('%s', async (_title, { request, change, answer: [code, reason] }) => {
    let before = 0;
    const reply = await sendInTwo(request(), async () => {
      await change();
      before = await countRows();
    });
    const details = expectError(reply, code);
    expect(details['reason']).toBe(reason);
    expect(await countRows()).toBe(before);
  });

  it('201: nothing changed', async () => {
    const reply = await sendInTwo(
      byKey('/api/projects', { name: 'Still allowed' })(),
      async () => {},
    );
    expect(reply.status).toBe(201);
  });

  it('403: what is left decides; an OWNER who is an ADMIN by now cannot demote an OWNER', async () => {
    const other = await addPerson(server.db, org.orgId, 'OWNER');
    const reply = await sendInTwo(
      {
        method: 'PATCH',
        path: `/api/org/${org.orgId}/members/${other.userId}`,
        key: org.owner.key,
        body: { role: 'MEMBER' },
      },
      () => setRole(org.owner.userId, 'ADMIN'),
    );
    expectError(reply, 'FORBIDDEN');
  });

  it('201: an org that was switched meanwhile is not written to', async () => {
    const second = await createTestOrg(server.db);
    await sql("INSERT INTO memberships (org_id, user_id, role) VALUES ($1, $2, 'ADMIN')", [
      second.orgId,
      admin.userId,
    ]);
    const reply = await sendInTwo(byCookie('/api/projects', { name: 'First org' })(), () =>
      sql('UPDATE users SET last_org_id = $2 WHERE id = $1', [admin.userId, second.orgId]),
    );
    expect(reply.status, reply.text).toBe(201);
    const rows = await server.db.query<{ orgId: string }>(
      'SELECT org_id AS "orgId" FROM projects WHERE id = $1',
      [reply.json.data.id],
    );
    expect(rows).toEqual([{ orgId: org.orgId }]);
  });
});

describe('rights that end while a request waits', () => {
  const post = (path: string, { key, idempotencyKey }: { key?: string; idempotencyKey?: string }) =>
    call('POST', `/api/test/${path}`, {
      key: key ?? admin.key,
      headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
    });
  const revokeKey = () =>
    sql('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [admin.keyId]);

  /** Sends it, and once it waits lets `change` happen before it goes on. */
  async function during(reply: Promise<Reply>, change: () => Promise<unknown>): Promise<Reply> {
    await stage.reached.promise;
    await change();
    stage.gate.resolve();
    return reply;
  }

  it.each([
    ['while something slow is prepared', 'preparing'],
    ['while something slow is prepared', 'preparing', randomUUID()],
    ['before its transaction opens', 'transacting'],
  ])('401: %s (%s)', async (_title, path, idempotencyKey?: string) => {
    const reply = post(path, idempotencyKey === undefined ? {} : { idempotencyKey });
    expectError(await during(reply, revokeKey), 'AUTH_ERROR');
    expect(done).toEqual([]);
  });

  it.each([
    ['preparing', ['ADMIN ADMIN']],
    ['transacting', ['ADMIN']],
  ])('200: with the rights that are left, from the start (%s)', async (path, expected) => {
    const reply = post(path, { key: org.owner.key });
    const { json } = await during(reply, () => setRole(org.owner.userId, 'ADMIN'));
    expect(json.data).toEqual({ role: 'ADMIN' });
    expect(done).toEqual(expected);
  });

  it('200: what came of an outside call is recorded; a repetition that waited gets a 401', async () => {
    const idempotencyKey = randomUUID();
    const first = post('calling-out', { idempotencyKey });
    await stage.reached.promise;
    const admitted = callerLookedUp();
    const second = post('calling-out', { idempotencyKey });
    await admitted;
    expect((await during(first, revokeKey)).status).toBe(200);
    expectError(await second, 'AUTH_ERROR');
    expect(done).toEqual(['called', 'recorded']);
  });

  it('401: nor does a repetition run in the place of a first that failed', async () => {
    const idempotencyKey = randomUUID();
    const first = post('preparing', { idempotencyKey });
    await stage.reached.promise;
    const admitted = callerLookedUp();
    const second = post('preparing', { idempotencyKey });
    await admitted;
    expectError(await during(first, revokeKey), 'AUTH_ERROR');
    expectError(await second, 'AUTH_ERROR');
    expect(done).toEqual([]);
  });
});

describe('a request that does not take long', () => {
  it('reads the rights of its caller once', async () => {
    const routes = [...ROUTES, preparing];
    const quick = await startTestServer({ routes, authorityMaxAgeMs: 60_000 });
    try {
      const { owner } = await createTestOrg(quick.db);
      let lookUps = 0;
      const count = (text: string) => void (text.includes('FROM api_keys k') && lookUps++);
      const { query, transaction } = quick.db;
      quick.db.query = (text, values) => (count(text), query(text, values));
      quick.db.transaction = (work) =>
        transaction((tx) => {
          const { query: queryInside } = tx;
          tx.query = (text, values) => (count(text), queryInside.call(tx, text, values) as never);
          return work(tx);
        });
      stage.gate.resolve();
      for (const [path, body] of [
        ['/api/projects', { name: 'Quick' }],
        ['/api/test/preparing', {}],
      ] as const) {
        lookUps = 0;
        const headers = { 'idempotency-key': randomUUID() };
        const reply = await createCaller(quick.origin)('POST', path, {
          key: owner.key,
          body,
          headers,
        });
        expect(reply.status, reply.text).toBeLessThan(300);
        expect(lookUps).toBe(1);
      }
    } finally {
      await quick.stop();
    }
  });
});
