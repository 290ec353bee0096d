import { beforeEach, describe, expect, it } from 'vitest';
import { invitationToken } from '../../src/features/org/invitation-mail-job.ts';
import { browserWith, signIn, type Browser } from '../harness/clients/browser.ts';
import type { Reply } from '../harness/clients/client.ts';
import { addPerson, createTestOrg, type Person, type TestOrg } from '../harness/factories.ts';
import { useTestServer } from '../harness/processes/use-test-server.ts';
import { raceOnPerson } from './race-on-person.ts';

const PASSWORD = 'correct horse battery';

const server = useTestServer();
let org: TestOrg;
let person: Person;
let browser: Browser;

beforeEach(async () => {
  org = await createTestOrg(server.db);
  person = await addPerson(server.db, org.orgId, 'MEMBER');
  // Otherwise the first request with the cookie writes it, and is counted with those that wait.
  await server.db.query('UPDATE users SET last_org_id = $2 WHERE id = $1', [
    person.userId,
    org.orgId,
  ]);
  browser = await signIn(server, person.email, { openedByLink: true });
});

/** Sends `racer` while the account is being deleted, and lets the deletion commit first. */
async function raceDeletion(racer: () => Promise<Reply>): Promise<Reply> {
  const deletion = () => browser.call('DELETE', '/api/me');
  const [deleted, raced] = await raceOnPerson(server.db, person.userId, [deletion, racer]);
  expect(deleted?.status, deleted?.text).toBe(204);
  return raced as Reply;
}

async function expectGone(): Promise<void> {
  const [row] = await server.db.query(
    `SELECT name, email, (SELECT count(*)::int FROM web_sessions s WHERE s.user_id = u.id) AS sessions,
       (SELECT count(*)::int FROM memberships m WHERE m.user_id = u.id) AS orgs
     FROM users u WHERE id = $1`,
    [person.userId],
  );
  expect(row).toEqual({ name: 'Former member', email: '', sessions: 0, orgs: 0 });
}

describe('while an account is being deleted', () => {
  it('no invitation is accepted', async () => {
    const other = await createTestOrg(server.db);
    const body = { email: person.email, role: 'MEMBER' };
    const invited = await server.call('POST', `/api/org/${other.orgId}/invitations`, {
      key: other.owner.key,
      body,
    });
    const token = invitationToken(server.tokens, invited.json.data.id, 1);
    const path = `/api/invitations/${token}/accept`;
    const reply = await raceDeletion(() => server.call('POST', path, { key: person.key }));
    expect(reply.status).toBe(403);
    await expectGone();
  });

  it('nobody signs in with the password', async () => {
    await browser.call('PUT', '/web/password', { body: { password: PASSWORD } });
    const body = { email: person.email, password: PASSWORD };
    const reply = await raceDeletion(() =>
      browserWith(server).call('POST', '/web/sign-in', { body }),
    );
    expect(reply.status).toBe(401);
    await expectGone();
  });

  it('no organisation is created', async () => {
    const reply = await raceDeletion(() =>
      server.call('POST', '/api/orgs', { key: person.key, body: { name: 'Mine' } }),
    );
    expect(reply.status).toBe(404);
    await expectGone();
  });

  it('no name is set', async () => {
    const body = { name: 'Ada' };
    const reply = await raceDeletion(() => browser.call('PATCH', '/web/profile', { body }));
    expect(reply.text).not.toContain('Ada');
    await expectGone();
  });
});
