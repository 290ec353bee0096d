import { beforeEach, describe, expect, it } from 'vitest';
import {
  browserWith,
  signIn,
  tokenFor,
  type Browser,
} from '../../../../test/harness/clients/browser.ts';
import { expectError, problemsOf } from '../../../../test/harness/clients/envelope.ts';
import {
  addPerson,
  createTestOrg,
  keyWithScopes,
  type Person,
  type TestOrg,
} from '../../../../test/harness/factories.ts';
import { useServerWithNewOrgs } from '../../../../test/harness/processes/use-test-org.ts';
import { purgeMemories } from '../../memory/store.ts';
import { invitationToken } from '../../org/invitation-mail-job.ts';
import { createMember } from '../service.ts';

const { server, call, org } = useServerWithNewOrgs();
let person: Person;
let browser: Browser;

beforeEach(async () => {
  person = await addPerson(server.db, org.orgId, 'MEMBER');
  browser = await signIn(server, person.email, { openedByLink: true });
});

const deleteAccount = (by = browser, body: object = {}) => by.call('DELETE', '/api/me', { body });
const invite = async (to: TestOrg, email: string): Promise<string> => {
  const body = { email, role: 'MEMBER' };
  const path = `/api/org/${to.orgId}/invitations`;
  return (await call('POST', path, to.owner, body)).json.data.id;
};

/** The tables and columns that contain this text. */
async function placesOf(text: string): Promise<string[]> {
  const tables = await server.db.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'`,
  );
  const places: string[] = [];
  for (const { name } of tables) {
    const rows = await server.db.query(
      `SELECT 1 AS one FROM "${name}" t WHERE lower(to_jsonb(t)::text) LIKE '%' || lower($1) || '%' LIMIT 1`,
      [text],
    );
    if (rows.length > 0) places.push(name);
  }
  return places;
}

describe('DELETE /me', () => {
  it('204: erases name and address everywhere; what the person wrote stays', async () => {
    const name = 'Ottoline Unmistakable';
    await browser.call('PATCH', '/web/profile', { body: { name } });
    const project = (await browser.call('POST', '/api/projects', { body: { name: 'Kept' } })).json
      .data;
    const sessions = `/api/spaces/${project.slug}/sessions`;
    const session = (await browser.call('POST', sessions, { body: { name: 's' } })).json.data;
    const messages = `${sessions}/${session.id}/messages`;
    await browser.call('POST', messages, { body: { body: 'Still here.' } });
    const former = person.email;
    const email = `moved-${former}`;
    await browser.call('POST', '/web/email-changes', { body: { email } });
    const token = await tokenFor(server, email, 'email-change');
    expect(
      (await browser.call('POST', '/web/email-changes/confirm', { body: { token } })).status,
    ).toBe(200);
    const elsewhere = await createTestOrg(server.db);
    await invite(elsewhere, email);
    await invite(elsewhere, former);
    await browserWith(server).call('POST', '/web/sign-in-links', { body: { email } });
    expect(await placesOf(email)).toEqual(
      expect.arrayContaining(['users', 'sign_in_links', 'invitations']),
    );

    const reply = await deleteAccount();
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect(reply.headers.getSetCookie()[0]).toMatch(/^atrium_session=;/);
    expect(await placesOf(former)).toEqual([]);
    expect(await placesOf(name)).toEqual([]);
    const { items } = (await call('GET', messages, org.owner)).json.data;
    expect(items).toMatchObject([{ body: 'Still here.', authorUserId: person.userId }]);
    const members = await call('GET', `/api/org/${org.orgId}/members`, org.owner);
    expect(members.text).not.toContain(person.userId);
    const audit = await call('GET', `/api/org/${org.orgId}/audit?limit=1`, org.owner);
    expect(audit.json.data.items).toMatchObject([
      { action: 'member.removed', resourceId: person.userId, actorUserId: person.userId },
    ]);
  });

  it('204: nothing acts for the person any more: keys, browsers, links, invitations', async () => {
    const other = await signIn(server, person.email);
    const elsewhere = await createTestOrg(server.db);
    const invitationId = await invite(elsewhere, person.email);
    await browserWith(server).call('POST', '/web/sign-in-links', { body: { email: person.email } });
    const token = await tokenFor(server, person.email);
    expect((await deleteAccount()).status).toBe(204);
    expectError(await call('GET', '/api/me', person), 'AUTH_ERROR');
    for (const each of [browser, other])
      expectError(await each.call('GET', '/api/me'), 'AUTH_ERROR');
    const link = await browserWith(server).call('POST', '/web/sign-in', { body: { token } });
    expectError(link, 'NOT_FOUND');
    const invitation = invitationToken(server.tokens, invitationId, 1);
    const page = await call('GET', `/web/invitations/${invitation}`);
    expect(page.json.data).toMatchObject({ status: 'REVOKED', email: '' });
    expectError(await deleteAccount(), 'AUTH_ERROR');
  });

  it('204: PRIVATE memories are erased by the next cleanup, in every org, and shared ones stay', async () => {
    const second = await createTestOrg(server.db);
    await createMember(server.db, second.orgId, { email: person.email, role: 'MEMBER' });
    const key = await keyWithScopes(server.db, second.orgId, person.userId, ['memory:write']);
    for (const each of [person, key]) {
      await call('POST', '/api/memory', each, { content: 'Mine.', visibility: 'PRIVATE' });
    }
    await call('POST', '/api/memory', key, { content: 'Ours.', visibility: 'ORG' });
    // Somebody who left this org before.
    await call('DELETE', `/api/org/${second.orgId}/members/${person.userId}`, second.owner);
    expect((await deleteAccount()).status).toBe(204);
    await purgeMemories(server.db);
    const rows = await server.db.query('SELECT visibility FROM memories WHERE owner_user_id = $1', [
      person.userId,
    ]);
    expect(rows).toEqual([{ visibility: 'ORG' }]);
  });

  it('204: the address can sign up again, as somebody else', async () => {
    await deleteAccount();
    const again = await createMember(server.db, org.orgId, { email: person.email, role: 'MEMBER' });
    expect(again?.id).not.toBe(person.userId);
  });

  it('204 with the current password; 400 with a wrong one; 403 fresh_sign_in without', async () => {
    const password = 'correct horse battery';
    const stolen = await signIn(server, person.email);
    expect(expectError(await deleteAccount(stolen), 'FORBIDDEN')).toEqual({
      reason: 'fresh_sign_in',
    });
    await browser.call('PUT', '/web/password', { body: { password } });
    const old = await signIn(server, person.email);
    expect(expectError(await deleteAccount(old), 'FORBIDDEN')).toEqual({ reason: 'fresh_sign_in' });
    const wrong = await deleteAccount(old, { currentPassword: 'a guess' });
    expect(problemsOf(wrong)).toEqual(['body.currentPassword wrong_password']);
    expect((await deleteAccount(old, { currentPassword: password })).status).toBe(204);
  });

  it('401: a key; 403 cross_origin: another site', async () => {
    expectError(await call('DELETE', '/api/me', person), 'AUTH_ERROR');
    const foreign = await call('DELETE', '/api/me', {
      headers: { cookie: browser.cookie, origin: 'https://evil.example' },
    });
    expect(expectError(foreign, 'FORBIDDEN')).toEqual({ reason: 'cross_origin' });
  });

  it('409 last_owner: others would be left without an OWNER, and nothing has changed', async () => {
    const owner = await signIn(server, org.owner.email, { openedByLink: true });
    const invitationId = await invite(org, 'waiting@example.com');
    const refused = await deleteAccount(owner);
    expect(expectError(refused, 'CONFLICT')).toEqual({ reason: 'last_owner', orgId: org.orgId });
    expect((await owner.call('GET', '/api/me')).json.data.email).toBe(org.owner.email);
    const { items } = (await owner.call('GET', `/api/org/${org.orgId}/invitations`)).json.data;
    expect(items).toMatchObject([{ id: invitationId }]);
    await addPerson(server.db, org.orgId, 'OWNER');
    expect((await deleteAccount(owner)).status).toBe(204);
  });

  it('204: the only member closes the org; 409 subscription_active while it has one', async () => {
    await deleteMembersBut(org.owner);
    const owner = await signIn(server, org.owner.email, { openedByLink: true });
    const invitationId = await invite(org, 'waiting@example.com');
    await server.db.query(`INSERT INTO credit_accounts (org_id, subscription_id) VALUES ($1, $2)`, [
      org.orgId,
      `sub_${org.orgId}`,
    ]);
    const refused = await deleteAccount(owner);
    expect(expectError(refused, 'CONFLICT')).toEqual({
      reason: 'subscription_active',
      orgId: org.orgId,
    });
    await server.db.query('UPDATE credit_accounts SET ends_with_period = true WHERE org_id = $1', [
      org.orgId,
    ]);
    expect((await deleteAccount(owner)).status).toBe(204);
    expectError(await call('GET', '/api/v1/memories', { key: org.orgKey }), 'AUTH_ERROR');
    const token = invitationToken(server.tokens, invitationId, 1);
    expect((await call('GET', `/web/invitations/${token}`)).json.data.status).toBe('REVOKED');
  });

  it('two OWNERs at once: one goes, the other is the last', async () => {
    const second = await addPerson(server.db, org.orgId, 'OWNER');
    const both = await Promise.all(
      [org.owner, second].map(async ({ email }) => signIn(server, email, { openedByLink: true })),
    );
    const replies = await Promise.all(both.map((each) => deleteAccount(each)));
    const count = (status: number) => replies.filter((reply) => reply.status === status).length;
    expect([count(204), count(409)]).toEqual([1, 1]);
  });
});

async function deleteMembersBut({ userId }: Person): Promise<void> {
  await server.db.query('DELETE FROM memberships WHERE org_id = $1 AND user_id <> $2', [
    org.orgId,
    userId,
  ]);
}
