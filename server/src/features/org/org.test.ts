import { describe, expect, it } from 'vitest';
import { addPerson, createTestOrg, type Person } from '../../../test/harness/factories.ts';
import { useMailServer } from '../../../test/harness/outside/use-mail-server.ts';
import { useTestOrg } from '../../../test/harness/processes/use-test-org.ts';
import { dataOf, reasonOf } from '../../../test/harness/clients/envelope.ts';
import { invitationToken } from './invitation-mail-job.ts';

const server = useMailServer({ PUBLIC_URL: 'https://atrium.example.com' });
const { call } = server;
const org = useTestOrg(() => server.db);
const otherOrg = useTestOrg(() => server.db);

const members = () => `/api/org/${org.orgId}/members`;
const invitations = () => `/api/org/${org.orgId}/invitations`;

async function invite(email: string, role = 'MEMBER') {
  return dataOf(await call('POST', invitations(), org.admin, { email, role }), 201);
}

const tokenOf = (invitation: { id: string }, number = 1) =>
  invitationToken(server.tokens, invitation.id, number);
const accept = (token: string, person: Person) =>
  call('POST', `/api/invitations/${token}/accept`, person);

/** Somebody who says nothing about themselves. */
const BLANK = { title: null, photo: null, status: null, timeZone: null, presence: 'OFFLINE' };

describe('PATCH /org/{orgId}', () => {
  it('200: renames for everybody; the same name or none changes nothing', async () => {
    const fresh = await createTestOrg(server.db);
    const path = `/api/org/${fresh.orgId}`;
    const patch = (body: object) => call('PATCH', path, fresh.admin, body);
    const { status, json } = await patch({ name: ' Acme ' });
    expect([status, json.data]).toEqual([
      200,
      {
        id: fresh.orgId,
        name: 'Acme',
        linkPreviews: true,
        linkPreviewsAvailable: false,
        createdAt: expect.any(String),
      },
    ]);
    expect((await patch({ name: 'Acme' })).json.data).toEqual(json.data);
    expect((await patch({})).json.data).toEqual(json.data);
    const me = await call('GET', '/api/me', fresh.member);
    expect(me.json.data.org).toEqual({ id: fresh.orgId, name: 'Acme' });
    expect((await call('GET', `${path}/audit`, fresh.owner)).json.data.items).toMatchObject([
      { action: 'org.updated', resourceId: fresh.orgId, details: { fields: ['name'] } },
    ]);
  });

  it('200: turns link previews off and on, which every member can see', async () => {
    const fresh = await createTestOrg(server.db);
    const path = `/api/org/${fresh.orgId}`;
    for (const linkPreviews of [false, false, true]) {
      const { json } = await call('PATCH', path, fresh.admin, { linkPreviews });
      expect(json.data).toMatchObject({ linkPreviews });
      expect((await call('GET', path, fresh.member)).json.data).toEqual(json.data);
    }
    const { items } = (await call('GET', `${path}/audit`, fresh.owner)).json.data;
    const entry = { action: 'org.updated', details: { fields: ['linkPreviews'] } };
    expect(items).toMatchObject([entry, entry]);
  });

  it('400: bounds and unknown fields; 403: a MEMBER, and another org', async () => {
    const path = `/api/org/${org.orgId}`;
    for (const body of [
      { name: '' },
      { name: ' ' },
      { name: 'n'.repeat(121) },
      { title: 'x' },
      { linkPreviews: 'no' },
    ]) {
      expect((await call('PATCH', path, org.owner, body)).status).toBe(400);
    }
    const body = { name: 'Mine' };
    expect(reasonOf(await call('PATCH', path, org.member, body))).toEqual([403, 'role']);
    expect(reasonOf(await call('PATCH', path, otherOrg.owner, body))).toEqual([403, 'wrong_org']);
  });
});

describe('GET /org/{orgId}/members', () => {
  it('200: everybody, with email, name and role', async () => {
    const fresh = await createTestOrg(server.db);
    const { data } = (await call('GET', `/api/org/${fresh.orgId}/members`, fresh.member)).json;
    expect(data.total).toBe(3);
    expect(data.items[0]).toEqual({
      ...BLANK,
      userId: fresh.owner.userId,
      email: fresh.owner.email,
      name: fresh.owner.email.split('@')[0],
      handle: fresh.owner.email.split('@')[0],
      role: 'OWNER',
      joinedAt: expect.any(String),
    });
  });
});

describe('PATCH /org/{orgId}/members/{userId}', () => {
  const change = (by: Person, userId: string, role: string) =>
    call('PATCH', `${members()}/${userId}`, by, { role });

  it('200: takes effect with the next request', async () => {
    const person = await addPerson(server.db, org.orgId, 'MEMBER');
    expect((await call('GET', invitations(), person)).status).toBe(403);
    const reply = await change(org.admin, person.userId, 'ADMIN');
    expect(reply.json.data).toMatchObject({ userId: person.userId, role: 'ADMIN' });
    expect((await call('GET', invitations(), person)).status).toBe(200);
  });

  // On Citus, the two lock the tables of users and of memberships, which all orgs share, in opposite orders.
  it('200: while people join this org and others', async () => {
    const people = await Promise.all(
      Array.from({ length: 5 }, () => addPerson(server.db, org.orgId, 'MEMBER')),
    );
    const [replies] = await Promise.all([
      Promise.all(people.map(({ userId }) => change(org.owner, userId, 'ADMIN'))),
      Promise.all(Array.from({ length: 5 }, () => createTestOrg(server.db))),
      Promise.all(Array.from({ length: 5 }, () => addPerson(server.db, org.orgId, 'MEMBER'))),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });

  it('403: an ADMIN can neither change an OWNER nor make one; a MEMBER can change nobody', async () => {
    expect(reasonOf(await change(org.admin, org.owner.userId, 'MEMBER'))).toEqual([403, 'role']);
    expect(reasonOf(await change(org.admin, org.member.userId, 'OWNER'))).toEqual([403, 'role']);
    expect(reasonOf(await change(org.member, org.member.userId, 'ADMIN'))).toEqual([403, 'role']);
  });

  it('400: an unknown role; 404: an unknown member', async () => {
    expect((await change(org.owner, org.member.userId, 'KING')).status).toBe(400);
    for (const userId of [otherOrg.member.userId, 'caaaaaaaaaaaaaaaaaaaaaaaa', 'x']) {
      expect((await change(org.owner, userId, 'ADMIN')).status).toBe(404);
    }
  });

  it('409: the last OWNER must stay one', async () => {
    expect(reasonOf(await change(org.owner, org.owner.userId, 'ADMIN'))).toEqual([
      409,
      'last_owner',
    ]);
    expect((await change(org.owner, org.owner.userId, 'OWNER')).status).toBe(200);
  });
});

describe('DELETE /org/{orgId}/members/{userId}', () => {
  const remove = (by: Person, userId: string) => call('DELETE', `${members()}/${userId}`, by);

  it('204: their keys are revoked, v1 keys stay', async () => {
    const person = await addPerson(server.db, org.orgId, 'ADMIN');
    await call('POST', `/api/org/${org.orgId}/api-keys`, person, { name: 'stays' });
    expect((await remove(org.admin, person.userId)).status).toBe(204);
    expect((await call('GET', '/api/projects', person)).status).toBe(401);
    const [row] = await server.db.query<{ revoked: boolean }>(
      'SELECT revoked_at IS NOT NULL AS revoked FROM api_keys WHERE id = $1',
      [person.keyId],
    );
    expect(row?.revoked).toBe(true);
    const { data } = (await call('GET', `/api/org/${org.orgId}/api-keys`, org.owner)).json;
    expect(data.items[0]).toMatchObject({ name: 'stays', revokedAt: null });
  });

  it('204: anyone may leave; 403: a MEMBER removes somebody else, an ADMIN an OWNER', async () => {
    const person = await addPerson(server.db, org.orgId, 'MEMBER');
    expect(reasonOf(await remove(person, org.member.userId))).toEqual([403, 'role']);
    expect(reasonOf(await remove(org.admin, org.owner.userId))).toEqual([403, 'role']);
    expect((await remove(person, person.userId)).status).toBe(204);
  });

  it('409: the last OWNER; 404: an unknown member', async () => {
    expect(reasonOf(await remove(org.owner, org.owner.userId))).toEqual([409, 'last_owner']);
    expect((await remove(org.owner, otherOrg.owner.userId)).status).toBe(404);
  });
});

describe('POST /org/{orgId}/invitations', () => {
  it('201: a record without the token, and an email with it', async () => {
    const invitation = await invite('Grace@Example.com', 'ADMIN');
    expect(invitation).toEqual({
      id: expect.stringMatching(/^c[a-z0-9]{24}$/),
      email: 'Grace@Example.com',
      role: 'ADMIN',
      status: 'PENDING',
      invitedById: org.admin.userId,
      expiresAt: expect.any(String),
      createdAt: expect.any(String),
    });
    const days = (Date.parse(invitation.expiresAt) - Date.parse(invitation.createdAt)) / 86_400_000;
    expect(days).toBeCloseTo(7, 3);
    const [mail] = await server.mailTo('Grace@Example.com');
    const link = `https://atrium.example.com/invite/${tokenOf(invitation)}`;
    expect(mail?.text).toContain(link);
    expect(String(mail?.html)).toContain(link);
    const rows = await server.db.query(
      'SELECT i.*, j.payload FROM invitations i LEFT JOIN jobs j ON true',
    );
    expect(JSON.stringify(rows)).not.toContain(tokenOf(invitation));
    expect(server.logLines.join('')).not.toContain(tokenOf(invitation));
  });

  it.each([
    { email: 'nobody', role: 'MEMBER' },
    { email: 'a@b.c\r\nBcc: x@y.z', role: 'MEMBER' },
    { email: `${'a'.repeat(250)}@b.c`, role: 'MEMBER' },
    { email: `${'a.'.repeat(30_000)}@b.c`, role: 'MEMBER' },
    { email: 'a@b.c', role: 'OWNER' },
    { email: 'a@b.c' },
    { role: 'MEMBER' },
  ])('400: %j', async (body) => {
    expect((await call('POST', invitations(), org.owner, body)).status).toBe(400);
  });

  it('409: a member; an address with a pending invitation, in any spelling', async () => {
    const body = { email: org.member.email.toUpperCase(), role: 'MEMBER' };
    expect(reasonOf(await call('POST', invitations(), org.owner, body))).toEqual([
      409,
      'already_member',
    ]);
    await invite('twice@example.com');
    const again = await call('POST', invitations(), org.owner, {
      email: 'TWICE@example.com',
      role: 'ADMIN',
    });
    expect(reasonOf(again)).toEqual([409, 'invitation_pending']);
  });

  it('201: once the old one has expired, which is no longer listed', async () => {
    const old = await invite('late@example.com');
    await server.db.query(
      "UPDATE invitations SET expires_at = now() - interval '1 second' WHERE id = $1",
      [old.id],
    );
    const { data } = (await call('GET', invitations(), org.owner)).json;
    expect(data.items.map((invitation: { id: string }) => invitation.id)).not.toContain(old.id);
    await invite('late@example.com');
  });
});

describe('POST /invitations/{token}/accept', () => {
  it('200: with a key of another org: the member record and the org', async () => {
    const invitation = await invite(otherOrg.member.email.toUpperCase(), 'ADMIN');
    const reply = await accept(tokenOf(invitation), otherOrg.member);
    expect(dataOf(reply, 200)).toEqual({
      ...BLANK,
      userId: otherOrg.member.userId,
      email: otherOrg.member.email,
      name: expect.any(String),
      handle: otherOrg.member.email.split('@')[0],
      role: 'ADMIN',
      joinedAt: expect.any(String),
      org: { id: org.orgId, name: expect.any(String) },
    });
    expect(reasonOf(await accept(tokenOf(invitation), otherOrg.member))).toEqual([
      409,
      'invitation_closed',
    ]);
    expect(reasonOf(await accept(tokenOf(invitation), otherOrg.owner))).toEqual([
      403,
      'wrong_invitee',
    ]);
  });

  it('403: another address, before the state is checked; 404: an unknown token', async () => {
    const invitation = await invite('someone@example.com');
    expect(reasonOf(await accept(tokenOf(invitation), org.member))).toEqual([403, 'wrong_invitee']);
    expect((await accept('no-such-token', org.member)).status).toBe(404);
    expect((await call('POST', `/api/invitations/${tokenOf(invitation)}/accept`)).status).toBe(401);
  });

  it('409: revoked, expired, already a member', async () => {
    const person = otherOrg.owner;
    const revoked = await invite(person.email);
    const path = `${invitations()}/${revoked.id}`;
    expect((await call('DELETE', path, org.admin)).status).toBe(204);
    expect((await call('DELETE', path, org.admin)).status).toBe(204);
    expect(reasonOf(await accept(tokenOf(revoked), person))).toEqual([409, 'invitation_closed']);
    const expired = await invite(person.email);
    await server.db.query('UPDATE invitations SET expires_at = now() WHERE id = $1', [expired.id]);
    expect(reasonOf(await accept(tokenOf(expired), person))).toEqual([409, 'invitation_closed']);
    const good = await invite(person.email);
    await server.db.query(
      "INSERT INTO memberships (org_id, user_id, role) VALUES ($1, $2, 'MEMBER')",
      [org.orgId, person.userId],
    );
    expect(reasonOf(await accept(tokenOf(good), person))).toEqual([409, 'already_member']);
  });
});

describe('resending', () => {
  it('200: the new token works, the old one does not', async () => {
    const person = otherOrg.admin;
    const invitation = await invite(person.email);
    const path = `${invitations()}/${invitation.id}/resend`;
    const resent = await call('POST', path, org.admin);
    expect([resent.status, resent.json.data.id]).toEqual([200, invitation.id]);
    expect((await accept(tokenOf(invitation, 1), person)).status).toBe(404);
    expect((await accept(tokenOf(invitation, 2), person)).status).toBe(200);
    expect(reasonOf(await call('POST', path, org.admin))).toEqual([409, 'invitation_closed']);
  });

  it("404: another org's invitation", async () => {
    const invitation = await invite('here@example.com');
    for (const [method, suffix] of [
      ['POST', '/resend'],
      ['DELETE', ''],
    ] as const) {
      const path = `/api/org/${otherOrg.orgId}/invitations/${invitation.id}${suffix}`;
      expect((await call(method, path, otherOrg.owner)).status).toBe(404);
    }
  });
});

describe('GET /org/{orgId}/audit', () => {
  it('200: who did what to which resource, from which key; no secret', async () => {
    const fresh = await createTestOrg(server.db);
    const project = (await call('POST', '/api/projects', fresh.owner, { name: 'Audited' })).json
      .data;
    const made = (await call('POST', '/api/keys', fresh.owner, { name: 'k', scopes: ['org:read'] }))
      .json.data;
    await call('PATCH', `/api/projects/${project.id}`, fresh.owner, { name: 'Audited!' });
    await call('PATCH', `/api/org/${fresh.orgId}/members/${fresh.member.userId}`, fresh.owner, {
      role: 'ADMIN',
    });
    await call('POST', '/api/projects', fresh.owner, { name: 'Audited' });
    const reply = await call('GET', `/api/org/${fresh.orgId}/audit`, fresh.owner);
    expect(reply.json.data.total).toBe(4);
    expect(reply.json.data.items.map((entry: { action: string }) => entry.action)).toEqual([
      'member.role_changed',
      'project.updated',
      'key.created',
      'project.created',
    ]);
    expect(reply.json.data.items[3]).toEqual({
      id: expect.any(String),
      action: 'project.created',
      resourceType: 'project',
      resourceId: project.id,
      resourceName: 'Audited!',
      actorKind: 'user',
      actorUserId: fresh.owner.userId,
      actorAgent: null,
      keyId: fresh.owner.keyId,
      requestId: expect.any(String),
      details: {},
      createdAt: expect.any(String),
    });
    expect(reply.text).not.toContain(made.secret);
    expect((await call('GET', `/api/org/${fresh.orgId}/audit`, otherOrg.member)).status).toBe(403);
  });
});

describe('GET /me', () => {
  it('200: the person, the org, the key', async () => {
    const { data } = (await call('GET', '/api/me', org.member)).json;
    expect(data).toMatchObject({
      userId: org.member.userId,
      email: org.member.email,
      role: 'MEMBER',
      org: { id: org.orgId, name: expect.any(String) },
      keyId: org.member.keyId,
    });
    expect(data.scopes).toContain('messages:write');
  });
});
