import { beforeEach, describe, expect, it } from 'vitest';
import {
  addPerson,
  createTestOrg,
  type Person,
  type TestOrg,
} from '../../../../test/harness/factories.ts';
import { expectInvalid } from '../../../../test/harness/clients/envelope.ts';
import { useTestServer } from '../../../../test/harness/processes/use-test-server.ts';

const server = useTestServer();
const SESSIONS = '/api/spaces/talk/sessions';
let org: TestOrg;
/** The second session of the Project, so that nobody follows it who did not choose to. */
let path: string;

beforeEach(async () => {
  org = await createTestOrg(server.db);
  await send('POST', '/api/projects', org.owner, { name: 'Talk' });
  await send('POST', SESSIONS, org.owner, { name: 'First' });
  path = await open({ name: 'Second' });
});

const call = (method: string, url: string, by: Person, body?: object) =>
  server.call(method, url, by, body);
const send = async (method: string, url: string, by: Person, body?: object) =>
  (await call(method, url, by, body)).json.data;
const open = async (body: object, by = org.owner) =>
  `${SESSIONS}/${(await send('POST', SESSIONS, by, body)).id}`;
const follow = (by: Person, body?: object) => send('PUT', `${path}/follow`, by, body);
const leave = (by: Person) => call('DELETE', `${path}/follow`, by);
const post = (by: Person, body = 'Hello', to = path) =>
  send('POST', `${to}/messages`, by, { body });
const shown = (by: Person, of = path) => send('GET', of, by);
const isFollowedBy = async (by: Person, of = path) => (await shown(by, of)).isFollowed;
const handleOf = async (person: Person) => (await send('GET', '/api/me', person)).handle;

describe('PUT …/follow', () => {
  it('200: starts with everything read, and counts from then on', async () => {
    await post(org.owner);
    expect(await shown(org.member)).toMatchObject({ isFollowed: false, unreadCount: 0 });
    expect(await follow(org.member)).toMatchObject({
      isFollowed: true,
      unreadCount: 0,
      level: 'ALL',
    });
    await post(org.owner);
    expect((await shown(org.member)).unreadCount).toBe(1);
    expect((await shown(org.admin)).unreadCount).toBe(0);
    // Following what one follows changes nothing.
    expect((await follow(org.member)).unreadCount).toBe(1);
  });

  it('200: with a level, which is kept without one', async () => {
    expect(await follow(org.member, { level: 'MENTIONS' })).toMatchObject({ level: 'MENTIONS' });
    expect(await follow(org.member)).toMatchObject({ level: 'MENTIONS', muted: false });
    expect(await follow(org.member, { level: 'NONE' })).toMatchObject({ muted: true });
    expect(await follow(org.member, { level: 'ALL' })).toMatchObject({ level: 'ALL' });
  });

  it('400: another level; 404: a private session of others', async () => {
    const reply = await call('PUT', `${path}/follow`, org.member, { level: 'SOME' });
    expect(expectInvalid(reply)).toMatchObject([{ location: 'body.level' }]);
    const secret = await open({ name: 'Secret', access: 'PARTICIPANTS' });
    expect((await call('PUT', `${secret}/follow`, org.admin)).status).toBe(404);
    expect((await call('DELETE', `${secret}/follow`, org.admin)).status).toBe(404);
  });
});

describe('who follows', () => {
  it('whoever makes it, takes part, writes or is mentioned', async () => {
    expect(await isFollowedBy(org.owner)).toBe(true);
    expect(await isFollowedBy(org.member)).toBe(false);
    await post(org.member);
    expect(await isFollowedBy(org.member)).toBe(true);
    await post(org.owner, `@${await handleOf(org.admin)} look`);
    // Only what mentions them is new to them.
    expect(await shown(org.admin)).toMatchObject({ isFollowed: true, unreadCount: 1 });
    const added = await addPerson(server.db, org.orgId, 'MEMBER');
    await send('PATCH', path, org.owner, { participantUserIds: [added.userId] });
    expect(await isFollowedBy(added)).toBe(true);
  });

  it('nobody whom a mention in a private session names but who cannot read it', async () => {
    const secret = await open({ name: 'Secret', access: 'PARTICIPANTS' });
    await post(org.owner, `@${await handleOf(org.admin)}`, secret);
    const rows = await server.db.query('SELECT 1 AS row FROM followed_sessions WHERE org_id = $1', [
      org.orgId,
    ]);
    expect(rows).toEqual([]);
  });

  it('every member, of the first session of a Project, but not of its tasks', async () => {
    const { items } = await send('GET', SESSIONS, org.member);
    expect(items.map(({ name, isForEveryone }: never) => [name, isForEveryone])).toEqual([
      ['Second', false],
      ['First', true],
    ]);
    const { id, slug } = await send('POST', '/api/projects', org.owner, { name: 'Work' });
    const task = await send('POST', `/api/projects/${id}/tasks`, org.owner, { title: 'Do it' });
    const tasks = `/api/projects/${id}/tasks/${task.id}`;
    expect((await send('PUT', `${tasks}/session`, org.owner)).isForEveryone).toBe(false);
    const sessions = `/api/spaces/${slug}/sessions`;
    const secret = await send('POST', sessions, org.owner, { name: 's', access: 'PARTICIPANTS' });
    expect(secret.isForEveryone).toBe(false);
    expect((await send('POST', sessions, org.owner, { name: 'x' })).isForEveryone).toBe(true);
  });
});

describe('DELETE …/follow', () => {
  it('204: until they write', async () => {
    await post(org.member);
    expect((await leave(org.member)).status).toBe(204);
    const left = await shown(org.member);
    expect(left).toMatchObject({ isFollowed: false, unreadCount: 0 });
    expect(left.participantUserIds).not.toContain(org.member.userId);
    await post(org.owner);
    await post(org.member);
    expect(await shown(org.member)).toMatchObject({ isFollowed: true, unreadCount: 1 });
  });

  it('204: until they are mentioned, which is all that is unread then', async () => {
    await post(org.member);
    await leave(org.member);
    await post(org.owner);
    await post(org.owner, `@${await handleOf(org.member)}`);
    expect(await shown(org.member)).toMatchObject({ isFollowed: true, unreadCount: 1 });
  });

  it('204: a session for everyone, for this person only, until they are added', async () => {
    await send('PATCH', path, org.owner, { isForEveryone: true });
    await leave(org.member);
    expect([await isFollowedBy(org.member), await isFollowedBy(org.admin)]).toEqual([false, true]);
    const participantUserIds = [org.owner.userId, org.member.userId];
    await send('PATCH', path, org.owner, { participantUserIds });
    expect(await isFollowedBy(org.member)).toBe(true);
  });

  it('204: a private session stays readable', async () => {
    const participantUserIds = [org.member.userId];
    path = await open({ name: 'Secret', access: 'PARTICIPANTS', participantUserIds });
    await leave(org.member);
    await post(org.owner);
    expect(await shown(org.member)).toMatchObject({ isFollowed: false, unreadCount: 0 });
    await follow(org.member);
    expect(await isFollowedBy(org.member)).toBe(true);
  });
});

describe('isForEveryone', () => {
  it('200: every member follows, and again nobody but those who chose to', async () => {
    await follow(org.admin);
    const change = (isForEveryone: boolean) => send('PATCH', path, org.owner, { isForEveryone });
    expect((await change(true)).isForEveryone).toBe(true);
    expect([await isFollowedBy(org.member), await isFollowedBy(org.admin)]).toEqual([true, true]);
    await change(false);
    expect([await isFollowedBy(org.member), await isFollowedBy(org.admin)]).toEqual([false, true]);
  });

  it('400: of a private session; 403: for a MEMBER who did not make it', async () => {
    const body = { name: 'x', access: 'PARTICIPANTS', isForEveryone: true };
    const refused = await call('POST', SESSIONS, org.owner, body);
    expect(expectInvalid(refused)).toMatchObject([{ location: 'body.isForEveryone' }]);
    const secret = await open({ name: 'x', access: 'PARTICIPANTS' });
    const change = (of: string, by: Person) => call('PATCH', of, by, { isForEveryone: true });
    expect((await change(secret, org.owner)).status).toBe(400);
    expect((await change(path, org.member)).status).toBe(403);
    const own = await open({ name: 'x' }, org.member);
    expect((await change(own, org.member)).status).toBe(200);
  });
});

it('GET /sessions?followed=true 200: only those, with their unread messages', async () => {
  await post(org.owner);
  const list = (query: string) => send('GET', `/api/sessions?${query}`, org.member);
  const names = ({ items }: { items: { name: string }[] }) => items.map(({ name }) => name);
  expect(names(await list('followed=true'))).toEqual(['First']);
  expect(names(await list(''))).toEqual(['Second', 'First']);
  await follow(org.member);
  await post(org.owner);
  const followed = await list('followed=true');
  expect(names(followed)).toEqual(['Second', 'First']);
  expect(followed).toMatchObject({ total: 2, unreadTotal: 1 });
  expect(names(await list('unread=true'))).toEqual(['Second']);
  await leave(org.member);
  expect(await list('unread=true')).toMatchObject({ items: [], unreadTotal: 0 });
});
