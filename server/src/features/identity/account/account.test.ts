import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { browserWith, signIn, tokenFor, type Browser } from '../../../../test/harness/browser.ts';
import { expectError, problemsOf } from '../../../../test/harness/envelope.ts';
import {
  addPerson,
  createTestOrg,
  type Person,
  type TestOrg,
} from '../../../../test/harness/factories.ts';
import { createMailFolder, type MailFolder } from '../../../../test/harness/mail-folder.ts';
import { startTestServer, type TestServer } from '../../../../test/harness/server.ts';

let mail: MailFolder;
let server: TestServer;
let org: TestOrg;
let person: Person;
let browser: Browser;

beforeAll(async () => {
  mail = await createMailFolder();
  server = await startTestServer({ worker: true, env: mail.env });
  org = await createTestOrg(server.db);
});
afterAll(async () => {
  await server.stop();
  await mail.remove();
});
beforeEach(async () => {
  person = await addPerson(server.db, org.orgId, 'MEMBER');
  browser = await signIn(server, person.email);
});

describe('/web/profile', () => {
  it('200: who is signed in, and their orgs', async () => {
    const { json } = await browser.call('GET', '/web/profile');
    expect(json.data).toEqual({
      userId: person.userId,
      email: person.email,
      name: person.email.split('@')[0],
      hasPassword: false,
      orgs: [{ id: org.orgId, name: expect.any(String), role: 'MEMBER' }],
      lastOrgId: org.orgId,
    });
  });

  it('200: a name is trimmed and kept; an empty PATCH changes nothing', async () => {
    const renamed = await browser.call('PATCH', '/web/profile', { body: { name: '  Ada ' } });
    expect(renamed.json.data.name).toBe('Ada');
    expect((await browser.call('PATCH', '/web/profile')).json.data.name).toBe('Ada');
    expect((await browser.call('GET', '/api/me')).json.data.name).toBe('Ada');
  });

  it('400: an empty name, and an address, which changes by another way', async () => {
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

  it('204: sets the first one, and ends the other sessions', async () => {
    const elsewhere = await signIn(server, person.email);
    expect((await put({ password: PASSWORD })).status).toBe(204);
    expect((await elsewhere.call('GET', '/web/profile')).status).toBe(401);
    const { json } = await browser.call('GET', '/web/profile');
    expect(json.data.hasPassword).toBe(true);
    expect(await works(PASSWORD)).toBe(true);
  });

  it('400: the current one is missing or wrong; then nothing changes', async () => {
    await put({ password: PASSWORD });
    const elsewhere = await signIn(server, person.email);
    const missing = await put({ password: 'another password' });
    expect(problemsOf(missing)).toEqual(['body.currentPassword required']);
    const wrong = await put({ password: 'another password', currentPassword: 'wrong' });
    expect(problemsOf(wrong)).toEqual(['body.currentPassword wrong_password']);
    expect((await elsewhere.call('GET', '/web/profile')).status).toBe(200);
    expect(await works(PASSWORD)).toBe(true);
    const right = await put({ password: 'another password', currentPassword: PASSWORD });
    expect(right.status).toBe(204);
    expect([await works(PASSWORD), await works('another password')]).toEqual([false, true]);
  });

  it('204: without the current one for 15 minutes after a sign-in link, and no longer', async () => {
    await put({ password: PASSWORD });
    const linked = await signIn(server, person.email, { openedByLink: true });
    expect((await put({ password: 'another password' }, linked)).status).toBe(204);
    await server.db.query(
      `UPDATE web_sessions SET created_at = now() - interval '15 minutes' WHERE user_id = $1`,
      [person.userId],
    );
    expect((await put({ password: 'yet another one' }, linked)).status).toBe(400);
  });

  it('400: shorter than 10 characters, longer than 200', async () => {
    expect(problemsOf(await put({ password: 'x'.repeat(9) }))).toEqual(['body.password too_short']);
    expect(problemsOf(await put({ password: 'x'.repeat(201) }))).toEqual([
      'body.password too_long',
    ]);
    expect((await put({ password: '🔑'.repeat(200) })).status).toBe(204);
  });
});

describe('/web/email-changes', () => {
  let counter = 0;
  const fresh = () => `Moved${++counter}@example.com`;
  const ask = (email: string) => browser.call('POST', '/web/email-changes', { body: { email } });
  const confirm = (token: string, by = browser) =>
    by.call('POST', '/web/email-changes/confirm', { body: { token } });

  it('200: only the link mailed to the new address changes it; the old one gets a note', async () => {
    const email = fresh();
    expect((await ask(email)).json.data).toEqual({ email });
    const [sent] = await mail.to(server.db, email);
    expect((await browser.call('GET', '/web/profile')).json.data.email).toBe(person.email);
    const token = /\/confirm-email#token=(\w+)/.exec(sent?.text ?? '')?.[1] ?? '';
    const changed = await confirm(token);
    expect(changed.json.data).toMatchObject({ userId: person.userId, email });
    const [note] = await mail.to(server.db, person.email);
    expect(note?.text).toContain(email);
    expect(note?.text).not.toMatch(/https?:/);
    expect((await browser.call('GET', '/api/me')).json.data.email).toBe(email);
    expect(expectError(await confirm(token), 'CONFLICT')).toEqual({ reason: 'link_used' });
    expect(server.logLines.join('')).not.toContain(token);
  });

  it('200, and no mail: the address is taken, in whatever case', async () => {
    const taken = org.owner.email.toUpperCase();
    expect((await ask(taken)).json.data).toEqual({ email: taken });
    expect(await mail.to(server.db, taken)).toEqual([]);
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

  it('404: unknown, a link to sign in, or asked for by somebody else', async () => {
    const email = fresh();
    await ask(email);
    const token = await tokenFor(server, email, 'email-change');
    const somebody = await signIn(server, org.admin.email);
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

  it('of two people who confirm one address at once, one gets it', async () => {
    const rival = await addPerson(server.db, org.orgId, 'MEMBER');
    const theirs = await signIn(server, rival.email);
    const email = fresh();
    await ask(email);
    const mine = await tokenFor(server, email, 'email-change');
    await theirs.call('POST', '/web/email-changes', { body: { email } });
    const other = await tokenFor(server, email, 'email-change');
    const replies = await Promise.all([confirm(mine), confirm(other, theirs)]);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 409]));
  });
});
