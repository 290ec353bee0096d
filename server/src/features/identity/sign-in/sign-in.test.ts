import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  browserWith,
  cookieOf,
  signIn,
  tokenFor,
} from '../../../../test/harness/clients/browser.ts';
import type { Call } from '../../../../test/harness/clients/client.ts';
import { expectError, problemsOf } from '../../../../test/harness/clients/envelope.ts';
import { useMailServer } from '../../../../test/harness/outside/use-mail-server.ts';
import { useTestOrg } from '../../../../test/harness/processes/use-test-org.ts';
import { createOrg } from '../service.ts';

const server = useMailServer({ PUBLIC_URL: 'https://atrium.example.com' });
const org = useTestOrg(() => server.db);

const call: Call = (method, path, options = {}) =>
  browserWith(server).call(method, path, {
    ...options,
    headers: { origin: 'https://atrium.example.com', ...options.headers },
  });

const ask = (email: string, returnTo?: string) =>
  call('POST', '/web/sign-in-links', { body: { email, ...(returnTo && { returnTo }) } });
const use = (token: string) => call('POST', '/web/sign-in', { body: { token } });

describe('POST /web/sign-in-links', () => {
  it('200: emails a link that signs in, with its secret in the fragment', async () => {
    const { email, userId } = org.member;
    const reply = await ask(email.toUpperCase(), '/spaces/pricing?tab=a&b=c#top');
    expect([reply.status, reply.json.data]).toEqual([200, { email: email.toUpperCase() }]);
    const [sent] = await server.mailTo(email);
    expect(sent?.subject).toBe('Your Atrium sign-in link');
    const link = new URL(/https:\S+/.exec(sent?.text ?? '')?.[0] ?? '');
    expect([link.origin, link.pathname, link.search]).toEqual([
      'https://atrium.example.com',
      '/sign-in',
      '',
    ]);
    expect(String(sent?.html)).toContain(link.href.replaceAll('&', '&amp;'));
    const fragment = new URLSearchParams(link.hash.slice(1));
    expect(fragment.get('returnTo')).toBe('/spaces/pricing?tab=a&b=c#top');
    const token = fragment.get('token') ?? '';
    const signedIn = await use(token);
    expect(signedIn.json.data).toEqual({
      userId,
      email,
      name: email.split('@')[0],
      hasPassword: false,
      orgs: [{ id: org.orgId, name: expect.any(String), role: 'MEMBER' }],
      lastOrgId: org.orgId,
    });
    const stored = await server.db.query<object>(
      `SELECT l.*, (SELECT jsonb_agg(j.*) FROM jobs j) AS jobs FROM sign_in_links l`,
    );
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(server.logLines.join('')).not.toContain(token);
  });

  it('200: an unknown address gets the same response, and no email', async () => {
    const [known, unknown] = [await ask(org.admin.email), await ask('nobody@example.com')];
    const shape = ({ status, json }: typeof known) => [status, Object.keys(json.data)];
    expect(shape(unknown)).toEqual(shape(known));
    expect(await server.mailTo(org.admin.email)).toHaveLength(1);
    expect(await server.mailTo('nobody@example.com')).toEqual([]);
    // Even if somebody guessed its token, there would be no account behind it.
    const token = await tokenFor(server, 'nobody@example.com');
    expectError(await use(token), 'NOT_FOUND');
  });

  it('200: the email goes to the stored address, never to one that only looks like it', async () => {
    const { owner } = await createOrg(server.db, { name: 'K', ownerEmail: 'kim@example.com' });
    const lookalike = '\u212Aim@example.com';
    expect((await ask(lookalike)).json.data).toEqual({ email: lookalike });
    const mails = await server.allMail();
    expect(mails.filter(({ address }) => address.endsWith('im@example.com'))).toEqual([
      { address: 'kim@example.com', subject: 'Your Atrium sign-in link' },
    ]);
    // People who already have such an address still get email at their spelling of it.
    await server.db.query('UPDATE users SET email = $2 WHERE id = $1', [owner.id, lookalike]);
    await ask('kim@example.com');
    expect((await server.allMail()).at(-1)?.address).toBe(lookalike);
  });

  it('400: no address, an unknown field, a returnTo that is not one of our paths', async () => {
    const send = (body: object) => call('POST', '/web/sign-in-links', { body });
    expect(problemsOf(await send({}))).toEqual(['body.email required']);
    expect(problemsOf(await send({ email: 'no', remember: true }))).toHaveLength(2);
    const hostile = [
      '//evil.example',
      String.raw`/\evil.example`,
      'https://evil.example',
      '/a//evil.example',
      '/\t/evil.example',
      '/\u2028//evil.example',
      '/..//evil.example',
      'javascript:alert(1)',
      'evil.example',
      `/${'x'.repeat(2048)}`,
    ];
    for (const returnTo of hostile) {
      const reply = await send({ email: org.member.email, returnTo });
      expect(problemsOf(reply), returnTo).toHaveLength(1);
    }
  });

  it('every accepted returnTo stays on this site, however a browser reads it', async () => {
    const pieces = [
      '/',
      '\\',
      '.',
      ':',
      '@',
      '?',
      '#',
      '%',
      'a',
      ' ',
      '\t',
      '\n',
      '\u2028',
      '%2f',
      '..',
    ];
    const piece = fc.constantFrom(...pieces, 'evil.example');
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (chosen) => {
        const returnTo = chosen.join('');
        if (returnTo === '') return;
        const reply = await ask('property@example.com', returnTo);
        expect([200, 400]).toContain(reply.status);
        if (reply.status === 400) return;
        const there = URL.parse(returnTo, 'https://atrium.example.com');
        expect([there?.origin, there?.pathname.startsWith('//')]).toEqual([
          'https://atrium.example.com',
          false,
        ]);
      }),
      { numRuns: 150 },
    );
  });
});

describe('POST /web/sign-in with a token', () => {
  it('the cookie: HttpOnly, SameSite=Lax, Path=/, 30 days, Secure if PUBLIC_URL is https', async () => {
    await ask(org.owner.email);
    const reply = await use(await tokenFor(server, org.owner.email));
    const [value, ...flags] = reply.headers.getSetCookie()[0]?.split('; ') ?? [];
    expect(value).toMatch(/^atrium_session=[\w-]{43}$/);
    expect(flags.toSorted()).toEqual([
      'HttpOnly',
      'Max-Age=2592000',
      'Path=/',
      'SameSite=Lax',
      'Secure',
    ]);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    const token = value?.split('=')[1] ?? '';
    const stored = await server.db.query<object>('SELECT * FROM web_sessions');
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(server.logLines.join('')).not.toContain(token);
  });

  it('409: used twice, and says so', async () => {
    await ask(org.owner.email);
    const token = await tokenFor(server, org.owner.email);
    expect((await use(token)).status).toBe(200);
    expect(expectError(await use(token), 'CONFLICT')).toEqual({ reason: 'link_used' });
  });

  it('409: expired after 15 minutes', async () => {
    await ask(org.owner.email);
    const token = await tokenFor(server, org.owner.email);
    const [link] = await server.db.query<{ minutes: number }>(
      `SELECT extract(epoch FROM max(expires_at - created_at))::int / 60 AS minutes FROM sign_in_links`,
    );
    expect(link?.minutes).toBe(15);
    await server.db.query('UPDATE sign_in_links SET expires_at = now()');
    expect(expectError(await use(token), 'CONFLICT')).toEqual({ reason: 'link_expired' });
  });

  it('404: unknown, or a link for another purpose', async () => {
    expectError(await use('x'.repeat(43)), 'NOT_FOUND');
    const { call: signedIn } = await signIn(server, org.owner.email, { openedByLink: true });
    const headers = { origin: 'https://atrium.example.com' };
    const body = { email: 'elsewhere@example.com' };
    expect((await signedIn('POST', '/web/email-changes', { body, headers })).status).toBe(200);
    expectError(await use(await tokenFor(server, body.email, 'email-change')), 'NOT_FOUND');
  });

  it('400: neither a token nor an address with a password, or both', async () => {
    for (const body of [
      {},
      { email: 'a@example.com' },
      { password: 'x' },
      { token: 't', email: 'a@example.com', password: 'x' },
      { token: 't', password: 'x' },
    ]) {
      expect(
        problemsOf(await call('POST', '/web/sign-in', { body })),
        JSON.stringify(body),
      ).toEqual(['body required']);
    }
  });

  it('50 at once: one session', async () => {
    const count = async () =>
      (
        await server.db.query('SELECT 1 AS s FROM web_sessions WHERE user_id = $1', [
          org.admin.userId,
        ])
      ).length;
    const before = await count();
    await ask(org.admin.email);
    const token = await tokenFor(server, org.admin.email);
    const replies = await Promise.all(Array.from({ length: 50 }, () => use(token)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const others = replies.filter(({ status }) => status !== 200);
    expect(others.map(({ json }) => json.error.details.reason)).toEqual(
      Array.from({ length: 49 }, () => 'link_used'),
    );
    expect(await count()).toBe(before + 1);
  });

  it('a browser that signs in again has one session, not two', async () => {
    const first = await signIn(server, org.owner.email);
    await ask(org.member.email);
    const body = { token: await tokenFor(server, org.member.email) };
    const headers = { cookie: first.cookie };
    const second = await call('POST', '/web/sign-in', { body, headers });
    expect(cookieOf(second)).not.toBe(first.cookie);
    expect((await first.call('GET', '/web/profile')).status).toBe(401);
  });
});
