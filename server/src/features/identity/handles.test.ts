import { describe, expect, it } from 'vitest';
import { signIn } from '../../../test/harness/clients/browser.ts';
import type { Reply } from '../../../test/harness/clients/client.ts';
import { dataOf, expectError, expectInvalid } from '../../../test/harness/clients/envelope.ts';
import {
  addPerson,
  createTestOrg,
  keyWithScopes,
  type Person,
} from '../../../test/harness/factories.ts';
import { useServerWithNewOrgs } from '../../../test/harness/processes/use-test-org.ts';
import { giveMissingHandles } from '../mentions/service.ts';
import { purgeRestingHandles } from '../mentions/store.ts';
import { createMember } from './service.ts';

const { server, call, org } = useServerWithNewOrgs();

const patch = (body: object, by: { key: string } = org.member) =>
  call('PATCH', '/api/me', by, body);
const handleOf = async (by: Person) =>
  (await call('GET', '/api/me', by)).json.data.handle as string;

async function join(email: string): Promise<string> {
  const user = await createMember(server.db, org.orgId, { email, role: 'MEMBER' });
  const members = await call('GET', `/api/org/${org.orgId}/members`, org.owner);
  const items = members.json.data.items as { userId: string; handle: string }[];
  return items.find(({ userId }) => userId === user?.id)?.handle ?? '';
}

describe('a new member', () => {
  it('gets a handle from the address, or a free variant of it', async () => {
    const at = Math.random().toString(36).slice(2);
    expect(await join(`Ada.Lovelace@${at}.example.com`)).toBe('ada-lovelace');
    expect(await join(`ada_lovelace@${at}.example.com`)).toBe('ada-lovelace-2');
    expect(await join(`x@${at}.example.com`)).toBe('member');
    expect(await join(`recall@${at}.example.com`)).toBe('recall-2');
    expect(await join(`${'a'.repeat(60)}@${at}.example.com`)).toBe('a'.repeat(32));
    expect(await join(`${'a'.repeat(61)}@${at}.example.com`)).toBe(`${'a'.repeat(30)}-2`);
  });

  it('finds a handle however many have the same name', async () => {
    const at = Math.random().toString(36).slice(2);
    const handles = [];
    for (let nth = 0; nth < 7; nth++) handles.push(await join(`same@${nth}.${at}.example.com`));
    expect(handles.slice(0, 4)).toEqual(['same', 'same-2', 'same-3', 'same-4']);
    for (const handle of handles.slice(4)) expect(handle).toMatch(/^same-\d{5}$/);
  });

  it('does not get the name of an agent', async () => {
    const body = { slug: 'planner', name: 'Planner' };
    await call('POST', '/api/agents', org.owner, body);
    expect(await join(`planner@${Math.random()}.example.com`)).toBe('planner-2');
  });

  it('whom an older version added gets one later', async () => {
    const { userId } = await addPerson(server.db, org.orgId, 'MEMBER');
    await server.db.query('DELETE FROM mention_names WHERE user_id = $1', [userId]);
    await server.db.query('UPDATE memberships SET handle = NULL WHERE user_id = $1', [userId]);
    expect(await giveMissingHandles(server.db, { find: () => undefined })).toBe(1);
    const [row] = await server.db.query<{ handle: string; name: string }>(
      `SELECT m.handle, n.name FROM memberships m
       JOIN mention_names n ON n.org_id = m.org_id AND n.user_id = m.user_id WHERE m.user_id = $1`,
      [userId],
    );
    expect(row?.handle).toMatch(/^person\d+$/);
    expect(row?.name).toBe(row?.handle);
    expect(await giveMissingHandles(server.db, { find: () => undefined })).toBe(0);
  });
});

describe('a handle that somebody gave up', () => {
  const remove = (userId: string) =>
    call('DELETE', `/api/org/${org.orgId}/members/${userId}`, org.owner);
  const free = async () => {
    await patch({ handle: 'wanted' });
    await patch({ handle: 'other' });
  };
  const refusedFor = async (reply: Reply) =>
    expect(expectError(reply, 'CONFLICT')).toEqual({ reason: 'slug_taken', slug: 'wanted' });

  it('409 slug_taken: is not taken by another person, an agent or an MCP server', async () => {
    await free();
    await refusedFor(await patch({ handle: 'wanted' }, org.admin));
    const agent = { slug: 'wanted', name: 'Agent' };
    await refusedFor(await call('POST', '/api/agents', org.admin, agent));
    const body = {
      displayName: 'Tools',
      mentionSlug: 'wanted',
      endpointUrl: 'https://93.184.216.34/mcp',
      authType: 'NONE',
    };
    await refusedFor(await call('POST', '/api/mcp/servers', org.admin, body));
  });

  it('200: is taken back by the person who had it', async () => {
    await free();
    expect((await patch({ handle: 'wanted' })).status).toBe(200);
    expect(await handleOf(org.member)).toBe('wanted');
    expect((await patch({ handle: 'other' })).status).toBe(200);
  });

  it('rests when its member is removed, and is theirs again when they come back', async () => {
    await patch({ handle: 'wanted' });
    expect((await remove(org.member.userId)).status).toBe(204);
    await refusedFor(await patch({ handle: 'wanted' }, org.admin));
    const at = Math.random().toString(36).slice(2);
    expect(await join(`wanted@${at}.example.com`)).toBe('wanted-2');
    await server.db.query('UPDATE users SET name = $2 WHERE id = $1', [
      org.member.userId,
      'Wanted',
    ]);
    expect(await join(org.member.email)).toBe('wanted');
  });

  it('rests when its account is deleted', async () => {
    await patch({ handle: 'wanted' });
    const browser = await signIn(server, org.member.email, { openedByLink: true });
    expect((await browser.call('DELETE', '/api/me')).status).toBe(204);
    await refusedFor(await patch({ handle: 'wanted' }, org.admin));
  });

  it('200: is free in another org, and for everybody after 90 days', async () => {
    await free();
    const other = await createTestOrg(server.db);
    expect((await patch({ handle: 'wanted' }, other.member)).status).toBe(200);
    const rest = (days: number) =>
      server.db.query(
        `UPDATE mention_names SET freed_at = now() - make_interval(days => $2)
         WHERE org_id = $1 AND freed_at IS NOT NULL`,
        [org.orgId, days],
      );
    await rest(89);
    await purgeRestingHandles(server.db);
    await refusedFor(await patch({ handle: 'wanted' }, org.admin));
    await rest(90);
    expect(await purgeRestingHandles(server.db)).toBeGreaterThanOrEqual(1);
    expect((await patch({ handle: 'wanted' }, org.admin)).status).toBe(200);
  });

  it('409 limit_reached: nobody keeps more than 10 names from the others', async () => {
    for (let nth = 0; nth <= 9; nth++) {
      expect((await patch({ handle: `name-${nth}` })).status).toBe(200);
    }
    expect(expectError(await patch({ handle: 'one-more' }), 'CONFLICT')).toMatchObject({
      reason: 'limit_reached',
      limit: 'handle_changes',
    });
    expect((await patch({ handle: 'name-3' })).status).toBe(200);
  });
});

describe('PATCH /me', () => {
  it('200: name and handle, shown wherever people are shown', async () => {
    const reply = await patch({ name: ' Grace ', handle: 'grace.h' });
    expect(dataOf(reply, 200)).toMatchObject({ name: 'Grace', handle: 'grace.h' });
    const { json } = await call('GET', `/api/org/${org.orgId}/members`, org.owner);
    expect(json.data.items).toContainEqual(
      expect.objectContaining({ userId: org.member.userId, name: 'Grace', handle: 'grace.h' }),
    );
    const project = await call('POST', '/api/projects', org.owner, { name: 'Hopper' });
    const path = `/api/projects/${project.json.data.id}/members`;
    expect((await call('GET', path, org.owner)).json.data.items).toContainEqual(
      expect.objectContaining({ userId: org.member.userId, handle: 'grace.h' }),
    );
    const audit = await call('GET', `/api/org/${org.orgId}/audit?limit=9`, org.owner);
    expect(audit.json.data.items).toContainEqual(
      expect.objectContaining({
        action: 'member.handle_changed',
        resourceId: org.member.userId,
        details: {},
      }),
    );
  });

  it('200: nothing to change, or the same handle again', async () => {
    const handle = await handleOf(org.member);
    for (const body of [{}, { handle }, { handle: null, name: null }]) {
      const reply = await patch(body);
      expect([reply.status, reply.json.data.handle]).toEqual([200, handle]);
    }
  });

  it('200: in the browser; each org has its own handle', async () => {
    const other = await createTestOrg(server.db);
    await createMember(server.db, other.orgId, { email: org.member.email, role: 'MEMBER' });
    const browser = await signIn(server, org.member.email);
    const headers = { 'atrium-org': other.orgId };
    const reply = await browser.call('PATCH', '/api/me', { headers, body: { handle: 'twice' } });
    expect(reply.json.data).toMatchObject({ handle: 'twice', org: { id: other.orgId } });
    expect(await handleOf(org.member)).not.toBe('twice');
    expect((await patch({ handle: 'twice' })).status).toBe(200);
  });

  it('400: too short, too long, other characters, look-alikes, a final dot', async () => {
    const bad = [
      'a',
      'a'.repeat(33),
      '',
      'Ada',
      'аda',
      'ada lovelace',
      '.ada',
      '-ada',
      'ada.',
      'ａda',
    ];
    for (const handle of [...bad, 'ada\u0000', 7]) {
      const reply = await patch({ handle });
      expect(expectInvalid(reply)).toMatchObject([{ location: 'body.handle' }]);
    }
    expectError(await patch({ handles: 'ada' }), 'VALIDATION_ERROR');
    for (const handle of ['ab', 'a'.repeat(32), 'a.-_', '0-']) {
      expect((await patch({ handle })).status).toBe(200);
    }
  });

  it('409: the name of a model, an agent, an MCP server or somebody else', async () => {
    const before = await handleOf(org.member);
    await call('POST', '/api/agents', org.owner, { slug: 'planner', name: 'P' });
    const endpointUrl = 'https://93.184.216.34/mcp';
    const tools = { displayName: 'T', mentionSlug: 'tools', endpointUrl, authType: 'NONE' };
    await call('POST', '/api/mcp/servers', org.owner, tools);
    for (const handle of ['model', 'recall', 'planner', 'tools', await handleOf(org.owner)]) {
      const reply = await patch({ handle, name: 'Not this' });
      expectError(reply, 'CONFLICT');
      expect(reply.json.error.details).toMatchObject({ reason: 'slug_taken', slug: handle });
    }
    expect((await call('GET', '/api/me', org.member)).json.data).toMatchObject({
      handle: before,
      name: expect.stringMatching(/^person/),
    });
    const clash = await call('POST', '/api/agents', org.owner, { slug: before, name: 'P' });
    expect(clash.json.error.details.reason).toBe('slug_taken');
  });

  it('403: a key without org:write; 401: no key', async () => {
    const limited = await keyWithScopes(server.db, org.orgId, org.member.userId, ['org:read']);
    expectError(await patch({ name: 'No' }, limited), 'FORBIDDEN');
    expectError(await call('PATCH', '/api/me', { body: {} }), 'AUTH_ERROR');
  });

  it('403: a handle without an organisation; the name can be changed', async () => {
    const person = await addPerson(server.db, org.orgId, 'MEMBER');
    await server.db.query('DELETE FROM memberships WHERE user_id = $1', [person.userId]);
    const browser = await signIn(server, person.email);
    const reply = await browser.call('PATCH', '/api/me', { body: { handle: 'nobody' } });
    expect(reply.json.error.details.reason).toBe('wrong_org');
    const renamed = await browser.call('PATCH', '/api/me', { body: { name: 'Nobody' } });
    expect(renamed.json.data).toMatchObject({ name: 'Nobody', handle: null, org: null });
  });
});
