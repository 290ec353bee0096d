import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signIn, type Browser } from '../harness/clients/browser.ts';
import type { Reply } from '../harness/clients/client.ts';
import { expectError } from '../harness/clients/envelope.ts';
import { addPerson, createTestOrg, type Person, type TestOrg } from '../harness/factories.ts';
import { connectRaw, format, type RawRequest } from '../harness/clients/raw-http.ts';
import { createCallerWatch } from '../harness/counting/watched-database.ts';
import { useTestServer } from '../harness/processes/use-test-server.ts';

const server = useTestServer({ authorityMaxAgeMs: 0 });
const { call } = server;
let org: TestOrg;
let admin: Person;
let browser: Browser;
let callerLookedUp: () => Promise<void>;

beforeAll(async () => {
  callerLookedUp = createCallerWatch(server.db);
});

beforeEach(async () => {
  org = await createTestOrg(server.db);
  admin = await addPerson(server.db, org.orgId, 'ADMIN');
  browser = await signIn(server, admin.email);
});

type JsonRequest = Omit<RawRequest, 'body'> & { body: object };

/** The head, then `change` once the caller was admitted, then the body. */
async function sendInTwo(request: JsonRequest, change: () => Promise<unknown>): Promise<Reply> {
  const body = Buffer.from(JSON.stringify(request.body));
  const headers = ['Content-Type: application/json', ...(request.headers ?? [])];
  const bytes = format({ method: 'POST', ...request, headers, body });
  // The MCP endpoint accepts only its own names.
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

  it('403: the remaining rights decide; a former OWNER who is now an ADMIN cannot demote an OWNER', async () => {
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
