import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { purgeLinks } from '../../src/features/identity/sign-in/store.ts';
import {
  browserWith,
  cookieOf,
  signIn,
  tokenFor,
  type Browser,
} from '../harness/clients/browser.ts';
import { expectError, problemsOf } from '../harness/clients/envelope.ts';
import { createTestOrg, type TestOrg } from '../harness/factories.ts';
import { createMailFolder, type MailFolder } from '../harness/clients/mail-folder.ts';
import { startTestServer, type TestServer } from '../harness/processes/server.ts';

let mail: MailFolder;
let server: TestServer;
let org: TestOrg;
let owner: Browser;

beforeAll(async () => {
  mail = await createMailFolder();
  server = await startTestServer({ worker: true, env: mail.env });
  org = await createTestOrg(server.db);
  owner = await signIn(server, org.owner.email);
});
afterAll(async () => {
  await server.stop();
  await mail.remove();
});

/** Signs in by email: requests a link, opens the newest, presses the button. */
async function signInByMail(email: string, at = server): Promise<Browser | undefined> {
  const page = browserWith(at);
  await page.call('POST', '/web/sign-in-links', { body: { email } });
  const sent = (await mail.to(at.db, email)).findLast(({ text }) => text?.includes('/sign-in#'));
  const token = /#token=(\w+)/.exec(sent?.text ?? '')?.[1];
  if (!token) return undefined;
  const reply = await page.call('POST', '/web/sign-in', { body: { token } });
  expect(reply.status, reply.text).toBe(200);
  return browserWith(at, cookieOf(reply));
}

async function invite(email: string): Promise<{ id: string; token: string }> {
  const body = { email, role: 'ADMIN' };
  const reply = await owner.call('POST', `/api/org/${org.orgId}/invitations`, { body });
  const [sent] = await mail.to(server.db, email);
  const token = /\/invite\/(\w+)/.exec(sent?.text ?? '')?.[1] ?? '';
  return { id: reply.json.data.id, token };
}

describe('somebody new who is invited', () => {
  it('opens the invitation, signs in by email, accepts, and can work', async () => {
    const email = 'Grace@example.com';
    const { token } = await invite(email);
    const page = browserWith(server);
    const shown = await page.call('GET', `/web/invitations/${token}`);
    expect(shown.json.data).toEqual({
      org: { id: org.orgId, name: expect.any(String) },
      inviter: { name: org.owner.email.split('@')[0] },
      email,
      role: 'ADMIN',
      status: 'PENDING',
      expiresAt: expect.any(String),
      signedInAs: null,
      canSignUp: true,
    });
    // The token alone signs nobody in.
    expectError(await page.call('POST', '/web/sign-in', { body: { token } }), 'NOT_FOUND');
    expectError(await page.call('POST', `/api/invitations/${token}/accept`), 'AUTH_ERROR');

    const grace = await signInByMail(email);
    if (!grace) throw new Error('no link was mailed');
    expect((await grace.call('GET', '/web/profile')).json.data).toMatchObject({ email, orgs: [] });
    expect((await grace.call('GET', '/api/projects')).status).toBe(403);
    const again = await grace.call('GET', `/web/invitations/${token}`);
    expect(again.json.data.signedInAs).toBe(email);
    const accepted = await grace.call('POST', `/api/invitations/${token}/accept`);
    expect(accepted.json.data).toMatchObject({ email, role: 'ADMIN', org: { id: org.orgId } });
    expect((await grace.call('GET', '/api/projects')).status).toBe(200);
    const closed = await page.call('GET', `/web/invitations/${token}`);
    expect(closed.json.data.status).toBe('ACCEPTED');
  });

  it('needs no second email: the emailed link makes the account, once, and joins', async () => {
    const email = 'Hedy@example.com';
    const { token } = await invite(email);
    const before = (await mail.to(server.db, email)).length;
    const page = browserWith(server);
    const signUp = () => page.call('POST', '/web/sign-up', { body: { token, name: ' Hedy L. ' } });
    const replies = await Promise.all([signUp(), signUp(), signUp()]);
    const [reply, ...others] = replies.toSorted((a, b) => a.status - b.status);
    expect([reply?.status, ...others.map(({ status }) => status)]).toEqual([200, 409, 409]);
    expect(reply?.json.data).toMatchObject({
      email,
      name: 'Hedy L.',
      hasPassword: false,
      orgs: [{ id: org.orgId, role: 'ADMIN' }],
    });
    const hedy = browserWith(server, reply && cookieOf(reply));
    expect((await hedy.call('GET', '/api/projects')).status).toBe(200);
    const people = await server.db.query('SELECT id FROM users WHERE email_key = lower($1)', [
      email,
    ]);
    expect(people).toEqual([{ id: reply?.json.data.userId }]);
    expect(await mail.to(server.db, email)).toHaveLength(before);
    expect(expectError(await signUp(), 'CONFLICT')).toEqual({ reason: 'invitation_closed' });
    const log = await owner.call('GET', `/api/org/${org.orgId}/audit?limit=2`);
    const entries = log.json.data.items as { action: string; actorUserId: string }[];
    expect(entries.map(({ action, actorUserId }) => [action, actorUserId])).toEqual([
      ['member.joined', reply?.json.data.userId],
      ['invitation.accepted', reply?.json.data.userId],
    ]);
  });

  it('409: the emailed link signs nobody in whose address has an account', async () => {
    const elsewhere = await createTestOrg(server.db);
    const { token } = await invite(elsewhere.member.email);
    const page = browserWith(server);
    const shown = await page.call('GET', `/web/invitations/${token}`);
    expect(shown.json.data.canSignUp).toBe(false);
    const reply = await page.call('POST', '/web/sign-up', { body: { token, name: 'Thief' } });
    expect(expectError(reply, 'CONFLICT')).toEqual({ reason: 'account_exists' });
    expect(cookieOf(reply)).toBeUndefined();
    const again = await page.call('GET', `/web/invitations/${token}`);
    expect(again.json.data.status).toBe('PENDING');
  });

  it('400: no name; 404: an unknown token; 409: revoked or expired, and no account', async () => {
    const page = browserWith(server);
    const signUp = (token: string, name = 'N') =>
      page.call('POST', '/web/sign-up', { body: { token, name } });
    const { id, token } = await invite('ida@example.com');
    expect(problemsOf(await signUp(token, ' '))).toEqual(['body.name required']);
    expectError(await signUp('unknown'), 'NOT_FOUND');
    await owner.call('DELETE', `/api/org/${org.orgId}/invitations/${id}`);
    expectError(await signUp(token), 'CONFLICT');
    const expired = await invite('idle@example.com');
    await server.db.query('UPDATE invitations SET expires_at = now() WHERE id = $1', [expired.id]);
    expectError(await signUp(expired.token), 'CONFLICT');
    expect(
      await server.db.query(`SELECT id FROM users WHERE email LIKE 'id%@example.com'`),
    ).toEqual([]);
  });

  it('403: signed in as somebody else', async () => {
    const { token } = await invite('alan@example.com');
    const shown = await owner.call('GET', `/web/invitations/${token}`);
    expect(shown.json.data.signedInAs).toBe(org.owner.email);
    const reply = await owner.call('POST', `/api/invitations/${token}/accept`);
    expect(expectError(reply, 'FORBIDDEN')).toEqual({ reason: 'wrong_invitee' });
  });

  it('gets no email, and no account, once the invitation is revoked or has expired', async () => {
    const revoked = await invite('late@example.com');
    await owner.call('DELETE', `/api/org/${org.orgId}/invitations/${revoked.id}`);
    expect(await signInByMail('late@example.com')).toBeUndefined();
    const expired = await invite('later@example.com');
    await server.db.query('UPDATE invitations SET expires_at = now() WHERE id = $1', [expired.id]);
    expect(await signInByMail('later@example.com')).toBeUndefined();
    const made = await server.db.query(`SELECT 1 AS x FROM users WHERE email LIKE 'late%'`);
    expect(made).toEqual([]);
  });

  it('gets emails and an account with the address as the invitation spells it', async () => {
    await invite('kay@example.com');
    const page = browserWith(server);
    const email = '\u212Aay@example.com';
    await page.call('POST', '/web/sign-in-links', { body: { email } });
    const sent = (await mail.all(server.db)).filter(({ address }) => /ay@example/.test(address));
    expect(new Set(sent.map(({ address }) => address))).toEqual(new Set(['kay@example.com']));
    const body = { token: await tokenFor(server, 'kay@example.com') };
    const reply = await page.call('POST', '/web/sign-in', { body });
    expect(reply.json.data.email).toBe('kay@example.com');
  });

  it('404: an unknown token', async () => {
    const page = browserWith(server);
    expectError(await page.call('GET', '/web/invitations/unknown'), 'NOT_FOUND');
  });
});

describe('a copied link', () => {
  const linkOf = (id: string) => owner.call('GET', `/api/org/${org.orgId}/invitations/${id}/link`);
  const copyToken = async (id: string): Promise<string> => {
    const { url } = (await linkOf(id)).json.data;
    expect(url).toMatch(/\/invite\/[^/]+$/);
    return url.split('/').at(-1);
  };

  it('opens the page and signs nobody in; who signs in by email can accept with it', async () => {
    const email = 'lise@example.com';
    const { id, token: emailed } = await invite(email);
    const token = await copyToken(id);
    expect(token).not.toContain(emailed);
    const page = browserWith(server);
    const shown = await page.call('GET', `/web/invitations/${token}`);
    expect(shown.json.data).toMatchObject({ email, status: 'PENDING', canSignUp: false });
    expectError(
      await page.call('POST', '/web/sign-up', { body: { token, name: 'L' } }),
      'NOT_FOUND',
    );
    expectError(await page.call('POST', '/web/sign-in', { body: { token } }), 'NOT_FOUND');
    expect(await server.db.query('SELECT id FROM users WHERE email_key = $1', [email])).toEqual([]);
    const refused = await owner.call('POST', `/api/invitations/${token}/accept`);
    expect(expectError(refused, 'FORBIDDEN')).toEqual({ reason: 'wrong_invitee' });
    const lise = await signInByMail(email);
    const accepted = await lise?.call('POST', `/api/invitations/${token}/accept`);
    expect(accepted?.json.data).toMatchObject({ email, org: { id: org.orgId } });
    expect(expectError(await linkOf(id), 'CONFLICT')).toEqual({ reason: 'invitation_closed' });
  });

  it('404: after a resend, with another signature, or for another organisation', async () => {
    const { id } = await invite('mary@example.com');
    const token = await copyToken(id);
    const page = browserWith(server);
    const other = await invite('maria@example.com');
    const forged = [
      token.replace(id, other.id),
      `${token}x`,
      `${id}.`,
      `${id}.${'A'.repeat(43)}`,
      `.${token.split('.')[1]}`,
    ];
    for (const wrong of forged) {
      expectError(await page.call('GET', `/web/invitations/${wrong}`), 'NOT_FOUND');
    }
    await owner.call('POST', `/api/org/${org.orgId}/invitations/${id}/resend`);
    expectError(await page.call('GET', `/web/invitations/${token}`), 'NOT_FOUND');
    expect((await page.call('GET', `/web/invitations/${await copyToken(id)}`)).status).toBe(200);
    const elsewhere = await createTestOrg(server.db);
    const stranger = await signIn(server, elsewhere.owner.email);
    const path = `/api/org/${elsewhere.orgId}/invitations/${id}/link`;
    expectError(await stranger.call('GET', path), 'NOT_FOUND');
  });
});

describe('GET /web/server-info', () => {
  it('200: says that email is only written to files; 401: for nobody', async () => {
    expect((await owner.call('GET', '/web/server-info')).json.data).toEqual({
      sendsMail: false,
      payments: 'SANDBOX',
    });
    expectError(await browserWith(server).call('GET', '/web/server-info'), 'AUTH_ERROR');
  });
});

describe('an invitation of somebody who has an account', () => {
  it('goes to the address as stored in the account', async () => {
    const [elsewhere, name] = [await createTestOrg(server.db), 'kurt@example.com'];
    await server.db.query('UPDATE users SET email = $2, email_key = $2 WHERE id = $1', [
      elsewhere.member.userId,
      name,
    ]);
    await invite(name.toUpperCase());
    const sent = (await mail.all(server.db)).filter(({ address }) => /^kurt/i.test(address));
    expect(sent.map(({ address }) => address)).toEqual([name]);
  });

  it('400: an address with a letter that counts as another', async () => {
    const body = { email: '\u212Aurt@example.com', role: 'MEMBER' };
    const reply = await owner.call('POST', `/api/org/${org.orgId}/invitations`, { body });
    expect(problemsOf(reply)).toEqual(['body.email invalid_value']);
  });
});

describe('SIGNUP=open', () => {
  let open: TestServer;
  beforeAll(async () => {
    open = await startTestServer({ worker: true, env: { ...mail.env, SIGNUP: 'open' } });
  });
  afterAll(() => open.stop());

  it('gives everybody an account and their own org, once', async () => {
    const email = 'newcomer@example.com';
    const first = await signInByMail(email, open);
    const profile = (await first?.call('GET', '/web/profile'))?.json.data;
    expect(profile).toMatchObject({
      email,
      name: 'newcomer',
      orgs: [{ name: "newcomer's workspace", role: 'OWNER' }],
    });
    const project = await first?.call('POST', '/api/projects', { body: { name: 'Mine' } });
    expect(project?.status).toBe(201);
    const second = await signInByMail(email, open);
    expect((await second?.call('GET', '/web/profile'))?.json.data).toEqual({
      ...profile,
      lastOrgId: profile.orgs[0].id,
    });
  });

  it('gives none to an address with a letter that counts as another', async () => {
    const email = '\u212Aeith@example.com';
    expect(await signInByMail(email, open)).toBeUndefined();
    const sent = await mail.all(open.db);
    expect(sent.filter(({ address }) => /eith@example/.test(address))).toEqual([]);
    // An account with it could pass for the address that it looks like.
    const body = { token: await tokenFor(open, 'keith@example.com') };
    expectError(await browserWith(open).call('POST', '/web/sign-in', { body }), 'NOT_FOUND');
    expect(await signInByMail('keith@example.com', open)).toBeDefined();
  });

  it('an account is created by using the link, not by requesting one', async () => {
    const page = browserWith(open);
    await page.call('POST', '/web/sign-in-links', { body: { email: 'asked@example.com' } });
    const made = await open.db.query(`SELECT 1 AS x FROM users WHERE email = 'asked@example.com'`);
    expect(made).toEqual([]);
  });
});

describe('expired links', () => {
  it('are purged a week after their end; others stay', async () => {
    const page = browserWith(server);
    for (const days of [1, 8]) {
      const email = `purged${days}@example.com`;
      await page.call('POST', '/web/sign-in-links', { body: { email } });
      await server.db.query(
        'UPDATE sign_in_links SET expires_at = now() - make_interval(days => $2) WHERE email = $1',
        [email, days],
      );
    }
    expect(await purgeLinks(server.db)).toBe(1);
    const left = await server.db.query<{ email: string }>(
      `SELECT email FROM sign_in_links WHERE email LIKE 'purged%'`,
    );
    expect(left).toEqual([{ email: 'purged1@example.com' }]);
  });
});
