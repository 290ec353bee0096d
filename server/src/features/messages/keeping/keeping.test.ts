import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectError } from '../../../../test/harness/clients/envelope.ts';
import { openEventsOf } from '../../../../test/harness/clients/event-stream.ts';
import { callTool, connectMcp } from '../../../../test/harness/clients/mcp-client.ts';
import { addPerson, type Person } from '../../../../test/harness/factories.ts';
import { useServerWithNewOrgs } from '../../../../test/harness/processes/use-test-org.ts';

const { server, call, send, org } = useServerWithNewOrgs();

interface Room {
  projectId: string;
  space: string;
  session: string;
  sessionId: string;
  post: (by: Person, body: string) => Promise<string>;
}

async function makeRoom(input: object = {}, session: object = {}): Promise<Room> {
  const body = { name: `Room ${Math.random()}`, ...input };
  const project = await send('POST', '/api/projects', org.owner, body);
  const space = `/api/spaces/${project.slug}`;
  const { id: sessionId } = await send('POST', `${space}/sessions`, org.owner, {
    name: 'Talk',
    ...session,
  });
  return {
    projectId: project.id,
    space,
    sessionId,
    session: `${space}/sessions/${sessionId}`,
    post: async (by, text) =>
      (await send('POST', `${space}/sessions/${sessionId}/messages`, by, { body: text })).id,
  };
}

const pinOf = ({ space }: Room, id: string) => `${space}/messages/${id}/pin`;
const savedOf = ({ space }: Room, id: string) => `${space}/messages/${id}/saved`;
const pinned = async ({ session }: Room, by: Person) =>
  (await send('GET', `${session}/pins`, by)).items.map(({ id }: { id: string }) => id);
const saved = async (by: Person, query = '') =>
  (await send('GET', `/api/saved${query}`, by)).items.map(
    ({ message }: { message: { id: string } }) => message.id,
  );

describe('PUT and DELETE …/messages/{messageId}/pin', () => {
  it('200: everybody sees it, with who pinned it and when; again changes nothing', async () => {
    const room = await makeRoom();
    const id = await room.post(org.owner, 'Our goals');
    const message = await send('PUT', pinOf(room, id), org.member);
    expect(message).toMatchObject({
      id,
      pinnedById: org.member.userId,
      pinnedAt: expect.any(String),
    });
    expect(await send('PUT', pinOf(room, id), org.owner)).toEqual(message);
    expect((await send('GET', `${room.session}/messages`, org.owner)).items).toEqual([message]);
    const second = await room.post(org.owner, 'And dates');
    await send('PUT', pinOf(room, second), org.owner);
    expect(await pinned(room, org.admin)).toEqual([second, id]);
    expect(await send('GET', `${room.session}/pins?limit=1&page=2`, org.admin)).toMatchObject({
      items: [{ id }],
      total: 2,
    });
  });

  it('204: unpins it for everybody, and sends a hint to open pages', async () => {
    const room = await makeRoom();
    const id = await room.post(org.owner, 'Our goals');
    await send('PUT', pinOf(room, id), org.owner);
    const events = await openEventsOf(server, org.admin, org);
    expect((await call('DELETE', pinOf(room, id), org.member)).status).toBe(204);
    await events.next('message.updated', { messageId: id });
    events.close();
    expect((await call('DELETE', pinOf(room, id), org.member)).status).toBe(204);
    expect(await pinned(room, org.owner)).toEqual([]);
    expect((await send('GET', `${room.session}/messages`, org.owner)).items).toMatchObject([
      { pinnedAt: null, pinnedById: null },
    ]);
  });

  it('204: a deleted message is no longer pinned', async () => {
    const room = await makeRoom();
    const id = await room.post(org.owner, 'Our goals');
    await send('PUT', pinOf(room, id), org.owner);
    await call('DELETE', `${room.space}/messages/${id}`, org.owner);
    expect(await pinned(room, org.owner)).toEqual([]);
    expect(expectError(await call('PUT', pinOf(room, id), org.owner), 'CONFLICT')).toMatchObject({
      reason: 'message_deleted',
    });
  });

  it('409: the 101st of a session, also if two come at once; an archived session', async () => {
    const room = await makeRoom();
    const ids = [];
    for (let nth = 0; nth < 102; nth++) ids.push(await room.post(org.owner, `m${nth}`));
    await server.db.query(
      `UPDATE messages SET pinned_at = now(), pinned_by_id = $3
       WHERE org_id = $1 AND session_id = $2 AND id <> ALL ($4)`,
      [org.orgId, room.sessionId, org.owner.userId, ids.slice(99)],
    );
    const replies = await Promise.all(
      ids.slice(99).map((id) => call('PUT', pinOf(room, id), org.member)),
    );
    const statuses = replies.map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    const refused = replies.find(({ status }) => status === 409);
    expect(refused?.json.error.details).toEqual({
      reason: 'limit_reached',
      limit: 'pins_per_session',
      max: 100,
    });
    await call('DELETE', room.session, org.owner);
    const unpin = await call('DELETE', pinOf(room, ids[0] ?? ''), org.owner);
    expect(expectError(unpin, 'CONFLICT')).toMatchObject({ reason: 'session_archived' });
  });

  it('404: a message of a private session, for others', async () => {
    const room = await makeRoom({}, { access: 'PARTICIPANTS' });
    const id = await room.post(org.owner, 'Between us');
    for (const path of [pinOf(room, id), savedOf(room, id)]) {
      expectError(await call('PUT', path, org.admin), 'NOT_FOUND');
      expectError(await call('DELETE', path, org.admin), 'NOT_FOUND');
    }
    expectError(await call('GET', `${room.session}/pins`, org.admin), 'NOT_FOUND');
  });
});

describe('saved messages', () => {
  it('204: mine alone, the last saved first, and sends a hint to my open pages', async () => {
    const room = await makeRoom();
    const [first, second] = [await room.post(org.owner, 'one'), await room.post(org.owner, 'two')];
    const events = await openEventsOf(server, org.member, org);
    expect((await call('PUT', savedOf(room, first), org.member)).status).toBe(204);
    await events.next('kept.changed');
    events.close();
    await call('PUT', savedOf(room, second), org.member);
    await call('PUT', savedOf(room, first), org.member);
    expect(await saved(org.member)).toEqual([second, first]);
    expect(await saved(org.owner)).toEqual([]);
    expect(await saved(org.member, `?sessionId=${room.sessionId}&limit=1`)).toEqual([second]);
    expect(await saved(org.member, '?sessionId=another')).toEqual([]);
    const [item] = (await send('GET', '/api/saved', org.member)).items;
    expect(item).toMatchObject({
      message: { body: 'two' },
      session: { id: room.sessionId, name: 'Talk', title: null },
      project: { id: room.projectId },
    });
    expect((await call('DELETE', savedOf(room, second), org.member)).status).toBe(204);
    expect((await call('DELETE', savedOf(room, second), org.member)).status).toBe(204);
    expect(await saved(org.member)).toEqual([first]);
  });

  it('204: forgotten with the membership', async () => {
    const room = await makeRoom();
    const id = await room.post(org.owner, 'one');
    await call('PUT', savedOf(room, id), org.member);
    await call('DELETE', `/api/org/${org.orgId}/members/${org.member.userId}`, org.owner);
    expect(
      await server.db.query('SELECT 1 AS one FROM saved_messages WHERE org_id = $1', [org.orgId]),
    ).toEqual([]);
  });

  it('409: a deleted message, and the 1,001st, also if several come at once', async () => {
    const room = await makeRoom();
    const ids = [await room.post(org.owner, 'one'), await room.post(org.owner, 'two')] as const;
    await call('DELETE', `${room.space}/messages/${ids[0]}`, org.owner);
    const late = await call('PUT', savedOf(room, ids[0]), org.member);
    expect(expectError(late, 'CONFLICT')).toMatchObject({ reason: 'message_deleted' });
    await server.db.query(
      `INSERT INTO messages SELECT (jsonb_populate_record(m, jsonb_build_object(
         'id', 'c' || lpad(n::text, 24, '0'), 'position', 10 + n))).*
       FROM messages m CROSS JOIN generate_series(1, 1000) n WHERE m.org_id = $1 AND m.id = $2`,
      [org.orgId, ids[1]],
    );
    await server.db.query(
      `INSERT INTO saved_messages (org_id, user_id, message_id)
       SELECT $1, $2, id FROM messages WHERE org_id = $1 AND position > 10`,
      [org.orgId, org.member.userId],
    );
    expect(
      expectError(await call('PUT', savedOf(room, ids[1]), org.member), 'CONFLICT'),
    ).toMatchObject({ reason: 'limit_reached' });
    await server.db.query(
      `DELETE FROM saved_messages WHERE org_id = $1 AND message_id = 'c' || lpad('1', 24, '0')`,
      [org.orgId],
    );
    const free = [await room.post(org.owner, 'three'), await room.post(org.owner, 'four'), ids[1]];
    const replies = await Promise.all(free.map((id) => call('PUT', savedOf(room, id), org.member)));
    const statuses = replies.map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([204, 409, 409]);
  });
});

it('MCP clients pin a message, and set and cancel what happens later', async () => {
  const room = await makeRoom();
  const slug = room.space.split('/').at(-1);
  const inSession = { slug, sessionId: room.sessionId };
  const client = await connectMcp(server.origin, org.member.key, 'legacy');
  const posted = await callTool(client, 'post_message', { ...inSession, body: 'Keep this' });
  const path = { slug, messageId: posted.data.id };
  const pinned = await callTool(client, 'pin_message', path);
  const pins = await callTool(client, 'list_pins', { ...inSession, limit: 1 });
  expect(pins.data.items).toEqual([pinned.data]);
  const at = new Date(Date.now() + 3_600_000).toISOString();
  const later = { ...inSession, body: 'Later', sendAt: at };
  const scheduled = await callTool(client, 'schedule_message', later);
  const reminder = await callTool(client, 'create_reminder', { text: 'Tea', at });
  for (const [list, cancel, { data }] of [
    ['list_scheduled_messages', 'cancel_scheduled_message', scheduled],
    ['list_reminders', 'cancel_reminder', reminder],
  ] as const) {
    expect((await callTool(client, list, {})).data.items).toEqual([data]);
    expect((await callTool(client, cancel, { id: data.id })).data).toEqual({ id: data.id });
    expect((await callTool(client, list, {})).data.items).toEqual([]);
  }
  await client.close();
});

/** An open and a private session, three messages in each, and three people who come and go. */
const KINDS = ['pin', 'pin', 'unpin', 'save', 'save', 'save', 'unsave', 'delete', 'invite', 'move'];
const action = fc.record({
  kind: fc.constantFrom(...KINDS),
  who: fc.nat(2),
  room: fc.nat(1),
  at: fc.nat(2),
});

interface ModelRoom extends Room {
  ids: string[];
  isPrivate: boolean;
  members: Set<number>;
  participants: Set<number>;
  pins: string[];
  deleted: Set<string>;
}

it('shows each person what a naive model shows them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 12, maxLength: 25 }), async (actions) => {
      const people = [org.owner, org.member, await addPerson(server.db, org.orgId, 'MEMBER')];
      const rooms: ModelRoom[] = [];
      for (const access of ['PROJECT', 'PARTICIPANTS']) {
        const room = await makeRoom({ access: 'MEMBERS' }, { access });
        for (const { userId } of people.slice(1)) {
          await send('PUT', `/api/projects/${room.projectId}/members/${userId}`, org.owner);
        }
        const participantUserIds = people.map(({ userId }) => userId);
        await send('PATCH', room.session, org.owner, { participantUserIds });
        const ids = [];
        for (const body of ['a', 'b', 'c']) ids.push(await room.post(org.owner, body));
        rooms.push({
          ...room,
          ids,
          isPrivate: access === 'PARTICIPANTS',
          members: new Set([0, 1, 2]),
          participants: new Set([0, 1, 2]),
          pins: [],
          deleted: new Set(),
        });
      }
      const saves = people.map((): string[] => []);
      const canRead = (room: ModelRoom, who: number) =>
        room.members.has(who) && (!room.isPrivate || room.participants.has(who));
      for (const { kind, who, room: nth, at } of actions) {
        const room = rooms[nth] as ModelRoom;
        const person = people[who] as Person;
        const id = room.ids[at] as string;
        const mine = saves[who] as string[];
        const isThere = canRead(room, who) && !room.deleted.has(id);
        if (kind === 'move' && who > 0) {
          const isIn = room.members.has(who);
          const path = `/api/projects/${room.projectId}/members/${person.userId}`;
          await call(isIn ? 'DELETE' : 'PUT', path, org.owner);
          if (!isIn) room.members.add(who);
          else for (const set of [room.members, room.participants]) set.delete(who);
        } else if (kind === 'invite' && who > 0 && room.members.has(who)) {
          if (!room.participants.delete(who)) room.participants.add(who);
          const participantUserIds = [...room.participants].map((one) => people[one]?.userId);
          await send('PATCH', room.session, org.owner, { participantUserIds });
        } else if (kind === 'delete') {
          await call('DELETE', `${room.space}/messages/${id}`, org.owner);
          room.deleted.add(id);
          room.pins = room.pins.filter((one) => one !== id);
        } else if (kind === 'pin' || kind === 'unpin') {
          await call(kind === 'pin' ? 'PUT' : 'DELETE', pinOf(room, id), person);
          if (isThere && kind === 'unpin') room.pins = room.pins.filter((one) => one !== id);
          else if (isThere && !room.pins.includes(id)) room.pins.unshift(id);
        } else if (kind === 'save' || kind === 'unsave') {
          await call(kind === 'save' ? 'PUT' : 'DELETE', savedOf(room, id), person);
          if (kind === 'save' && isThere && !mine.includes(id)) mine.unshift(id);
          if (kind === 'unsave' && canRead(room, who)) {
            saves[who] = mine.filter((one) => one !== id);
          }
        }
      }
      for (const [who, person] of people.entries()) {
        const visible = new Set(
          rooms
            .filter((room) => canRead(room, who))
            .flatMap(({ ids, deleted }) => ids.filter((id) => !deleted.has(id))),
        );
        expect(await saved(person)).toEqual(saves[who]?.filter((id) => visible.has(id)));
        for (const room of rooms) {
          const reply = await call('GET', `${room.session}/pins`, person);
          if (!canRead(room, who)) expect([403, 404]).toContain(reply.status);
          else {
            const ids = reply.json.data.items.map(({ id }: { id: string }) => id);
            expect(ids.toSorted()).toEqual(room.pins.toSorted());
          }
        }
      }
      await server.db.query('DELETE FROM saved_messages WHERE org_id = $1', [org.orgId]);
    }),
    { numRuns: 8 },
  );
});
