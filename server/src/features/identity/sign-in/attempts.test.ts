import { createHook } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserWith, signIn } from '../../../../test/harness/clients/browser.ts';
import { expectError } from '../../../../test/harness/clients/envelope.ts';
import { startTestServer, type TestServer } from '../../../../test/harness/processes/server.ts';
import { useServerWithOrg } from '../../../../test/harness/processes/use-test-org.ts';
import { hashPassword, isPassword } from './passwords.ts';

const PASSWORD = 'correct horse battery';

const { server, org } = useServerWithOrg();

beforeAll(async () => {
  const { call } = await signIn(server, org.owner.email, { openedByLink: true });
  expect((await call('PUT', '/web/password', { body: { password: PASSWORD } })).status).toBe(200);
});

const tryPassword = (email: string, password: string, at = server) =>
  browserWith(at).call('POST', '/web/sign-in', { body: { email, password } });

/** How often argon2 runs meanwhile. Its tasks are the only ones without a name. */
async function countHashing(run: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const hook = createHook({ init: (_id, type) => void (type === 'undefined' && count++) });
  hook.enable();
  await run();
  hook.disable();
  return count;
}

describe('POST /web/sign-in with a password', () => {
  it('200: signs in, ignoring the case of the address', async () => {
    const reply = await tryPassword(org.owner.email.toUpperCase(), PASSWORD);
    expect(reply.json.data).toMatchObject({ userId: org.owner.userId, hasPassword: true });
    expect(reply.headers.getSetCookie()).toHaveLength(2);
  });

  it('401: a wrong password, a person without one, an unknown address: the same response', async () => {
    const replies = [
      await tryPassword(org.owner.email, `${PASSWORD}!`),
      await tryPassword(org.member.email, PASSWORD),
      await tryPassword('nobody@example.com', PASSWORD),
    ];
    for (const reply of replies) {
      expectError(reply, 'AUTH_ERROR');
      expect(reply.json.error).toEqual(replies[0]?.json.error);
      expect(reply.headers.getSetCookie()).toEqual([]);
    }
  });

  it('401 takes one comparison, for unknown addresses too', async () => {
    await isPassword(null, 'a first one, which also makes the hash of nobody');
    for (const email of [org.owner.email, org.member.email, 'nobody@example.com']) {
      expect(await countHashing(() => tryPassword(email, 'wrong')), email).toBe(1);
    }
  });

  it('an unknown address is compared with a hash as strong as real ones', async () => {
    const compared: string[] = [];
    const compare = (hash: unknown) => Promise.resolve(compared.push(String(hash)) === 0);
    for (const hash of [await hashPassword(PASSWORD), null, undefined]) {
      await isPassword(hash, 'wrong', compare);
    }
    const strengths = compared.map((hash) => hash.split('$').slice(1, 4).join());
    expect(strengths).toEqual(Array(3).fill('argon2id,v=19,m=19456,t=2,p=1'));
  });

  it('passwords are stored as argon2id, as strong as OWASP recommends', async () => {
    const [row] = await server.db.query<{ hash: string }>(
      'SELECT password_hash AS hash FROM users WHERE id = $1',
      [org.owner.userId],
    );
    expect(row?.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('two ways to type the same letters are the same password', async () => {
    const hash = await hashPassword('Ångström-straße');
    expect(await isPassword(hash, 'Ångström-straße'.normalize('NFD'))).toBe(true);
  });
});

describe('429', () => {
  let limited: TestServer;

  beforeAll(async () => {
    const env = { RATE_LIMIT_SIGN_INS: '8', TRUST_PROXY: 'true' };
    const shared = { db: server.db, url: undefined, drop: async () => {} };
    limited = await startTestServer({ env, shared });
  });
  afterAll(() => limited.stop());

  const send = (path: string, body: object, ip: string) =>
    browserWith(limited).call('POST', path, { body, headers: { 'x-forwarded-for': ip } });

  it.each([
    ['/web/sign-in-links', 'links'],
    ['/web/sign-in', 'passwords'],
  ])(
    '%s: a quarter of the limit for one address from one client, known or not',
    async (path, of) => {
      for (const name of [org.admin.email, 'unknown@example.com']) {
        const attempt = (ip: string, email = name) =>
          send(path, { email, ...(of === 'passwords' && { password: 'wrong' }) }, ip);
        const statuses = [];
        for (let at = 0; at < 3; at++) statuses.push((await attempt('10.1.0.1')).status);
        const tried = of === 'passwords' ? 401 : 200;
        expect(statuses).toEqual([tried, tried, 429]);
        const refused = await attempt('10.1.0.1', name.toUpperCase());
        expectError(refused, 'RATE_LIMIT');
        const seconds = Number(refused.headers.get('retry-after'));
        expect(seconds).toBeGreaterThan(14 * 60);
        expect(seconds).toBeLessThanOrEqual(15 * 60);
        expect(refused.json.error.details).toEqual({ limit: 2, kind: 'sign-in' });
        expect((await attempt('10.1.0.2')).status).toBe(tried);
      }
    },
  );

  it('a client has the whole limit, over any number of addresses; others are not affected', async () => {
    const attempt = (at: number, ip: string) =>
      send('/web/sign-in', { email: `p${at}@example.com`, password: 'wrong' }, ip);
    const statuses = [];
    for (let at = 0; at < 10; at++) statuses.push((await attempt(at, '10.2.0.1')).status);
    expect(statuses).toEqual([...Array.from({ length: 8 }, () => 401), 429, 429]);
    expect((await attempt(99, '10.2.0.2')).status).toBe(401);
  });

  it('the right password does not help a client that has reached its limit', async () => {
    const { email } = org.owner;
    const attempt = (password: string, ip: string) => send('/web/sign-in', { email, password }, ip);
    for (let at = 0; at < 2; at++) await attempt('wrong', '10.3.0.1');
    expect((await attempt(PASSWORD, '10.3.0.1')).status).toBe(429);
    // Guesses from elsewhere do not lock the address.
    expect((await attempt(PASSWORD, '10.3.0.2')).status).toBe(200);
  });

  it('right passwords do not count', async () => {
    const body = { email: org.owner.email, password: PASSWORD };
    for (let at = 0; at < 10; at++) {
      expect((await send('/web/sign-in', body, '10.4.0.1')).status).toBe(200);
    }
  });

  it('whatever addresses a client sends in the header, the one added by the proxy counts', async () => {
    const statuses = [];
    for (let at = 0; at < 9; at++) {
      const body = { email: `forwarded${at}@example.com` };
      statuses.push((await send('/web/sign-in-links', body, `10.5.9.${at}, 10.5.0.1`)).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 8 }, () => 200), 429]);
  });

  it('the addresses of one IPv6 network are one client', async () => {
    const attempt = (ip: string) =>
      send('/web/sign-in', { email: 'six@example.com', password: 'wrong' }, ip);
    const statuses = [];
    for (let at = 1; at < 4; at++)
      statuses.push((await attempt(`2001:db8:0:1:${at}::${at}`)).status);
    expect(statuses).toEqual([401, 401, 429]);
    expect((await attempt('2001:db8:0:2::1')).status).toBe(401);
    for (let at = 0; at < 2; at++) await attempt('::ffff:10.6.0.1');
    expect((await attempt('10.6.0.1')).status).toBe(429);
  });
});

describe.skipIf(!process.env['TEST_REDIS_URL'])('limits on attempts', () => {
  const REDIS_URL = process.env['TEST_REDIS_URL'] ?? '';
  // Redis still has the counts of earlier runs.
  const headers = { 'x-forwarded-for': `fd00:${randomBytes(2).toString('hex')}::1` };
  let both: TestServer[];

  beforeAll(async () => {
    const env = { RATE_LIMIT_SIGN_INS: '16', REDIS_URL, TRUST_PROXY: 'true' };
    const shared = { db: server.db, url: undefined, drop: async () => {} };
    both = [await startTestServer({ env, shared }), await startTestServer({ env, shared })];
  });
  afterAll(async () => {
    for (const one of both) await one.stop();
  });

  async function statusesOf(path: string, bodies: object[]): Promise<number[]> {
    const statuses = [];
    for (const [at, body] of bodies.entries()) {
      const page = browserWith(both[at % 2] as TestServer);
      statuses.push((await page.call('POST', path, { body, headers })).status);
    }
    return statuses;
  }

  it('count across all processes', async () => {
    const body = { email: `redis${Math.random()}@example.com` };
    const bodies = Array.from({ length: 6 }, () => body);
    expect(await statusesOf('/web/sign-in-links', bodies)).toEqual([200, 200, 200, 200, 429, 429]);
  });

  it('count wrong passwords across all processes, and right ones not at all', async () => {
    const right = { email: org.owner.email, password: PASSWORD };
    const wrong = { ...right, password: 'wrong' };
    const bodies = [...Array.from({ length: 6 }, () => right), wrong, wrong, wrong, wrong, right];
    expect(await statusesOf('/web/sign-in', bodies)).toEqual([
      ...Array.from({ length: 6 }, () => 200),
      ...Array.from({ length: 4 }, () => 401),
      429,
    ]);
  });
});
