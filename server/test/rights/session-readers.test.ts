import { afterAll, beforeAll, expect, it } from 'vitest';
import { signIn } from '../harness/clients/browser.ts';
import type { Call } from '../harness/clients/client.ts';
import { openEvents, type EventStream } from '../harness/clients/event-stream.ts';
import { addPerson, createTestOrg, type Person, type TestOrg } from '../harness/factories.ts';
import { callTool, connectMcp } from '../harness/clients/mcp-client.ts';
import { createRandom } from '../harness/models/memory-world.ts';
import { readExport } from '../harness/clients/untar.ts';
import { useTestServer } from '../harness/processes/use-test-server.ts';

/**
 * People, Projects and sessions that change at random, and a naive model of who may read which session.
 * Whatever the server lists, shows, streams and exports is compared with it.
 */
const CHANGES = 60;
const random = createRandom(19_112_026);
const server = useTestServer();

interface Someone extends Person {
  role: 'OWNER' | 'ADMIN' | 'MEMBER';
}
interface Place {
  id: string;
  slug: string;
  access: 'ORG' | 'MEMBERS';
  members: Set<string>;
}
interface Talk {
  id: string;
  place: Place;
  access: 'PROJECT' | 'PARTICIPANTS';
  createdBy: Someone;
  participants: string[];
  messages: { id: string; author: Someone }[];
}

let org: TestOrg;
let people: Someone[];
const places: Place[] = [];
let talks: Talk[] = [];
const streams = new Map<Someone, EventStream>();
const browsers = new Map<Someone, Call>();

beforeAll(async () => {
  org = await createTestOrg(server.db);
  const added = [1, 2].map(() => addPerson(server.db, org.orgId, 'MEMBER'));
  people = [
    { ...org.owner, role: 'OWNER' },
    { ...org.admin, role: 'ADMIN' },
    { ...org.member, role: 'MEMBER' },
    ...(await Promise.all(added)).map((person) => ({ ...person, role: 'MEMBER' as const })),
  ];
  for (const access of ['ORG', 'MEMBERS'] as const) {
    const { id, slug } = await send('POST', '/projects', org.owner, { name: access, access });
    places.push({ id, slug, access, members: new Set() });
  }
  for (const person of people) {
    const { cookie, call } = await signIn(server, person.email);
    browsers.set(person, call);
    streams.set(person, await openEvents(server.origin, { cookie, org: org.orgId }));
  }
});
afterAll(() => {
  for (const stream of streams.values()) stream.close();
});

const attempt = (method: string, path: string, { key }: Person, body?: object) =>
  server.call(method, `/api${path}`, { key, ...(body && { body }) });

async function send(method: string, path: string, person: Person, body?: object) {
  const reply = await attempt(method, path, person, body);
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.json?.data;
}

const belongs = ({ userId, role }: Someone, { access, members }: Place) =>
  access === 'ORG' || role !== 'MEMBER' || members.has(userId);
const reads = (person: Someone, { place, access, participants }: Talk) =>
  belongs(person, place) && (access === 'PROJECT' || participants.includes(person.userId));
const pathOf = ({ place, id }: Talk) => `/spaces/${place.slug}/sessions/${id}`;

/** Whoever no longer belongs to a Project leaves its sessions. */
function removeOutsiders(): void {
  const byId = new Map(people.map((person) => [person.userId, person]));
  for (const talk of talks) {
    talk.participants = talk.participants.filter((id) => {
      const person = byId.get(id);
      return person && belongs(person, talk.place);
    });
  }
}

/** What the server must answer to a change of participants. */
function verdict(by: Someone, talk: Talk, ids: string[]): number {
  if (!belongs(by, talk.place)) return 403;
  if (!reads(by, talk)) return 404;
  if (talk.access === 'PARTICIPANTS' && ids.length === 0) return 400;
  return hasOutsider(talk.place, ids) ? 400 : 200;
}

const hasOutsider = (place: Place, ids: string[]) =>
  people.some((person) => ids.includes(person.userId) && !belongs(person, place));

/** What the server must answer to someone who reads or writes in a session. */
const standing = (person: Someone, talk: Talk, allowed: number): number =>
  reads(person, talk) ? allowed : belongs(person, talk.place) ? 404 : 403;

/** A hint that all readers of a session must get, except the person who caused it. */
interface Told {
  type: 'message.created' | 'session.typing';
  talk: Talk;
  except?: Someone;
}

const actions: (() => Promise<Told | void>)[] = [
  async function open() {
    const [by, place] = [random.pick(people), random.pick(places)];
    const participantUserIds = someIds();
    const access = random.pick(['PROJECT', 'PARTICIPANTS', 'PARTICIPANTS'] as const);
    const body = { name: 'Talk', access, participantUserIds };
    const reply = await attempt('POST', `/spaces/${place.slug}/sessions`, by, body);
    const refusal = hasOutsider(place, participantUserIds) ? 400 : 201;
    expect(reply.status, reply.text).toBe(belongs(by, place) ? refusal : 403);
    if (reply.status !== 201) return;
    const participants = [...new Set([by.userId, ...participantUserIds])];
    const { id } = reply.json.data;
    talks.push({ id, place, access, createdBy: by, participants, messages: [] });
    talks = talks.slice(-8);
  },
  changeParticipants,
  changeParticipants,
  post,
  post,
  startTyping,
  archiveOrRestore,
  async function joinOrLeave() {
    const { id, members } = random.pick(places);
    const { userId } = random.pick(people);
    const isIn = members.has(userId);
    await send(isIn ? 'DELETE' : 'PUT', `/projects/${id}/members/${userId}`, org.owner);
    if (!members.delete(userId)) members.add(userId);
  },
  async function changeRole() {
    const person = random.pick(people.slice(1));
    person.role = random.pick(['ADMIN', 'MEMBER'] as const);
    const path = `/org/${org.orgId}/members/${person.userId}`;
    await send('PATCH', path, org.owner, { role: person.role });
  },
  async function changeAccess() {
    const place = random.pick(places);
    place.access = random.pick(['ORG', 'MEMBERS'] as const);
    await send('PATCH', `/projects/${place.id}`, org.owner, { access: place.access });
  },
  async function leaveOrg() {
    if (!random.isLucky(0.2)) return;
    const [gone] = people.splice(2, 1) as [Someone];
    await send('DELETE', `/org/${org.orgId}/members/${gone.userId}`, org.owner);
    await streams.get(gone)?.closed;
    streams.delete(gone);
    for (const { members } of places) members.delete(gone.userId);
    people.push({ ...(await addPerson(server.db, org.orgId, 'MEMBER')), role: 'MEMBER' });
  },
];

const someIds = () => people.filter(() => random.isLucky(0.35)).map(({ userId }) => userId);

async function changeParticipants(): Promise<void> {
  const talk = random.pick(talks);
  if (!talk) return;
  const [by, ids] = [random.pick(people), someIds()];
  const reply = await attempt('PATCH', pathOf(talk), by, { participantUserIds: ids });
  expect(reply.status, reply.text).toBe(verdict(by, talk, ids));
  if (reply.status === 200) talk.participants = ids;
}

async function post(): Promise<Told | void> {
  const talk = random.pick(talks);
  if (!talk) return;
  const author = random.pick(people);
  const first = random.isLucky(0.5) ? talk.messages[0] : undefined;
  const body = { body: 'Hello', ...(first && { parentMessageId: first.id }) };
  const reply = await attempt('POST', `${pathOf(talk)}/messages`, author, body);
  expect(reply.status, reply.text).toBe(standing(author, talk, 201));
  if (reply.status !== 201) return;
  talk.messages.push({ id: reply.json.data.id, author });
  if (!talk.participants.includes(author.userId)) talk.participants.push(author.userId);
  return { type: 'message.created', talk };
}

async function startTyping(): Promise<Told | void> {
  const [talk, [by, call]] = [random.pick(talks), random.pick([...browsers])];
  if (!talk || !people.includes(by)) return;
  const reply = await call('POST', `/web${pathOf(talk)}/typing`);
  expect(reply.status, reply.text).toBe(standing(by, talk, 204));
  if (reply.status === 204) return { type: 'session.typing', talk, except: by };
}

/** Both at once, so that the other actions only meet sessions that are not archived. */
async function archiveOrRestore(): Promise<void> {
  const talk = random.pick(talks);
  if (!talk) return;
  const by = random.pick(people);
  const isManager = by.role !== 'MEMBER' || by.userId === talk.createdBy.userId;
  const archived = await attempt('DELETE', pathOf(talk), by);
  expect(archived.status, archived.text).toBe(standing(by, talk, isManager ? 204 : 403));
  const restored = await attempt('POST', `${pathOf(talk)}/restore`, by);
  expect(restored.status, restored.text).toBe(standing(by, talk, isManager ? 200 : 403));
}

/** Lists, and records and messages of these sessions. */
async function expectReading(person: Someone, some: readonly Talk[]): Promise<void> {
  await expectOverview(person);
  for (const place of places) {
    const reply = await attempt('GET', `/spaces/${place.slug}/sessions?limit=100`, person);
    expect(reply.status).toBe(belongs(person, place) ? 200 : 403);
    if (reply.status !== 200) continue;
    const { items, total } = reply.json.data as { items: { id: string }[]; total: number };
    const known = new Set(talks.map(({ id }) => id));
    const visible = talks.filter((talk) => talk.place === place && reads(person, talk));
    expect(new Set(items.map(({ id }) => id).filter((id) => known.has(id)))).toEqual(
      new Set(visible.map(({ id }) => id)),
    );
    expect(total).toBe(items.length);
  }
  for (const talk of some) {
    const status = standing(person, talk, 200);
    const session = await attempt('GET', pathOf(talk), person);
    const list = await attempt('GET', `${pathOf(talk)}/messages`, person);
    expect([session.status, list.status]).toEqual([status, status]);
    const last = talk.messages.at(-1);
    const path = `/spaces/${talk.place.slug}/messages/${last?.id}`;
    if (last) expect((await attempt('GET', path, person)).status).toBe(status);
    if (status !== 200) continue;
    expect(session.json.data.participantUserIds).toEqual(talk.participants);
    expect(list.json.data.items.map(({ id }: { id: string }) => id)).toEqual(
      talk.messages.map(({ id }) => id).toReversed(),
    );
  }
}

/** What is unread in all Projects, and in threads. The totals count nothing that is not listed. */
async function expectOverview(person: Someone): Promise<void> {
  const known = new Set(talks.map(({ id }) => id));
  const { items, total, unreadTotal } = await send('GET', '/sessions?limit=100', person);
  const ids: string[] = items.map(({ id }: { id: string }) => id);
  const visible = talks.filter((talk) => reads(person, talk));
  expect(new Set(ids.filter((id) => known.has(id)))).toEqual(new Set(visible.map(({ id }) => id)));
  const counts: number[] = items.map(({ unreadCount }: { unreadCount: number }) => unreadCount);
  expect([total, unreadTotal]).toEqual([
    items.length,
    counts.reduce((sum, count) => sum + count, 0),
  ]);
  const threads = await send('GET', '/threads?limit=100', person);
  expect(threads.total).toBe(threads.items.length);
  for (const { session } of threads.items) {
    const talk = talks.find(({ id }) => id === session.id);
    if (talk) expect(reads(person, talk)).toBe(true);
  }
}

/** Nobody was told about a session that they may not read, and all readers of what was done there. */
async function expectHearing(told: Told | void): Promise<void> {
  const body = { name: `Fence ${Math.random()}` };
  const { id: projectId } = await send('POST', '/projects', org.owner, body);
  for (const [person, stream] of streams) {
    const heard = await stream.takeUntil('project.created', { projectId });
    for (const { data } of heard) {
      const talk = talks.find(({ id }) => id === data['sessionId']);
      if (talk) expect(reads(person, talk)).toBe(true);
    }
    if (!told) continue;
    const hints = heard.filter(({ type }) => type === told.type);
    expect(hints).toHaveLength(reads(person, told.talk) && person !== told.except ? 1 : 0);
  }
}

async function expectExport(person: Someone): Promise<void> {
  const headers = { authorization: `Bearer ${person.key}` };
  const response = await fetch(`${server.origin}/api/me/export`, { headers });
  const { sessions = [], messages = [] } = readExport(new Uint8Array(await response.arrayBuffer()));
  const ids = new Set([...sessions, ...messages].map((record) => record['id']));
  for (const talk of talks) {
    const mayRead = reads(person, talk);
    expect(ids.has(talk.id)).toBe(mayRead && talk.createdBy.userId === person.userId);
    for (const { id, author } of talk.messages) {
      expect(ids.has(id)).toBe(mayRead && author.userId === person.userId);
    }
  }
}

/** Everyone who may read the log sees that sessions changed, and only readers see their names. */
async function expectAudit(person: Someone): Promise<void> {
  const path = `/org/${org.orgId}/audit?resourceType=session&limit=100`;
  const reply = await attempt('GET', path, person);
  expect(reply.status).toBe(person.role === 'MEMBER' ? 403 : 200);
  if (reply.status !== 200) return;
  const names = new Map<string, string | null>();
  for (const { resourceId, resourceName } of reply.json.data.items) {
    names.set(resourceId, resourceName);
  }
  for (const talk of talks) expect(names.get(talk.id)).toBe(reads(person, talk) ? 'Talk' : null);
}

async function expectMcp(person: Someone): Promise<void> {
  const client = await connectMcp(server.origin, person.key, 'legacy');
  for (const talk of talks) {
    const args = { slug: talk.place.slug, sessionId: talk.id };
    const { isError } = await callTool(client, 'list_messages', args);
    expect(isError).toBe(!reads(person, talk));
    const uri = `atrium://projects/${talk.place.slug}/sessions/${talk.id}`;
    const resource = client.readResource({ uri }).then(
      () => true,
      () => false,
    );
    expect(await resource).toBe(reads(person, talk));
  }
  await client.close();
}

it('only those who may read a session find anything of it, whatever changes', async () => {
  for (let made = 0; made < CHANGES; made++) {
    const told = await random.pick(actions)();
    removeOutsiders();
    await expectHearing(told);
    const [person, talk] = [random.pick(people), random.pick(talks)];
    await expectReading(person, talk ? [talk] : []);
  }
  for (const person of people) {
    await expectReading(person, talks);
    await expectExport(person);
    await expectAudit(person);
  }
  for (const person of people.slice(0, 2)) await expectMcp(person);
});
