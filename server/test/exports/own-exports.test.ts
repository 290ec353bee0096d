import { beforeEach, describe, expect, it } from 'vitest';
import { signIn } from '../harness/clients/browser.ts';
import { expectError } from '../harness/clients/envelope.ts';
import { useExportStage } from '../harness/stages/export-stage.ts';
import { addPerson, keyWithScopes, type Person, type TestOrg } from '../harness/factories.ts';
import { randomFrom } from '../harness/random.ts';
import { readExport } from '../harness/clients/untar.ts';

const stage = useExportStage();
const { server, exportOrg, exportOwn, bytesOf, recordsOf, post, get, makeRoom } = stage;
const { call } = server;
let org: TestOrg;

beforeEach(() => {
  ({ org } = stage);
});

describe('GET /me/export', () => {
  it('200: what the caller wrote and owns, PRIVATE memories included, and nothing of others', async () => {
    const { messages } = await makeRoom('ORG', [org.owner, org.member, org.member]);
    await post(org.member.key, '/memory', { content: 'Mine alone.', visibility: 'PRIVATE' });
    await post(org.owner.key, '/memory', { content: 'Not yours.', visibility: 'ORG' });
    const found = await recordsOf(exportOwn(org.member.key));
    const listed = (await get(org.member.key, messages)).items.toReversed();
    expect(found['messages']).toEqual(
      listed.filter(
        ({ authorUserId }: { authorUserId: string }) => authorUserId === org.member.userId,
      ),
    );
    expect(found['memories']).toMatchObject([{ content: 'Mine alone.', visibility: 'PRIVATE' }]);
    expect(found['sessions']).toHaveLength(1);
    expect(found['projects']).toEqual([]);
    expect(found['keys']).toEqual((await get(org.member.key, '/keys')).items);
    expect(found['account']).toMatchObject([
      {
        userId: org.member.userId,
        email: org.member.email,
        handle: (await get(org.member.key, '/me')).handle,
        emailNotifications: 'MENTIONS',
      },
    ]);
    const { items } = await get(org.owner.key, `/org/${org.orgId}/audit?limit=1`);
    expect(items).toMatchObject([{ action: 'member.exported', resourceId: org.member.userId }]);
  });

  it('200: nothing of a Project that the caller has left', async () => {
    const { project } = await makeRoom('MEMBERS', [org.member]);
    const memory = { content: 'In the room.', visibility: 'PROJECT', projectId: project.id };
    await post(org.member.key, '/memory', memory);
    const before = await recordsOf(exportOwn(org.member.key));
    expect(
      [before['messages'], before['memories'], before['sessions']].map((list) => list?.length),
    ).toEqual([1, 1, 1]);
    await call('DELETE', `/api/projects/${project.id}/members/${org.member.userId}`, {
      key: org.owner.key,
    });
    const after = await recordsOf(exportOwn(org.member.key));
    expect([after['messages'], after['memories'], after['sessions']]).toEqual([[], [], []]);
  });

  it('200: nothing of a private session that the caller was taken out of; the org’s own has it', async () => {
    const { project } = await makeRoom('ORG', []);
    const sessions = `/spaces/${project.slug}/sessions`;
    const participantUserIds = [org.admin.userId];
    const draft = { name: 'Ours', access: 'PARTICIPANTS', participantUserIds };
    const { id } = await post(org.member.key, sessions, draft);
    await post(org.member.key, `${sessions}/${id}/messages`, { body: 'Between us' });
    const before = await recordsOf(exportOwn(org.member.key));
    expect(before['messages']).toMatchObject([{ body: 'Between us' }]);
    await call('PATCH', `/api${sessions}/${id}`, {
      key: org.member.key,
      body: { participantUserIds },
    });
    const after = await recordsOf(exportOwn(org.member.key));
    expect([after['messages'], after['sessions']?.map((session) => session.id)]).toEqual([
      [],
      before['sessions']?.map((session) => session.id).filter((one) => one !== id),
    ]);
    const whole = await recordsOf(stage.exportOrg());
    expect(whole['messages']).toMatchObject([{ body: 'Between us' }]);
  });

  it('200 in the browser, for the active organisation', async () => {
    const browser = await signIn(server, org.member.email);
    const response = await fetch(`${server.origin}/api/me/export`, {
      headers: { cookie: browser.cookie },
    });
    expect(readExport(await bytesOf(response))['account']).toMatchObject([
      { email: org.member.email },
    ]);
  });

  it('403 missing_scope: a key that could not read it all one by one', async () => {
    const { key } = await keyWithScopes(server.db, org.orgId, org.member.userId, [
      'messages:read',
      'sessions:read',
      'agents:read',
      'tasks:read',
      'projects:read',
      'keys:read',
    ]);
    const reply = await call('GET', '/api/me/export', { key });
    expect(expectError(reply, 'FORBIDDEN')).toEqual({
      reason: 'missing_scope',
      scopes: ['memory:read'],
    });
  });
});

describe('what a person keeps', () => {
  it('is in their own export, and in nobody else’s', async () => {
    const room = await makeRoom('ORG', [org.owner]);
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const [{ id }] = (await get(org.owner.key, room.messages)).items;
    const space = room.messages.split('/sessions/')[0];
    await call('PUT', `/api${space}/messages/${id}/saved`, { key: org.member.key });
    const reminder = await post(org.member.key, '/reminders', { text: 'Mine', at });
    const later = await post(org.member.key, room.messages, { body: 'Later', sendAt: at });
    const view = await post(org.member.key, '/task-views', { name: `View at ${at}` });
    const own = await recordsOf(exportOwn(org.member.key));
    expect(own['task-views']).toEqual([view]);
    expect(own['saved']).toMatchObject([{ messageId: id }]);
    expect(own['reminders']).toEqual([reminder]);
    expect(own['scheduled-messages']).toMatchObject([{ id: later.id, body: 'Later' }]);
    const older = await keyWithScopes(server.db, org.orgId, org.member.userId, [
      'messages:read',
      'sessions:read',
      'memory:read',
      'agents:read',
      'tasks:read',
      'projects:read',
      'keys:read',
    ]);
    const { reminders: _reminders, files: _files, ...rest } = own;
    expect(await recordsOf(exportOwn(older.key))).toEqual({ ...rest, keys: expect.any(Array) });
    const others = [await recordsOf(exportOwn(org.owner.key)), await recordsOf(exportOrg())];
    for (const other of others) {
      const theirs = ['reminders', 'scheduled-messages', 'task-views'].map((kind) => other[kind]);
      expect(JSON.stringify(theirs)).not.toContain(at);
    }
  });
});

describe('what a personal export contains', () => {
  it('is what a naive model says, in random Projects with random members', async () => {
    const people = [org.admin, org.member, await addPerson(server.db, org.orgId, 'MEMBER')];
    const random = randomFrom(36);
    const isChosen = () => random() < 0.5;
    const written: { author: Person; projectId: string; id: string }[] = [];
    const members = new Map<string, Set<Person>>();
    for (let made = 0; made < 5; made++) {
      const creator = people[made % people.length] as Person;
      const access = isChosen() ? 'ORG' : 'MEMBERS';
      const project = await post(creator.key, '/projects', { name: `R ${Math.random()}`, access });
      const path = (person: Person) => `/api/projects/${project.id}/members/${person.userId}`;
      for (const person of people) await call('PUT', path(person), { key: org.owner.key });
      const sessions = `/spaces/${project.slug}/sessions`;
      const session = await post(creator.key, sessions, { name: 's' });
      for (const author of people) {
        const body = { body: 'm' };
        const { id } = await post(author.key, `${sessions}/${session.id}/messages`, body);
        written.push({ author, projectId: project.id, id });
      }
      const kept = new Set(people.filter(isChosen));
      for (const person of people) {
        if (!kept.has(person)) await call('DELETE', path(person), { key: org.owner.key });
      }
      const always = access === 'ORG' ? people : [creator, org.admin];
      members.set(project.id, new Set([...kept, ...always]));
    }
    for (const person of people) {
      const { messages = [] } = await recordsOf(exportOwn(person.key));
      const expected = written.filter(
        ({ author, projectId }) => author === person && members.get(projectId)?.has(person),
      );
      expect(new Set(messages.map(({ id }) => id))).toEqual(new Set(expected.map(({ id }) => id)));
      expect(messages).toHaveLength(expected.length);
    }
  });
});
