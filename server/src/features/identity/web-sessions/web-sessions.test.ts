import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { browserWith, cookieOf, signIn } from '../../../../test/harness/clients/browser.ts';
import { expectError } from '../../../../test/harness/clients/envelope.ts';
import { createTestOrg, type TestOrg } from '../../../../test/harness/factories.ts';
import { startTestServer, type TestServer } from '../../../../test/harness/processes/server.ts';
import { describeDevice } from './device.ts';
import { purgeSessions } from './store.ts';

let server: TestServer;
let other: TestServer;
let org: TestOrg;

beforeAll(async () => {
  server = await startTestServer();
  // Another process on the same database.
  const shared = { db: server.db, url: undefined, drop: async () => {} };
  other = await startTestServer({ shared });
  org = await createTestOrg(server.db);
});
afterAll(async () => {
  await other.stop();
  await server.stop();
});

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

describe('GET /web/sessions', () => {
  it('200: where this person is signed in, most recently used first, each with a description', async () => {
    const first = await signIn(server, org.owner.email, { userAgent: FIREFOX });
    const second = await signIn(server, org.owner.email, { userAgent: 'curl/8' });
    await signIn(server, org.admin.email);
    const reply = await second.call('GET', '/web/sessions');
    expect(reply.json.data.total).toBe(2);
    expect(reply.json.data.items).toEqual([
      expect.objectContaining({ device: 'A browser', userAgent: 'curl/8', current: true }),
      {
        id: expect.stringMatching(/^c[a-z0-9]{24}$/),
        device: 'Firefox on Linux',
        userAgent: FIREFOX,
        createdAt: expect.any(String),
        lastSeenAt: expect.any(String),
        expiresAt: expect.any(String),
        current: false,
      },
    ]);
    const { createdAt, expiresAt } = reply.json.data.items[1];
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(30 * 24 * 60 * 60_000);
    expect(reply.text).not.toContain(first.cookie.split('=')[1]);
  });

  it('401: no cookie, an unknown one, an expired one, two of them, a key', async () => {
    const expired = await signIn(server, org.member.email);
    await server.db.query('UPDATE web_sessions SET expires_at = now() WHERE user_id = $1', [
      org.member.userId,
    ]);
    const good = await signIn(server, org.member.email);
    const unknown = `atrium_session=${'x'.repeat(43)}`;
    const cookies = [
      '',
      unknown,
      'atrium_session=',
      expired.cookie,
      `${good.cookie}; ${unknown}`,
      `${good.cookie}; ${good.cookie}`,
      good.cookie.replace('atrium_session', 'Atrium_session'),
    ];
    for (const cookie of cookies) {
      for (const path of ['/web/sessions', '/api/projects']) {
        expectError(await browserWith(server, cookie).call('GET', path), 'AUTH_ERROR');
      }
    }
    expectError(await good.call('GET', '/web/sessions', org.member), 'AUTH_ERROR');
    const among = `a=b; ${good.cookie}; atrium_session_x=y`;
    expect((await browserWith(server, among).call('GET', '/web/sessions')).status).toBe(200);
  });
});

describe('DELETE /web/sessions/{id}', () => {
  it('204: ends it on every process immediately', async () => {
    const [mine, lost] = [
      await signIn(server, org.admin.email),
      await signIn(other, org.admin.email, { userAgent: 'lost' }),
    ];
    expect((await lost.call('GET', '/api/projects')).status).toBe(200);
    const { items } = (await mine.call('GET', '/web/sessions')).json.data;
    const { id } = items.find((item: { userAgent: string }) => item.userAgent === 'lost');
    expect((await mine.call('DELETE', `/web/sessions/${id}`)).status).toBe(204);
    expect((await lost.call('GET', '/api/projects')).status).toBe(401);
    expectError(await mine.call('DELETE', `/web/sessions/${id}`), 'NOT_FOUND');
    expect((await mine.call('GET', '/web/profile')).status).toBe(200);
  });

  it("404: another person's, unknown, malformed", async () => {
    const [mine, theirs] = [
      await signIn(server, org.admin.email),
      await signIn(server, org.owner.email),
    ];
    const { items } = (await theirs.call('GET', '/web/sessions')).json.data;
    const { id } = items.find((item: { current: boolean }) => item.current);
    for (const sessionId of [id, `c${'a'.repeat(24)}`, 'x']) {
      expectError(await mine.call('DELETE', `/web/sessions/${sessionId}`), 'NOT_FOUND');
    }
    expect((await theirs.call('GET', '/web/profile')).status).toBe(200);
  });
});

describe('POST /web/sign-out', () => {
  it('204: ends the session on every process, and clears the cookie', async () => {
    const browser = await signIn(server, org.owner.email);
    const elsewhere = browserWith(other, browser.cookie);
    expect((await elsewhere.call('GET', '/web/profile')).status).toBe(200);
    const reply = await browser.call('POST', '/web/sign-out');
    expect(reply.status).toBe(204);
    const flags = reply.headers.getSetCookie()[0]?.split('; ');
    expect(flags).toEqual(['atrium_session=', 'Path=/', 'Max-Age=0', 'HttpOnly', 'SameSite=Lax']);
    expect((await elsewhere.call('GET', '/web/profile')).status).toBe(401);
    expect((await elsewhere.call('GET', '/api/projects')).status).toBe(401);
  });

  it('204: also for somebody who is not signed in', async () => {
    for (const cookie of ['', `atrium_session=${'x'.repeat(43)}`]) {
      const reply = await browserWith(server, cookie).call('POST', '/web/sign-out');
      expect([reply.status, cookieOf(reply)]).toEqual([204, 'atrium_session=']);
    }
  });
});

describe('a session', () => {
  it('is extended by each use, and starting the app renews the cookie, once a day', async () => {
    const browser = await signIn(server, org.admin.email, { userAgent: 'sliding' });
    const renewed = async () => cookieOf(await browser.call('GET', '/web/profile'));
    expect(await renewed()).toBeUndefined();
    await server.db.query(
      `UPDATE web_sessions SET last_seen_at = now() - interval '2 days',
         created_at = now() - interval '2 days',
         expires_at = now() + interval '1 day' WHERE user_agent = 'sliding'`,
    );
    expect(await renewed()).toBe(browser.cookie);
    expect(await renewed()).toBeUndefined();
    await vi.waitFor(async () => {
      const [row] = await server.db.query<{ days: number; seen: boolean }>(
        `SELECT extract(epoch FROM expires_at - now())::int / 86400 AS days,
           last_seen_at > now() - interval '1 minute' AS seen
         FROM web_sessions WHERE user_agent = 'sliding'`,
      );
      expect(row?.days).toBeGreaterThanOrEqual(29);
      expect(row?.seen).toBe(true);
    });
  });

  it('that has expired is purged, and no other', async () => {
    const live = await signIn(server, org.admin.email);
    await signIn(server, org.admin.email, { userAgent: 'over' });
    // Not now(): it is rounded to a millisecond, which may not have passed.
    await server.db.query(
      `UPDATE web_sessions SET expires_at = now() - interval '1 second' WHERE user_agent = 'over'`,
    );
    expect(await purgeSessions(server.db)).toBeGreaterThanOrEqual(1);
    const left = await server.db.query(`SELECT 1 AS x FROM web_sessions WHERE user_agent = 'over'`);
    expect(left).toEqual([]);
    expect((await live.call('GET', '/web/profile')).status).toBe(200);
  });
});

describe('the description of a device', () => {
  const AGENT = 'Mozilla/5.0';
  it.each([
    [FIREFOX, 'Firefox on Linux'],
    [
      `${AGENT} (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36 Edg/140.0`,
      'Edge on Windows',
    ],
    [
      `${AGENT} (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15`,
      'Safari on macOS',
    ],
    [
      `${AGENT} (iPhone; CPU iPhone OS 18_0 like Mac OS X) CriOS/140 Safari/604.1`,
      'Chrome on iPhone',
    ],
    [`${AGENT} (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36`, 'Chrome on Android'],
    ['', 'A browser'],
  ])('%s', (agent, words) => {
    expect(describeDevice(agent)).toBe(words);
  });
});
