import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  browserWith,
  cookieOf,
  signIn,
  type Browser,
} from '../../../../test/harness/clients/browser.ts';
import { dataOf, expectError, problemsOf } from '../../../../test/harness/clients/envelope.ts';
import { createTestOrg, keyWithScopes, type Person } from '../../../../test/harness/factories.ts';
import { startTestServer } from '../../../../test/harness/processes/server.ts';
import { useMailServer } from '../../../../test/harness/outside/use-mail-server.ts';

const server = useMailServer();
let person: Person;
let browser: Browser;

beforeEach(async () => {
  ({ person, browser } = await server.signInSomeone());
});

/** A session from an old sign-in link, like a stolen cookie or a browser left open. */
async function makeStale(): Promise<void> {
  await server.db.query(
    `UPDATE web_sessions SET created_at = now() - interval '10 minutes' WHERE user_id = $1`,
    [person.userId],
  );
}

describe('GET /web/signed-in', () => {
  it('200: the profile of the signed-in person, with both cookies renewed', async () => {
    await server.db.query(
      `UPDATE web_sessions SET created_at = now() - interval '1 day' WHERE user_id = $1`,
      [person.userId],
    );
    const reply = await browser.call('GET', '/web/signed-in');
    expect(dataOf(reply, 200).profile).toEqual(
      (await browser.call('GET', '/web/profile')).json.data,
    );
    expect(cookieOf(reply)).toBe(browser.cookie);
    expect(reply.headers.getSetCookie()[1]).toMatch(/^atrium_device=/);
  });

  it('200: a response that comes late does not replace the cookie of a newer sign-in', async () => {
    const [first, second] = [
      await browser.call('GET', '/web/signed-in'),
      await browser.call('GET', '/web/signed-in'),
    ];
    for (const { headers } of [first, second]) {
      expect(headers.getSetCookie().filter((line) => line.startsWith('atrium_session'))).toEqual(
        [],
      );
    }
  });

  it('200: null without a cookie, with an unknown cookie, and with an ended session', async () => {
    const ended = await signIn(server, person.email);
    await ended.call('POST', '/web/sign-out');
    for (const cookie of ['', `atrium_session=${'x'.repeat(43)}`, ended.cookie]) {
      const reply = await browserWith(server, cookie).call('GET', '/web/signed-in');
      expect([reply.status, reply.json.data]).toEqual([200, { profile: null }]);
      expect(reply.headers.getSetCookie()).toEqual([]);
    }
  });
});

describe('/web/profile', () => {
  it('200: the signed-in person, and their orgs', async () => {
    const { json } = await browser.call('GET', '/web/profile');
    expect(json.data).toEqual({
      userId: person.userId,
      email: person.email,
      name: person.email.split('@')[0],
      hasPassword: false,
      orgs: [{ id: server.org.orgId, name: expect.any(String), role: 'MEMBER' }],
      lastOrgId: server.org.orgId,
    });
  });

  it('200: a name is trimmed and stored; an empty PATCH changes nothing', async () => {
    const renamed = await browser.call('PATCH', '/web/profile', { body: { name: '  Ada ' } });
    expect(renamed.json.data.name).toBe('Ada');
    expect((await browser.call('PATCH', '/web/profile')).json.data.name).toBe('Ada');
    expect((await browser.call('GET', '/api/me')).json.data.name).toBe('Ada');
  });

  it('400: an empty name, and an address, which is changed elsewhere', async () => {
    const body = { name: ' ', email: 'x@example.com' };
    expect(problemsOf(await browser.call('PATCH', '/web/profile', { body }))).toEqual([
      'body.name required',
      'body.email unknown_field',
    ]);
  });
});

describe('PUT /web/password', () => {
  const put = (body: object, by = browser) => by.call('PUT', '/web/password', { body });
  const PASSWORD = 'correct horse battery';
  const works = async (password: string) => {
    const body = { email: person.email, password };
    return (await browserWith(server).call('POST', '/web/sign-in', { body })).status === 200;
  };

  it('200: sets the first one, and ends the other sessions', async () => {
    const elsewhere = await signIn(server, person.email);
    expect((await put({ password: PASSWORD })).status).toBe(200);
    expect((await elsewhere.call('GET', '/web/profile')).status).toBe(401);
    const { json } = await browser.call('GET', '/web/profile');
    expect(json.data.hasPassword).toBe(true);
    expect(await works(PASSWORD)).toBe(true);
  });

  it('403 fresh_sign_in: a stolen session cannot set a first password', async () => {
    await makeStale();
    for (const body of [{}, { currentPassword: 'a guess' }]) {
      const reply = await put({ password: PASSWORD, ...body });
      expect(expectError(reply, 'FORBIDDEN')).toEqual({ reason: 'fresh_sign_in' });
    }
    expect((await browser.call('GET', '/web/profile')).json.data.hasPassword).toBe(false);
    expect(await works(PASSWORD)).toBe(false);
  });

  it('403, 400: the current one is missing or wrong, and nothing changes', async () => {
    await put({ password: PASSWORD });
    await makeStale();
    const elsewhere = await signIn(server, person.email);
    const missing = await put({ password: 'another password' });
    expect(expectError(missing, 'FORBIDDEN')).toEqual({ reason: 'fresh_sign_in' });
    const wrong = await put({ password: 'another password', currentPassword: 'wrong' });
    expect(problemsOf(wrong)).toEqual(['body.currentPassword wrong_password']);
    expect((await elsewhere.call('GET', '/web/profile')).status).toBe(200);
    expect(await works(PASSWORD)).toBe(true);
    const right = await put({ password: 'another password', currentPassword: PASSWORD });
    expect(right.status).toBe(200);
    expect([await works(PASSWORD), await works('another password')]).toEqual([false, true]);
  });

  it('200: without the current one up to 10 minutes after a sign-in link, and no longer', async () => {
    await put({ password: PASSWORD });
    const linked = await signIn(server, person.email, { openedByLink: true });
    expect((await put({ password: 'another password' }, linked)).status).toBe(200);
    await makeStale();
    expect((await put({ password: 'yet another one' }, linked)).status).toBe(403);
  });

  it('429: guesses at the current one are limited, for this session only', async () => {
    const shared = { db: server.db, url: undefined, drop: async () => {} };
    const limited = await startTestServer({ shared, env: { RATE_LIMIT_SIGN_INS: '8' } });
    onTestFinished(() => limited.stop());
    await put({ password: PASSWORD });
    const own = await signIn(limited, person.email);
    const stolen = await signIn(limited, person.email);
    const guess = (currentPassword: string, by: Browser) =>
      put({ password: 'another password', currentPassword }, by);
    const statuses = [];
    for (let at = 0; at < 3; at++) statuses.push((await guess('wrong', stolen)).status);
    expect(statuses).toEqual([400, 400, 429]);
    expect((await guess(PASSWORD, own)).status).toBe(200);
  });

  it('200: revokes the person’s keys in every org if asked to, says how many, and is in the audit log', async () => {
    const other = await createTestOrg(server.db);
    await server.db.query(
      `INSERT INTO memberships (org_id, user_id, role) VALUES ($1, $2, 'MEMBER')`,
      [other.orgId, person.userId],
    );
    const elsewhere = await keyWithScopes(server.db, other.orgId, person.userId, ['org:read']);
    const status = async (key: string) => (await server.call('GET', '/api/me', { key })).status;
    const kept = await put({ password: PASSWORD });
    expect(kept.json.data).toEqual({ revokedKeys: 0 });
    expect([await status(person.key), await status(elsewhere.key)]).toEqual([200, 200]);
    const revoked = await put({ password: 'another password', revokeKeys: true });
    expect(revoked.json.data).toEqual({ revokedKeys: 2 });
    expect([await status(person.key), await status(elsewhere.key)]).toEqual([401, 401]);
    expect([await status(other.member.key), await status(server.org.member.key)]).toEqual([
      200, 200,
    ]);
    const log = await server.call(
      'GET',
      `/api/org/${other.orgId}/audit?action=key.revoked`,
      other.owner,
    );
    expect(log.json.data.items).toMatchObject([
      {
        actorUserId: person.userId,
        resourceId: elsewhere.keyId,
        details: { reason: 'password_changed' },
      },
    ]);
  });

  it('400: shorter than 10 characters, longer than 200', async () => {
    expect(problemsOf(await put({ password: 'x'.repeat(9) }))).toEqual(['body.password too_short']);
    expect(problemsOf(await put({ password: 'x'.repeat(201) }))).toEqual([
      'body.password too_long',
    ]);
    expect((await put({ password: '🔑'.repeat(200) })).status).toBe(200);
  });
});
