import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ROUTES } from '../../app/api.ts';
import { fullPath } from '../../http/route.ts';
import { signIn } from '../../../test/harness/clients/browser.ts';
import { SHOWS_WAITS } from '../../../test/harness/databases/database.ts';
import { untilLocked } from '../../../test/harness/databases/lock-waits.ts';
import { expectError, problemsOf } from '../../../test/harness/clients/envelope.ts';
import type { Call } from '../../../test/harness/clients/client.ts';
import {
  openEventsOf,
  openSessionEvents,
  type EventStream,
} from '../../../test/harness/clients/event-stream.ts';
import { addPerson, createTestOrg, type Person } from '../../../test/harness/factories.ts';
import { BODIES } from '../../../test/harness/route-bodies.ts';
import { useServerWithOrg } from '../../../test/harness/processes/use-test-org.ts';

const { server, call, send, org } = useServerWithOrg();
const UNKNOWN = 'caaaaaaaaaaaaaaaaaaaaaaaa';
let other: Person;
let project: { id: string; slug: string };
let sessions: string;

beforeAll(async () => {
  other = await addPerson(server.db, org.orgId, 'MEMBER');
  await openProject();
});

async function openProject(): Promise<void> {
  project = await send('POST', '/api/projects', org.owner, { name: `P ${Math.random()}` });
  sessions = `/api/spaces/${project.slug}/sessions`;
}

/** By the member, for themselves and these people. */
async function openPrivate(...people: Person[]) {
  const participantUserIds = people.map(({ userId }) => userId);
  const body = { name: 'Salaries', access: 'PARTICIPANTS', participantUserIds };
  const session = await send('POST', sessions, org.member, body);
  const path = `${sessions}/${session.id}`;
  const message = await send('POST', `${path}/messages`, org.member, { body: 'Hello' });
  return { id: session.id, path, message, session };
}

const listen = (person: Person) => openEventsOf(server, person, org);

/** The types of the hints before one that everyone in the org receives. */
async function fence(...streams: EventStream[]): Promise<string[][]> {
  const body = { content: 'A fence', visibility: 'ORG' };
  const { id: memoryId } = await send('POST', '/api/memory', org.owner, body);
  const heard = streams.map((stream) => stream.takeUntil('memory.changed', { memoryId }));
  return (await Promise.all(heard)).map((events) => events.map(({ type }) => type));
}

/** With a key, or with a cookie as the web app. */
async function callerAs(person: Person, inBrowser: boolean): Promise<Call> {
  if (inBrowser) return (await signIn(server, person.email)).call;
  return (method, path, options) => call(method, path, { ...person, ...options });
}

const change = (path: string, by: Person, ...people: Person[]) =>
  call('PATCH', path, by, { participantUserIds: people.map(({ userId }) => userId) });
const statusOf = async (path: string, person: Person) => (await call('GET', path, person)).status;
const listed = async (person: Person) => (await send('GET', sessions, person)).items;
const participantsOf = async (path: string, person: Person): Promise<string[]> =>
  (await send('GET', path, person)).participantUserIds;

describe('a session with access PARTICIPANTS', () => {
  it('201: says so, and every session that does not is for the Project', async () => {
    const { session } = await openPrivate(other);
    expect(session).toMatchObject({
      access: 'PARTICIPANTS',
      participantUserIds: [org.member.userId, other.userId],
    });
    expect(await send('POST', sessions, org.member, { name: 'Open' })).toMatchObject({
      access: 'PROJECT',
      participantUserIds: [org.member.userId],
    });
    for (const access of ['ORG', 'participants', 1]) {
      const reply = await call('POST', sessions, org.member, { name: 'x', access });
      expect(problemsOf(reply)).toEqual(['body.access invalid_value']);
    }
    const path = `${sessions}/${session.id}`;
    const reply = await call('PATCH', path, org.member, { access: 'PROJECT' });
    expect(problemsOf(reply)).toEqual(['body.access unknown_field']);
  });

  describe('404 as if it did not exist, also for an OWNER and an ADMIN', () => {
    let place: { slug: string; id: string; messageId: string };
    beforeAll(async () => {
      const { id, message } = await openPrivate(other);
      place = { slug: project.slug, id, messageId: message.id };
    });

    const inside = ROUTES.filter(({ path }) => /\{(session|message)Id\}/.test(path));
    it.each(inside.map((route) => [`${route.method} ${route.path}`, route] as const))(
      '%s',
      async (_name, route) => {
        const { slug, id, messageId } = place;
        const fill = (session: string, message: string) =>
          fullPath(route)
            .replace('{slug}', slug)
            .replace('{sessionId}', session)
            .replace('{messageId}', message)
            .replace('{mention}', 'model')
            .replace('{emoji}', encodeURIComponent('👍'));
        const body = BODIES[route.operationId]?.({ messageId });
        for (const person of [org.owner, org.admin]) {
          const ask = await callerAs(person, route.auth === 'web');
          const options = body && { body };
          const missing = await ask(route.method, fill(UNKNOWN, UNKNOWN), options);
          const hidden = await ask(route.method, fill(id, messageId), options);
          expectError(hidden, 'NOT_FOUND');
          expect(hidden.json.error).toEqual(missing.json.error);
        }
      },
    );
  });

  it('is in the lists of its participants only, and moves nobody else’s tag', async () => {
    await openProject();
    const before = await call('GET', sessions, org.owner);
    const { id, path } = await openPrivate(other);
    expect(await listed(other)).toMatchObject([{ id, unreadCount: 1 }]);
    await send('POST', `${path}/messages`, other, { body: 'News' });
    const after = await call('GET', sessions, org.owner);
    expect(after.json.data).toMatchObject({ items: [], total: 0 });
    expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
    await send('DELETE', path, org.member);
    expect((await send('GET', `${sessions}?status=ARCHIVED`, org.owner)).total).toBe(0);
    expect((await send('GET', `${sessions}?status=ARCHIVED`, other)).total).toBe(1);
  });

  it('is in the audit log by its id and name for participants only, without its people', async () => {
    const { id, path } = await openPrivate(org.admin);
    await send('PATCH', path, org.admin, {
      title: 'Salaries 2027',
      participantUserIds: [org.admin.userId],
    });
    for (const [person, resourceId, resourceName] of [
      [org.owner, null, null],
      [org.admin, id, 'Salaries 2027'],
    ] as const) {
      const { items } = await send('GET', `/api/org/${org.orgId}/audit?limit=2`, person);
      expect(items).toMatchObject([
        { action: 'session.updated', resourceId, resourceName, details: {} },
        { action: 'session.created', resourceId, resourceName, details: {} },
      ]);
    }
  });

  it('sends its hints to participants only, and ends the streams of those who are taken out', async () => {
    const [inside, outside] = [await listen(org.member), await listen(org.owner)];
    const { path } = await openPrivate(other);
    const { call: browse } = await signIn(server, other.email);
    expect((await browse('POST', `${path.replace('/api', '/web')}/typing`)).status).toBe(204);
    await send('PATCH', path, other, { title: 'Ours alone' });
    const heard = ['session.created', 'message.created', 'session.typing', 'session.updated'];
    expect(await fence(inside, outside)).toEqual([heard, []]);
    await change(path, org.member, org.member, org.owner);
    expect(await fence(inside, outside)).toEqual([
      ['session.updated'],
      ['session.updated', 'resync'],
    ]);
    const room = await openSessionEvents(server.origin, { path, key: org.owner.key });
    await change(path, org.member, org.member);
    await room.closed;
    await send('POST', `${path}/messages`, org.member, { body: 'Alone again' });
    expect(await fence(inside, outside)).toEqual([
      ['session.updated', 'message.created'],
      ['resync'],
    ]);
    expect(room.events).toEqual([]);
    for (const stream of [inside, outside]) stream.close();
  });
});

describe('changing participants', () => {
  it('200: by a participant; who is taken out gets 404 at once, who is added reads it all', async () => {
    const { path, message } = await openPrivate(other);
    const messages = `${path}/messages`;
    expect(await statusOf(messages, other)).toBe(200);
    const changed = await change(path, org.member, org.member, org.owner);
    expect(changed.json.data.participantUserIds).toEqual([org.member.userId, org.owner.userId]);
    expect([await statusOf(path, other), await statusOf(messages, other)]).toEqual([404, 404]);
    expect((await send('GET', messages, org.owner)).items).toMatchObject([{ id: message.id }]);
    expect((await change(path, other, other)).status).toBe(404);
  });

  it('200: participants may leave, but the last one stays', async () => {
    const { path } = await openPrivate(other);
    expect((await change(path, other, org.member)).status).toBe(200);
    expect(await statusOf(path, other)).toBe(404);
    expect(problemsOf(await change(path, org.member))).toEqual(['body.participantUserIds too_few']);
    expect(await participantsOf(path, org.member)).toEqual([org.member.userId]);
  });

  it('200: in a session of the Project by every member; 403: by others', async () => {
    const { id } = await send('POST', sessions, org.member, { name: 'Open' });
    const path = `${sessions}/${id}`;
    expect((await change(path, other, other, other)).json.data.participantUserIds).toEqual([
      other.userId,
    ]);
    expect((await change(path, org.admin)).json.data.participantUserIds).toEqual([]);
    await send('PATCH', `/api/projects/${project.id}`, org.owner, { access: 'MEMBERS' });
    expectError(await change(path, other, other), 'FORBIDDEN');
    await send('PATCH', `/api/projects/${project.id}`, org.owner, { access: 'ORG' });
  });

  it('400: names each one who is not a member of the Project; too many', async () => {
    const { path } = await openPrivate();
    const stranger = (await createTestOrg(server.db)).owner;
    expect(problemsOf(await change(path, org.member, org.member, stranger, stranger))).toEqual([
      'body.participantUserIds[1] invalid_value',
    ]);
    const participantUserIds = Array.from({ length: 201 }, (_, at) => `c${at}`);
    const reply = await call('PATCH', path, org.member, { participantUserIds });
    expect(problemsOf(reply)).toEqual(['body.participantUserIds too_many']);
    expect(await participantsOf(path, org.member)).toEqual([org.member.userId]);
  });
});

describe('whoever is taken out while a request of theirs waits for the session', () => {
  const writes: [method: string, suffix: string, body?: () => object][] = [
    ['PATCH', '', () => ({ participantUserIds: [org.member.userId] })],
    ['POST', '/messages', () => ({ body: 'Late' })],
    ['DELETE', ''],
    ['POST', '/restore'],
  ];
  it.runIf(SHOWS_WAITS).each(writes)('404: %s %s', async (method, suffix, body) => {
    const { id, path } = await openPrivate(other);
    if (suffix === '/restore') await send('DELETE', path, org.member);
    const before = await send('GET', path, other);
    const { reply } = await server.db.transaction(async (tx) => {
      await tx.query('SELECT 1 AS held FROM sessions WHERE id = $1 FOR UPDATE', [id]);
      const waiting = call(method, path + suffix, org.member, body?.());
      await untilLocked(server.db);
      await tx.query('UPDATE sessions SET participant_user_ids = $2 WHERE id = $1', [
        id,
        [other.userId],
      ]);
      return { reply: waiting };
    });
    expectError(await reply, 'NOT_FOUND');
    expect(await send('GET', path, other)).toEqual({
      ...before,
      participantUserIds: [other.userId],
    });
  });
});

describe('posting', () => {
  it('makes one a participant, once, in a list that is not full', async () => {
    const { id } = await send('POST', sessions, org.member, { name: 'Open' });
    const path = `${sessions}/${id}`;
    for (const body of ['One', 'Two']) await send('POST', `${path}/messages`, other, { body });
    expect(await participantsOf(path, org.member)).toEqual([org.member.userId, other.userId]);
    await server.db.query(
      `UPDATE sessions SET participant_user_ids = ARRAY(SELECT 'c' || n FROM generate_series(1, 200) n)
       WHERE org_id = $1 AND id = $2`,
      [org.orgId, id],
    );
    await send('POST', `${path}/messages`, other, { body: 'Three' });
    expect(await participantsOf(path, org.member)).toHaveLength(200);
  });
});

describe('a participant who leaves', () => {
  beforeEach(openProject);

  const join = (person: Person) =>
    send('PUT', `/api/projects/${project.id}/members/${person.userId}`, org.owner);

  /** After `leave`, and again after `comeBack`, which must not bring them back in. */
  async function expectGone(
    person: Person,
    leave: () => Promise<unknown>,
    comeBack: () => Promise<unknown>,
  ) {
    const { path } = await openPrivate(person);
    const { id: open } = await send('POST', sessions, person, { name: 'Open' });
    await leave();
    expect(await participantsOf(path, org.member)).toEqual([org.member.userId]);
    expect(await participantsOf(`${sessions}/${open}`, org.member)).toEqual([]);
    await comeBack();
    expect(await statusOf(path, person)).toBe(404);
    expect(await statusOf(`${sessions}/${open}`, person)).toBe(200);
  }

  it('the Project: leaves its sessions', async () => {
    await send('PATCH', `/api/projects/${project.id}`, org.owner, { access: 'MEMBERS' });
    await join(org.member);
    await join(other);
    const member = `/api/projects/${project.id}/members/${other.userId}`;
    await expectGone(
      other,
      () => send('DELETE', member, org.owner),
      () => join(other),
    );
  });

  it('because the Project is for its members from now on', async () => {
    await join(org.member);
    await expectGone(
      other,
      () => send('PATCH', `/api/projects/${project.id}`, org.owner, { access: 'MEMBERS' }),
      () => join(other),
    );
  });

  it('because they are no longer an ADMIN', async () => {
    await join(org.member);
    await send('PATCH', `/api/projects/${project.id}`, org.owner, { access: 'MEMBERS' });
    const admin = await addPerson(server.db, org.orgId, 'ADMIN');
    const role = `/api/org/${org.orgId}/members/${admin.userId}`;
    await expectGone(
      admin,
      () => send('PATCH', role, org.owner, { role: 'MEMBER' }),
      () => send('PATCH', role, org.owner, { role: 'ADMIN' }),
    );
  });

  it('the organisation; those who stay keep their places', async () => {
    const leaving = await addPerson(server.db, org.orgId, 'MEMBER');
    const { path } = await openPrivate(leaving, other);
    await send('DELETE', `/api/org/${org.orgId}/members/${leaving.userId}`, org.owner);
    expect(await participantsOf(path, other)).toEqual([org.member.userId, other.userId]);
  });
});
