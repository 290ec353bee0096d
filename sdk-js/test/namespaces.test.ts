import { beforeAll, describe, expect, inject, it } from 'vitest';
import {
  Atrium,
  AtriumMemory,
  AuthError,
  ConflictError,
  ForbiddenError,
  NotFoundError,
  ValidationError,
} from '../src/index.ts';
import { connect, failure, openSession } from './harness/client.ts';
import { tokenInMail } from './harness/mail.ts';

const server = inject('server');
const baseURL = `${server.origin}/api`;
const { orgId, userId } = server;
const client = connect();

describe('projects', () => {
  it('create, get, update, list, members, archive, restore', async () => {
    const { data: project, ...answer } = await client.projects
      .create({ name: 'Pricing', tags: ['finance'], access: 'MEMBERS' })
      .withResponse();
    expect(project).toMatchObject({ slug: 'pricing', tags: ['finance'], archivedAt: null });
    expect(answer).toMatchObject({ status: 201, attempts: 1, isReplay: false });
    expect(answer.requestId).toBe(answer.headers.get('x-request-id'));
    expect(await client.projects.get(project.id)).toEqual(project);
    expect(await client.projects.update(project.id, { description: 'All of it' })).toMatchObject({
      slug: 'pricing',
      description: 'All of it',
    });
    const page = await client.projects.list({ limit: 100 });
    expect(page.items.map(({ id }) => id)).toContain(project.id);
    expect(page.requestId).toBeTypeOf('string');
    expect(await client.projects.addMember(project.id, userId)).toMatchObject({ userId });
    const members = await client.projects.listMembers(project.id);
    expect(members).toMatchObject({ items: [{ userId }], total: 1, hasNextPage: false });
    expect(await client.projects.removeMember(project.id, userId)).toBeUndefined();
    expect(await client.projects.archive(project.id)).toBeUndefined();
    expect((await client.projects.get(project.id)).archivedAt).toBeTypeOf('string');
    expect((await client.projects.restore(project.id)).archivedAt).toBeNull();
  });
});

describe('sessions and messages', () => {
  it('create, read mark, thread, reactions, edit, delete, archive, restore', async () => {
    const { slug, sessionId } = await openSession(client);
    expect(await client.sessions.update(slug, sessionId, { title: 'Prices' })).toMatchObject({
      title: 'Prices',
    });
    const emptied = await client.sessions.update(slug, sessionId, { participantUserIds: [] });
    expect(emptied).toMatchObject({ access: 'PROJECT', participantUserIds: [] });
    const ours = { name: 'Ours', access: 'PARTICIPANTS' } as const;
    expect(await client.sessions.create(slug, ours)).toMatchObject({ access: 'PARTICIPANTS' });
    const asked = await client.messages.post(slug, sessionId, { body: 'Shall we?' });
    const reply = await client.messages.post(slug, sessionId, {
      body: 'Yes',
      parentMessageId: asked.id,
    });
    const thread = await client.messages.list(slug, sessionId, { parentMessageId: asked.id });
    expect(thread.items.map(({ id }) => id)).toEqual([reply.id]);
    expect(await client.messages.search({ query: '"shall we"', sessionId })).toMatchObject({
      items: [{ message: { id: asked.id }, project: { slug }, highlights: [{ start: 0, end: 8 }] }],
      total: 1,
      degraded: false,
    });
    expect(await client.messages.react(slug, asked.id, { emoji: '❤️' })).toMatchObject({
      emoji: '❤️',
      userId,
    });
    expect((await client.messages.get(slug, asked.id)).reactions).toHaveLength(1);
    await client.messages.unreact(slug, asked.id, '❤️');
    expect((await client.messages.get(slug, asked.id)).reactions).toEqual([]);
    expect((await client.messages.edit(slug, reply.id, { body: 'No' })).body).toBe('No');
    const shown = await client.messages.edit(slug, reply.id, { hidePreviews: true });
    expect(shown.previews).toEqual([]);
    await client.messages.delete(slug, reply.id);
    expect((await client.messages.get(slug, reply.id)).deletedAt).toBeTypeOf('string');
    expect(
      (await client.sessions.markRead(slug, sessionId, { messageId: reply.id })).unreadCount,
    ).toBe(0);
    // Other files use the same organisation at the same time.
    const threads = await client.messages.listThreads();
    expect(threads.items.map(({ id }) => id)).toContain(asked.id);
    expect(
      (await client.sessions.markUnread(slug, sessionId, { messageId: asked.id })).unreadCount,
    ).toBe(0);
    const all = await client.sessions.listAll({ unread: false, limit: 100 });
    expect(all.items.map(({ id }) => id)).toContain(sessionId);
    expect(await client.sessions.markAllRead()).toBeUndefined();
    expect((await client.sessions.listAll({ unread: true })).unreadTotal).toBe(0);
    await client.sessions.archive(slug, sessionId);
    const archived = await client.sessions.list(slug, { status: 'ARCHIVED' });
    expect(archived.items.map(({ id }) => id)).toEqual([sessionId]);
    expect(await client.sessions.get(slug, sessionId)).toMatchObject({
      status: 'ARCHIVED',
      answersAs: 'recall',
      summary: null,
    });
    const error = await failure(
      client.messages.post(slug, sessionId, { body: 'Late' }),
      ConflictError,
    );
    expect(error).toMatchObject({ status: 409, code: 'CONFLICT', reason: 'session_archived' });
    expect((await client.sessions.restore(slug, sessionId)).status).toBe('ACTIVE');
  });
});

describe('memory', () => {
  it('create, search, update, list, delete', async () => {
    const content = 'Deployments go out on Thursdays, after the stand-up.';
    const memory = await client.memory.create({ content, visibility: 'PRIVATE', tags: ['ops'] });
    const found = await client.memory.search({ query: 'on which day do we release?' });
    const match = found.items.find(({ id }) => id === memory.id);
    expect(match).toMatchObject({ content, score: expect.any(Number) });
    expect(found.degraded).toBe(false);
    expect(await client.memory.update(memory.id, { tags: ['wiki'] })).toMatchObject({
      tags: ['wiki'],
    });
    const list = await client.memory.list({ tag: 'wiki', visibility: 'PRIVATE' });
    expect(list.items.map(({ id }) => id)).toEqual([memory.id]);
    await client.memory.delete(memory.id);
    const error = await failure(client.memory.get(memory.id), NotFoundError);
    expect(error).toMatchObject({ status: 404, code: 'NOT_FOUND', requestId: expect.any(String) });
  });
});

describe('identity, models, agents, billing, mcp', () => {
  it('me and models', async () => {
    expect(await client.identity.me()).toMatchObject({ userId, role: 'OWNER', org: { id: orgId } });
    const models = await client.models.list();
    expect(models.items).toContainEqual(
      expect.objectContaining({ slug: 'recall', isDefault: true }),
    );
  });

  it('change the handle, follow, leave and mute a session, read notifications', async () => {
    const me = await client.identity.update({ handle: 'sdk.user', emailNotifications: 'ALL' });
    expect(me).toMatchObject({ userId, handle: 'sdk.user', emailNotifications: 'ALL' });
    const { slug, sessionId } = await openSession(client);
    const alone = client.sessions.openDirect({ userIds: [userId] });
    expect((await failure(alone, ValidationError)).errors[0]?.location).toBe('body.userIds[0]');
    await client.sessions.leave(slug, sessionId);
    expect((await client.sessions.follow(slug, sessionId)).isFollowed).toBe(true);
    expect((await client.sessions.getReach(slug, sessionId)).mayBroadcast).toBe(true);
    expect((await client.sessions.mute(slug, sessionId, { muted: true })).muted).toBe(true);
    const answered = client.sessions.update(slug, sessionId, { answersWithoutMention: true });
    expect((await answered).answersWithoutMention).toBe(true);
    const page = await client.notifications.list({ unread: true, limit: 1 });
    expect(page.unreadTotal).toEqual(expect.any(Number));
    const until = new Date(Date.now() - 1_000).toISOString();
    const left = { unreadTotal: expect.any(Number) };
    for (const what of [{ until }, { taskId: 'none' }]) {
      expect(await client.notifications.markRead(what)).toEqual(left);
    }
  });

  it('create, change and archive an agent', async () => {
    const { projectId } = await openSession(client);
    const made = await client.agents.create({
      slug: 'helper',
      name: 'Helper',
      tools: ['remember'],
    });
    expect((await client.agents.list()).items).toEqual([made]);
    const changed = await client.agents.update(made.id, { projectIds: [projectId], tools: null });
    expect(changed).toMatchObject({ slug: 'helper', projectIds: [projectId], tools: [] });
    await client.agents.archive(made.id);
    expect((await client.agents.get(made.id)).archivedAt).toEqual(expect.any(String));
    expect((await client.agents.list({ archived: true })).total).toBe(1);
    expect((await client.agents.restore(made.id)).archivedAt).toBeNull();
  });

  it('create, list, change, decide on, archive and restore tasks', async () => {
    const { projectId } = await openSession(client);
    const made = await client.tasks.create(projectId, { title: 'Compare', dueOn: '2027-03-31' });
    const other = await client.tasks.create(projectId, { title: 'Think', status: 'PROPOSED' });
    const listed = await client.tasks.list(projectId, { status: ['TODO', 'PROPOSED'] });
    expect(listed.items).toEqual([other, made]);
    expect((await client.tasks.list(projectId, { status: ['DONE'] })).total).toBe(0);
    const changed = await client.tasks.update(projectId, made.id, {
      assigneeUserId: userId,
      version: made.version,
    });
    expect((await client.tasks.listAll({ assigneeUserId: 'me' })).items).toContainEqual(changed);
    const stale = await failure(
      client.tasks.update(projectId, made.id, { title: 'x', version: made.version }),
      ConflictError,
    );
    expect(stale).toMatchObject({ details: { reason: 'version_conflict', task: changed } });
    const decided = await client.tasks.decide(projectId, { accept: [other.id] });
    expect(decided.items).toMatchObject([{ id: other.id, status: 'TODO' }]);
    expect((await client.tasks.listActivity(projectId, made.id)).items).toHaveLength(2);
    const session = await client.tasks.openSession(projectId, other.id);
    expect(session.taskId).toBe(other.id);
    expect(await client.tasks.start(projectId, other.id, { agent: 'recall' })).toMatchObject({
      status: 'IN_PROGRESS',
      sessionId: session.id,
    });
    await client.tasks.archive(projectId, made.id);
    expect((await client.tasks.get(projectId, made.id)).archivedAt).toEqual(expect.any(String));
    expect((await client.tasks.restore(projectId, made.id)).archivedAt).toBeNull();
  });

  it('credits, ledger, usage and hosted pages', async () => {
    expect(await client.billing.credits()).toMatchObject({
      plan: 'free',
      balance: expect.any(Number),
    });
    const { items: plans } = await client.billing.plans();
    expect(plans.map(({ plan }) => plan)).toEqual(['free', 'pro', 'team', 'enterprise']);
    expect((await client.billing.ledger()).items[0]).toMatchObject({ kind: 'GRANT' });
    expect((await client.billing.usage({ from: '2026-01-01', to: '2026-01-02' })).items).toEqual(
      [],
    );
    for (const page of [
      await client.billing.topup({ pack: 'small' }),
      await client.billing.topup({ credits: 100 }),
      await client.billing.checkout({ plan: 'pro' }),
    ]) {
      expect(page.url).toMatch(/^https?:/);
    }
    await client.billing.portal().then(
      ({ url }) => expect(url).toMatch(/^https?:/),
      (error: unknown) => expect(error).toBeInstanceOf(ConflictError),
    );
  });

  it('register, test, bind and delete an MCP server', async () => {
    const made = await client.mcp.create({
      displayName: 'Closed',
      mentionSlug: 'closed',
      authType: 'NONE',
      endpointUrl: inject('closedMcpUrl'),
    });
    expect(await client.mcp.testConnection(made.id)).toMatchObject({
      ok: false,
      error: { code: expect.any(String) },
    });
    const { projectId } = await openSession(client);
    const bound = await client.mcp.bindProjects(made.id, { projectIds: [projectId] });
    expect(bound.projectIds).toEqual([projectId]);
    expect((await client.mcp.list()).items.map(({ id }) => id)).toEqual([made.id]);
    await client.mcp.delete(made.id);
    expect((await client.mcp.list()).total).toBe(0);
  });
});

describe('org and keys', () => {
  it('create an organisation, which the key does not belong to', async () => {
    const renamed = await client.org.update(orgId, { name: 'Renamed' });
    expect(renamed).toMatchObject({ id: orgId, name: 'Renamed' });
    expect(await client.org.update(orgId, { linkPreviews: true })).toEqual(renamed);
    expect(await client.org.get(orgId)).toEqual(renamed);
    const made = await client.org.create({ name: 'Another' });
    expect(made).toMatchObject({ name: 'Another', role: 'OWNER' });
    const error = await failure(client.org.listMembers(made.id), ForbiddenError);
    expect(error.reason).toBe('wrong_org');
  });

  it('invite, resend, accept with the token from the email, change the role, remove', async () => {
    const invitation = await client.org.invite(orgId, {
      email: 'grace@example.com',
      role: 'MEMBER',
    });
    expect((await client.org.listInvitations(orgId)).items).toEqual([invitation]);
    await tokenInMail(server.dataDir, 1);
    const { url } = await client.org.invitationLink(orgId, invitation.id);
    expect(url).toContain(`/invite/${invitation.id}.`);
    expect(await client.org.resendInvitation(orgId, invitation.id)).toMatchObject({
      status: 'PENDING',
    });
    const token = await tokenInMail(server.dataDir, 2);
    const error = await failure(client.org.acceptInvitation(token), ForbiddenError);
    expect(error.reason).toBe('wrong_invitee');
    await client.org.revokeInvitation(orgId, invitation.id);
    expect((await client.org.listInvitations(orgId)).total).toBe(0);
    expect((await client.org.listMembers(orgId)).items).toMatchObject([{ userId, role: 'OWNER' }]);
    const last = await failure(
      client.org.updateMember(orgId, userId, { role: 'MEMBER' }),
      ConflictError,
    );
    expect(last.reason).toBe('last_owner');
    expect((await failure(client.org.removeMember(orgId, userId), ConflictError)).reason).toBe(
      'last_owner',
    );
    const actions: string[] = [];
    for await (const entry of client.org.listAudit(orgId, { limit: 5 })) actions.push(entry.action);
    const renamed = await client.org.listAudit(orgId, {
      action: 'org.updated',
      actorUserId: userId,
    });
    expect(renamed.items.every(({ action }) => action === 'org.updated')).toBe(true);
    expect(actions.length).toBeGreaterThan(5);
  });

  it('exports arrive as streams', async () => {
    for (const [download, own] of [
      [client.org.export(orgId), '"id"'],
      [client.identity.export(), `"userId":"${userId}"`],
    ] as const) {
      const { data, requestId } = await download.withResponse();
      expect(requestId).toBeTypeOf('string');
      const text = data.pipeThrough(new DecompressionStream('gzip') as TransformStream);
      expect(await new Response(text).text()).toContain(own);
    }
    const error = await failure(client.org.export('c'.repeat(25)), ForbiddenError);
    expect(error.reason).toBe('wrong_org');
  });

  it('create, use, rotate and revoke a key with its own scopes', async () => {
    const made = await client.keys.create({
      name: 'Reader',
      scopes: ['projects:read', 'keys:write'],
    });
    const reader = connect({ apiKey: made.secret });
    expect((await reader.projects.list()).items).toBeInstanceOf(Array);
    const error = await failure(reader.memory.list(), ForbiddenError);
    expect(error.reason).toBe('missing_scope');
    const rotated = await client.keys.rotate(made.id, { gracePeriodSeconds: 0 });
    await failure(reader.projects.list(), AuthError);
    expect((await client.keys.revoke(rotated.id)).revokedAt).toBeTypeOf('string');
    expect((await client.keys.list()).items.map(({ id }) => id)).toContain(made.id);
  });

  describe('v1 keys and AtriumMemory', () => {
    let v1: AtriumMemory;
    let keyId: string;

    beforeAll(async () => {
      const made = await client.keys.createOrgKey(orgId, { name: 'Import' });
      keyId = made.id;
      v1 = new AtriumMemory({ apiKey: made.key, baseURL });
    });

    it('create, get, update, search, list, delete', async () => {
      const made = await v1.memories.create({
        content: 'The office cat is called Ada.',
        visibility: 'ORG',
      });
      expect(await v1.memories.get(made.id)).toMatchObject({ ownerUserId: null });
      await v1.memories.update(made.id, { tags: ['cats'] });
      const { items } = await v1.memories.search({ query: 'name of the cat', tags: ['cats'] });
      expect(items.map(({ id }) => id)).toEqual([made.id]);
      const all: string[] = [];
      for await (const { id } of v1.memories.list({ tag: 'cats' })) all.push(id);
      expect(all).toEqual([made.id]);
      const refused = v1.memories.create({ content: 'psst', visibility: 'PRIVATE' });
      expect((await failure(refused, ForbiddenError)).reason).toBe('role');
      await v1.memories.delete(made.id);
    });

    it('list, rotate and revoke them', async () => {
      const rotated = await client.keys.rotateOrgKey(orgId, keyId);
      const ids = (await client.keys.listOrgKeys(orgId)).items.map(({ id }) => id);
      expect(ids).toEqual(expect.arrayContaining([keyId, rotated.id]));
      expect((await client.keys.revokeOrgKey(orgId, rotated.id)).revokedAt).toBeTypeOf('string');
      await failure(v1.memories.list(), AuthError);
    });
  });
});

describe('errors', () => {
  it('400: lists every invalid field, also in the message', async () => {
    const body = { nme: 'Typo', tags: ['x'.repeat(51)] } as unknown as { name: string };
    const error = await failure(client.projects.create(body), ValidationError);
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', status: 400, name: 'ValidationError' });
    expect(error.errors.map(({ location }) => location).toSorted()).toEqual([
      'body.name',
      'body.nme',
      'body.tags[0]',
    ]);
    expect(error.message).toContain('body.name');
  });

  it('401: an unknown key', async () => {
    const stranger = new Atrium({ apiKey: `atr_${'0'.repeat(46)}`, baseURL });
    const error = await failure(stranger.projects.list(), AuthError);
    expect(error).toMatchObject({ status: 401, code: 'AUTH_ERROR', requestId: expect.any(String) });
  });

  it('404: a base URL without /api', async () => {
    const lost = new Atrium({ apiKey: server.key, baseURL: server.origin });
    await expect(lost.projects.list()).rejects.toMatchObject({ status: 404 });
  });

  it('withResponse rejects once', async () => {
    await expect(client.projects.get('c0').withResponse()).rejects.toBeInstanceOf(NotFoundError);
  });
});
