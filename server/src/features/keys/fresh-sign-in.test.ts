import { beforeEach, describe, expect, it } from 'vitest';
import { signIn, type Browser } from '../../../test/harness/clients/browser.ts';
import { expectError, problemsOf } from '../../../test/harness/clients/envelope.ts';
import { useServerWithNewOrgs } from '../../../test/harness/processes/use-test-org.ts';

const PASSWORD = 'correct horse battery';

const { server, org } = useServerWithNewOrgs();
let browser: Browser;

beforeEach(async () => {
  browser = await signIn(server, org.owner.email, { openedByLink: true });
});

/** As a stolen cookie, or a browser that was left open. */
const age = (minutes: number) =>
  server.db.query(
    `UPDATE web_sessions SET created_at = created_at - make_interval(mins => $2),
       confirmed_at = confirmed_at - make_interval(mins => $2) WHERE user_id = $1`,
    [org.owner.userId, minutes],
  );
const confirm = (body: object) => browser.call('POST', '/web/confirm-sign-in', { body });
const draft = { name: 'Laptop', scopes: ['projects:read'] };

describe('in the browser, 15 minutes after signing in', () => {
  it('403 fresh_sign_in: no key is created or rotated, for the person or the org', async () => {
    const { call } = browser;
    const own = (await call('POST', '/api/keys', { body: draft })).json.data;
    const orgKeys = `/api/org/${org.orgId}/api-keys`;
    const ofOrg = (await call('POST', orgKeys, { body: { name: 'Import' } })).json.data;
    await age(15);
    const replies = [
      await call('POST', '/api/keys', { body: draft }),
      await call('POST', `/api/keys/${own.id}/rotate`),
      await call('POST', orgKeys, { body: { name: 'Import' } }),
      await call('POST', `${orgKeys}/${ofOrg.id}/rotate`),
    ];
    for (const reply of replies) {
      expect(expectError(reply, 'FORBIDDEN')).toEqual({ reason: 'fresh_sign_in' });
    }
    const { total } = (await call('GET', '/api/keys')).json.data;
    expect(total).toBe(2);
    expect((await call('DELETE', `/api/keys/${own.id}`)).status).toBe(200);
  });

  it('201: until then, however the person signed in', async () => {
    const withPassword = await signIn(server, org.owner.email);
    await age(14);
    for (const { call } of [browser, withPassword]) {
      expect((await call('POST', '/api/keys', { body: draft })).status).toBe(201);
    }
  });

  it('403: a replay does not show a secret that can no longer be created', async () => {
    const headers = { 'idempotency-key': 'once' };
    const post = () => browser.call('POST', '/api/keys', { body: draft, headers });
    expect((await post()).status).toBe(201);
    await age(15);
    expectError(await post(), 'FORBIDDEN');
  });

  it('201: with a key, which has no sign-in', async () => {
    await age(60);
    const made = await server.call('POST', '/api/keys', org.owner, draft);
    expect(made.status).toBe(201);
    const rotated = await server.call('POST', `/api/keys/${made.json.data.id}/rotate`, org.owner);
    expect(rotated.status).toBe(201);
  });
});

describe('POST /web/confirm-sign-in', () => {
  beforeEach(async () => {
    await browser.call('PUT', '/web/password', { body: { password: PASSWORD } });
    await age(60);
  });
  const create = () => browser.call('POST', '/api/keys', { body: draft });

  it('204: with the password, then keys can be created for 15 minutes', async () => {
    expect((await confirm({ currentPassword: PASSWORD })).status).toBe(204);
    expect((await create()).status).toBe(201);
    await age(14);
    expect((await create()).status).toBe(201);
    await age(1);
    expectError(await create(), 'FORBIDDEN');
  });

  it('403, 400: without a password, or with a wrong one', async () => {
    expect(expectError(await confirm({}), 'FORBIDDEN')).toEqual({ reason: 'fresh_sign_in' });
    const wrong = await confirm({ currentPassword: 'wrong' });
    expect(problemsOf(wrong)).toEqual(['body.currentPassword wrong_password']);
    expectError(await create(), 'FORBIDDEN');
  });

  it('counts for this session only, and not for a change of address', async () => {
    const other = await signIn(server, org.owner.email);
    await age(60);
    await confirm({ currentPassword: PASSWORD });
    expectError(await other.call('POST', '/api/keys', { body: draft }), 'FORBIDDEN');
    const body = { email: 'elsewhere@example.com' };
    expectError(await browser.call('POST', '/web/email-changes', { body }), 'FORBIDDEN');
  });
});
