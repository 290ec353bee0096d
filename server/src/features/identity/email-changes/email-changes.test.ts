import { beforeEach, describe, expect, it } from 'vitest';
import { hashToken } from '../../../adapters/secrets/tokens.ts';
import {
  browserWith,
  signIn,
  tokenFor,
  type Browser,
} from '../../../../test/harness/clients/browser.ts';
import type { Call } from '../../../../test/harness/clients/client.ts';
import { expectError, problemsOf } from '../../../../test/harness/clients/envelope.ts';
import { addPerson, type Person } from '../../../../test/harness/factories.ts';
import { useMailServer } from '../../../../test/harness/outside/use-mail-server.ts';
import { purgeUndos } from './store.ts';

const server = useMailServer();
let person: Person;
let browser: Browser;

beforeEach(async () => {
  ({ person, browser } = await server.signInSomeone());
});

let counter = 0;
const fresh = () => `Moved${++counter}@example.com`;
const ask = (email: string, by = browser, more = {}) =>
  by.call('POST', '/web/email-changes', { body: { email, ...more } });
const confirm = (token: string, by = browser) =>
  by.call('POST', '/web/email-changes/confirm', { body: { token } });
const undo = (token: string, by = browserWith(server)) =>
  by.call('POST', '/web/email-changes/undo', { body: { token } });
const emailNow = async () => {
  const [row] = await server.db.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [
    person.userId,
  ]);
  return row?.email;
};

const deviceOf = (reply: { headers: Headers }) =>
  reply.headers
    .getSetCookie()
    .find((line) => line.startsWith('atrium_device='))
    ?.split(';', 1)[0];

/** Changes the address, and returns the token that undoes it, from the email to the old address. */
async function changeTo(email: string, by = browser): Promise<string> {
  const previous = (await emailNow()) ?? '';
  await ask(email, by);
  const changed = await confirm(await tokenFor(server, email, 'email-change'), by);
  expect(changed.status, changed.text).toBe(200);
  const note = (await server.mailTo(previous)).at(-1);
  return /\/undo-email#token=(\w+)/.exec(note?.text ?? '')?.[1] ?? '';
}

describe('/web/email-changes', () => {
  it('200: only the link emailed to the new address changes it; the old one is notified', async () => {
    const email = fresh();
    expect((await ask(email)).json.data).toEqual({ email });
    const [sent] = await server.mailTo(email);
    expect((await browser.call('GET', '/web/profile')).json.data.email).toBe(person.email);
    const token = /\/confirm-email#token=(\w+)/.exec(sent?.text ?? '')?.[1] ?? '';
    const changed = await confirm(token);
    expect(changed.json.data).toMatchObject({ userId: person.userId, email });
    const [note] = await server.mailTo(person.email);
    expect(note?.text).toContain(email);
    expect(note?.text).toMatch(/\/undo-email#token=\w{43}\n/);
    expect((await browser.call('GET', '/api/me')).json.data.email).toBe(email);
    expect(expectError(await confirm(token), 'CONFLICT')).toEqual({ reason: 'link_used' });
    expect(server.logLines.join('')).not.toContain(token);
  });

  it('403 fresh_sign_in: a stolen session cannot move the account to another address', async () => {
    const stolen = await signIn(server, person.email);
    const email = fresh();
    expect(expectError(await ask(email, stolen), 'FORBIDDEN')).toEqual({ reason: 'fresh_sign_in' });
    const guess = { currentPassword: 'a guess' };
    expectError(await ask(email, stolen, guess), 'FORBIDDEN');
    const links = await server.db.query('SELECT id FROM sign_in_links WHERE email = $1', [email]);
    expect(links).toEqual([]);
    expect(await server.mailTo(email)).toEqual([]);
  });

  it('200: with the current password; 400: with a wrong one', async () => {
    const password = 'correct horse battery';
    await browser.call('PUT', '/web/password', { body: { password } });
    const old = await signIn(server, person.email);
    expectError(await ask(fresh(), old), 'FORBIDDEN');
    const wrong = await ask(fresh(), old, { currentPassword: 'wrong' });
    expect(problemsOf(wrong)).toEqual(['body.currentPassword wrong_password']);
    expect((await ask(fresh(), old, { currentPassword: password })).status).toBe(200);
  });

  it('400: an address with a letter that counts as another', async () => {
    const reply = await ask('\u212Aate@example.com');
    expect(problemsOf(reply)).toEqual(['body.email invalid_value']);
  });

  it('200, and no email: the address is taken, in any case', async () => {
    const taken = server.org.owner.email.toUpperCase();
    expect((await ask(taken)).json.data).toEqual({ email: taken });
    expect(await server.mailTo(taken)).toEqual([]);
    const token = await tokenFor(server, taken, 'email-change');
    expect(expectError(await confirm(token), 'CONFLICT')).toEqual({ reason: 'email_taken' });
    expect((await browser.call('GET', '/web/profile')).json.data.email).toBe(person.email);
  });

  it('200: the same address in another case', async () => {
    const email = person.email.toUpperCase();
    await ask(email);
    const reply = await confirm(await tokenFor(server, email, 'email-change'));
    expect(reply.json.data.email).toBe(email);
  });

  it('404: unknown, a sign-in link, or requested by somebody else', async () => {
    const email = fresh();
    await ask(email);
    const token = await tokenFor(server, email, 'email-change');
    const somebody = await signIn(server, server.org.admin.email);
    expectError(await confirm(token, somebody), 'NOT_FOUND');
    expectError(await confirm('x'), 'NOT_FOUND');
    await browser.call('POST', '/web/sign-in-links', { body: { email: person.email } });
    expectError(await confirm(await tokenFor(server, person.email)), 'NOT_FOUND');
    expect((await confirm(token)).status).toBe(200);
  });

  it('409: expired', async () => {
    const email = fresh();
    await ask(email);
    await server.db.query('UPDATE sign_in_links SET expires_at = now() WHERE email = $1', [email]);
    const reply = await confirm(await tokenFor(server, email, 'email-change'));
    expect(expectError(reply, 'CONFLICT')).toEqual({ reason: 'link_expired' });
  });

  it('if two people confirm the same address at once, one gets it', async () => {
    const rival = await addPerson(server.db, server.org.orgId, 'MEMBER');
    const theirs = await signIn(server, rival.email, { openedByLink: true });
    const email = fresh();
    await ask(email);
    const mine = await tokenFor(server, email, 'email-change');
    await ask(email, theirs);
    const other = await tokenFor(server, email, 'email-change');
    const replies = await Promise.all([confirm(mine), confirm(other, theirs)]);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 409]));
  });
});

describe('POST /web/email-changes/undo', () => {
  it('200: restores the address, and ends every session, the password and the device cookies', async () => {
    const token = await changeTo(fresh());
    const thief = await signIn(server, (await emailNow()) ?? '', { openedByLink: true });
    const device = deviceOf(await thief.call('GET', '/web/signed-in'));
    expect(device).toBeDefined();
    const password = 'the password of a thief';
    expect((await thief.call('PUT', '/web/password', { body: { password } })).status).toBe(200);
    const reply = await undo(token);
    expect([reply.status, reply.json.data.email]).toEqual([200, person.email]);
    expect(await emailNow()).toBe(person.email);
    for (const one of [thief, browser]) {
      expect((await one.call('GET', '/web/profile')).status).toBe(401);
    }
    const body = { email: person.email, password };
    expectError(await browserWith(server).call('POST', '/web/sign-in', { body }), 'AUTH_ERROR');
    await browserWith(server).call('POST', '/web/sign-in-links', { body: { email: person.email } });
    const link = { token: await tokenFor(server, person.email) };
    const owner = await browserWith(server, device).call('POST', '/web/sign-in', { body: link });
    expect(deviceOf(owner)).not.toBe(device);
    expect(owner.json.data).toMatchObject({ email: person.email, hasPassword: false });
  });

  describe('a key that was created since the change', () => {
    let thief: Browser;
    let token: string;
    beforeEach(async () => {
      await server.db.query(`UPDATE memberships SET role = 'ADMIN' WHERE user_id = $1`, [
        person.userId,
      ]);
      token = await changeTo(fresh());
      thief = await signIn(server, (await emailNow()) ?? '', { openedByLink: true });
    });
    const mint = (by: Call, key?: string) =>
      by('POST', '/api/keys', {
        ...(key !== undefined && { key }),
        body: { name: 'stolen', scopes: ['keys:write', 'org:write', 'org:read', 'keys:read'] },
      });
    const status = async (key: string) => (await server.call('GET', '/api/me', { key })).status;
    const orgPath = () => `/api/org/${server.org.orgId}`;

    it('ends with it, as do those made with it, rotated ones, and those of the org', async () => {
      const first = (await mint(thief.call)).json.data;
      const second = (await mint(server.call, first.secret)).json.data;
      const rotation = { key: second.secret, body: { gracePeriodSeconds: 600 } };
      const rotated = await server.call('POST', `/api/keys/${second.id}/rotate`, rotation);
      const body = { name: 'of the org' };
      const ofOrg = (await thief.call('POST', `${orgPath()}/api-keys`, { body })).json.data;
      const invitation = { email: 'accomplice@example.com', role: 'ADMIN' };
      const invited = { key: second.secret, body: invitation };
      expect((await server.call('POST', `${orgPath()}/invitations`, invited)).status).toBe(201);

      const { data } = (await undo(token)).json;
      const keys = [first.secret, second.secret, rotated.json.data.secret];
      expect(await Promise.all(keys.map(status))).toEqual([401, 401, 401]);
      const v1 = { key: ofOrg.key, body: { query: 'anything' } };
      expect((await server.call('POST', '/api/v1/memories/search', v1)).status).toBe(401);
      expectError(await mint(server.call, first.secret), 'AUTH_ERROR');

      expect(data.revokedKeys).toHaveLength(4);
      expect(data.revokedKeys).toContainEqual({
        name: 'stolen',
        prefix: first.prefix,
        orgName: expect.any(String),
      });
      expect(data.invitations).toMatchObject([
        { email: 'accomplice@example.com', isAccepted: false },
      ]);
      const mail = (await server.mailTo(person.email)).at(-1);
      expect(mail?.subject).toContain('restored');
      expect(mail?.text).toContain(first.prefix);
      expect(mail?.text).toContain('accomplice@example.com');
      const audit = await server.call(
        'GET',
        `${orgPath()}/audit?resourceId=${first.id}`,
        server.org.owner,
      );
      expect(audit.json.data.items[0]).toMatchObject({
        action: 'key.revoked',
        actorKind: 'system',
        details: { reason: 'email_change_undone' },
      });
      const logged = await server.call(
        'GET',
        `${orgPath()}/audit?resourceId=${ofOrg.id}`,
        server.org.owner,
      );
      expect(logged.json.data.items[0].action).toBe('org_key.revoked');
    });

    it('says how many older keys still work, and leaves them and those of others', async () => {
      expect((await undo(token)).json.data).toMatchObject({ revokedKeys: [], remainingKeys: 1 });
      expect([await status(person.key), await status(server.org.admin.key)]).toEqual([200, 200]);
    });
  });

  it('is stored as a hash, and appears in no log', async () => {
    const token = await changeTo(fresh());
    const rows = await server.db.query<{ hash: Buffer }>(
      'SELECT u.*, u.token_hash AS hash FROM email_undos u WHERE u.user_id = $1',
      [person.userId],
    );
    expect(Buffer.from(rows[0]?.hash ?? '')).toEqual(hashToken(token));
    expect(JSON.stringify(rows)).not.toContain(token);
    await undo(token);
    expect(server.logLines.join('')).not.toContain(token);
  });

  it('200: restores the address it was sent to, however many changes followed', async () => {
    const first = await changeTo(fresh());
    const second = await changeTo(fresh());
    await changeTo(fresh());
    expect((await undo(first)).json.data.email).toBe(person.email);
    // The later ones were sent to whoever has taken over the account.
    expect(expectError(await undo(second), 'CONFLICT')).toEqual({ reason: 'link_expired' });
    expect(await emailNow()).toBe(person.email);
  });

  it('200: also after a later one was used', async () => {
    const first = await changeTo(fresh());
    const taken = await emailNow();
    const second = await changeTo(fresh());
    expect((await undo(second)).json.data.email).toBe(taken);
    expect((await undo(first)).json.data.email).toBe(person.email);
  });

  it('ends pending links: to sign in, and to change the address', async () => {
    const [taken, next] = [fresh(), fresh()];
    const token = await changeTo(taken);
    await browserWith(server).call('POST', '/web/sign-in-links', { body: { email: taken } });
    const signInToken = await tokenFor(server, taken);
    await ask(next);
    const changeToken = await tokenFor(server, next, 'email-change');
    expect((await undo(token)).status).toBe(200);
    const body = { token: signInToken };
    const signedIn = await browserWith(server).call('POST', '/web/sign-in', { body });
    expect(expectError(signedIn, 'CONFLICT')).toEqual({ reason: 'link_expired' });
    const owner = await signIn(server, person.email, { openedByLink: true });
    const confirmed = await confirm(changeToken, owner);
    expect(expectError(confirmed, 'CONFLICT')).toEqual({ reason: 'link_expired' });
  });

  it('409 email_taken: the address belongs to another account now; nothing changes', async () => {
    const token = await changeTo(fresh());
    const moved = await emailNow();
    const rival = await addPerson(server.db, server.org.orgId, 'MEMBER');
    await server.db.query('UPDATE users SET email = $2, email_key = $2 WHERE id = $1', [
      rival.userId,
      person.email,
    ]);
    expect(expectError(await undo(token), 'CONFLICT')).toEqual({ reason: 'email_taken' });
    expect(await emailNow()).toBe(moved);
    expect((await browser.call('GET', '/web/profile')).status).toBe(200);
  });

  it('409: used twice; of 20 at once, one works', async () => {
    const token = await changeTo(fresh());
    const replies = await Promise.all(Array.from({ length: 20 }, () => undo(token)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const others = replies.filter(({ status }) => status !== 200);
    expect(new Set(others.map(({ json }) => json.error.details.reason))).toEqual(
      new Set(['link_used']),
    );
  });

  it('409: expired after 7 days; 404: unknown, or of another kind; then purged', async () => {
    const token = await changeTo(fresh());
    const [row] = await server.db.query<{ days: number }>(
      `SELECT extract(epoch FROM expires_at - created_at)::int / 86400 AS days FROM email_undos
       WHERE user_id = $1`,
      [person.userId],
    );
    expect(row?.days).toBe(7);
    const age = (days: number) =>
      server.db.query(
        `UPDATE email_undos SET expires_at = now() - make_interval(days => $2) WHERE user_id = $1`,
        [person.userId, days],
      );
    await age(0);
    expect(expectError(await undo(token), 'CONFLICT')).toEqual({ reason: 'link_expired' });
    expectError(await undo('x'), 'NOT_FOUND');
    await ask(fresh());
    expectError(
      await undo(await tokenFor(server, `moved${counter}@example.com`, 'email-change')),
      'NOT_FOUND',
    );
    await age(7);
    expect(await purgeUndos(server.db)).toBeGreaterThanOrEqual(1);
    expectError(await undo(token), 'NOT_FOUND');
  });

  it('403 cross_origin: from a page of another site', async () => {
    const token = await changeTo(fresh());
    const headers = { origin: 'https://evil.example' };
    const body = { token };
    const reply = await browser.call('POST', '/web/email-changes/undo', { body, headers });
    expect(expectError(reply, 'FORBIDDEN')).toEqual({ reason: 'cross_origin' });
  });

  it('a password that is set while the change is undone never takes effect', async () => {
    const token = await changeTo(fresh());
    const password = 'the password of a thief';
    const [set] = await Promise.all([
      browser.call('PUT', '/web/password', { body: { password } }),
      undo(token),
    ]);
    expect([200, 401]).toContain(set.status);
    const [row] = await server.db.query<{ hash: string | null }>(
      'SELECT password_hash AS hash FROM users WHERE id = $1',
      [person.userId],
    );
    expect(row?.hash).toBeNull();
  });
});
