import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { signIn } from '../../../test/harness/clients/browser.ts';
import { createCaller, type Call } from '../../../test/harness/clients/client.ts';
import { ENGINE } from '../../../test/harness/databases/database.ts';
import { useTestDatabase } from '../../../test/harness/databases/use-test-database.ts';
import { dataOf } from '../../../test/harness/clients/envelope.ts';
import {
  openEvents,
  openEventsOf,
  openSessionEvents,
  type EventStream,
} from '../../../test/harness/clients/event-stream.ts';
import { addPerson, type Person } from '../../../test/harness/factories.ts';
import { useNewOrg } from '../../../test/harness/processes/use-test-org.ts';
import { startTestServer, type TestServer } from '../../../test/harness/processes/server.ts';

/** On PostgreSQL, pages are open at another process than the one that is asked. */
const database = useTestDatabase();
const org = useNewOrg(() => database.db);
let reading: TestServer;
let writing: TestServer;
let call: Call;
let open: EventStream[] = [];
beforeAll(async () => {
  writing = await startTestServer({ shared: database });
  reading = ENGINE === 'postgres' ? await startTestServer({ shared: database }) : writing;
  call = createCaller(writing.origin);
});
afterAll(async () => {
  await writing.stop();
  if (reading !== writing) await reading.stop();
});
afterEach(() => {
  for (const stream of open) stream.close();
  open = [];
});

const send = async (...args: Parameters<Call>) => dataOf(await call(...args));

async function listen(person: Person): Promise<EventStream> {
  const stream = await openEventsOf(reading, person, org);
  open.push(stream);
  return stream;
}

async function openPage(cookie: string): Promise<EventStream> {
  const page = await openEvents(reading.origin, { cookie, org: org.orgId });
  open.push(page);
  return page;
}

describe('who is there', () => {
  const presenceOf = async (userId: string, as: Person) =>
    (await send('GET', `/api/org/${org.orgId}/members/${userId}`, as)).presence;
  const say = async (cookie: string, state: string) => {
    const headers = { cookie, origin: writing.origin };
    expect((await call('PUT', '/web/presence', { headers, body: { state } })).status).toBe(204);
  };

  it('people who share a Project are told, and the list says so to nobody else', async () => {
    // In no Project, so they share none with anybody.
    const outsider = await addPerson(database.db, org.orgId, 'MEMBER');
    const room = { name: 'Room', access: 'MEMBERS' };
    const { id: projectId } = await send('POST', '/api/projects', org.owner, room);
    await send('PUT', `/api/projects/${projectId}/members/${org.member.userId}`, org.owner);
    const owner = await listen(org.owner);
    const stranger = await listen(outsider);
    const { userId, email } = org.member;
    const { cookie } = await signIn(reading, email);
    const page = await openPage(cookie);
    const says = (presence: string) => ({ people: { [userId]: presence } });
    expect((await owner.next('people.presence')).data).toEqual(says('ACTIVE'));
    await expect.poll(() => presenceOf(userId, org.owner)).toBe('ACTIVE');
    expect(await presenceOf(userId, outsider)).toBe('OFFLINE');
    expect(await presenceOf(org.owner.userId, org.member)).toBe('ACTIVE');
    await say(cookie, 'AWAY');
    expect((await owner.next('people.presence')).data).toEqual(says('AWAY'));
    // Reloading the page does not make the person OFFLINE.
    page.close();
    await openPage(cookie);
    expect((await owner.next('people.presence')).data).toEqual(says('ACTIVE'));
    expect(await presenceOf(userId, org.owner)).toBe('ACTIVE');
    expect(stranger.events.filter(({ data }) => JSON.stringify(data).includes(userId))).toEqual([]);
  });

  it('the stream of one session, and a key, make nobody present', async () => {
    const { slug } = await send('POST', '/api/projects', org.owner, { name: 'Room' });
    const sessions = `/api/spaces/${slug}/sessions`;
    const { id } = await send('POST', sessions, org.owner, { name: 'Talk' });
    const path = `${sessions}/${id}`;
    open.push(await openSessionEvents(reading.origin, { path, key: org.member.key }));
    expect(await presenceOf(org.member.userId, org.owner)).toBe('OFFLINE');
  });

  it('400: a page is in no other state; 401: nobody else says so', async () => {
    const { cookie } = await signIn(reading, org.member.email);
    const url = `${reading.origin}/web/events?org=${org.orgId}&state=OFFLINE`;
    expect((await fetch(url, { headers: { cookie } })).status).toBe(400);
    const headers = { cookie, origin: writing.origin };
    const reply = await call('PUT', '/web/presence', { headers, body: { state: 'OFFLINE' } });
    expect(reply.status).toBe(400);
    expect((await call('PUT', '/web/presence', org.member, { state: 'AWAY' })).status).toBe(401);
  });

  it('a profile that changes is told by its id', async () => {
    const stream = await listen(org.owner);
    await send('PATCH', '/api/me', org.member, { status: { text: 'At lunch' } });
    const { data } = await stream.next('member.updated');
    expect(data).toEqual({ userId: org.member.userId });
  });
});
