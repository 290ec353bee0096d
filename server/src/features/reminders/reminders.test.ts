import { describe, expect, it } from 'vitest';
import { expectError, problemsOf } from '../../../test/harness/clients/envelope.ts';
import { openEventsOf } from '../../../test/harness/clients/event-stream.ts';
import type { Person } from '../../../test/harness/factories.ts';
import { useServerWithNewOrgs } from '../../../test/harness/processes/use-test-org.ts';
import { until } from '../../../test/harness/stages/agent-stage.ts';

const { server, call, send, org } = useServerWithNewOrgs({ worker: true });

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const HOUR = 3_600_000;

async function makeRoom() {
  const body = { name: `Room ${Math.random()}`, access: 'MEMBERS' };
  const project = await send('POST', '/api/projects', org.owner, body);
  const members = `/api/projects/${project.id}/members`;
  await send('PUT', `${members}/${org.member.userId}`, org.owner);
  const space = `/api/spaces/${project.slug}`;
  const session = await send('POST', `${space}/sessions`, org.owner, { name: 'Talk' });
  const messages = `${space}/sessions/${session.id}/messages`;
  const post = async (text: string): Promise<string> =>
    (await send('POST', messages, org.owner, { body: text })).id;
  const leave = () => call('DELETE', `${members}/${org.member.userId}`, org.owner);
  return { project, space, session, messages, post, leave };
}

const remind = (by: Person, body: object) => send('POST', '/api/reminders', by, body);
const inbox = async (of: Person) => (await send('GET', '/api/notifications', of)).items;
const reminders = async (of: Person) => (await send('GET', '/api/reminders', of)).items;

/** The jobs of the next hour run now. Another reminder wakes the workers. */
async function passAnHour() {
  await server.db.query(
    `UPDATE jobs SET run_at = now() WHERE kind = 'remind' AND payload->>'orgId' = $1
       AND run_at < now() + interval '61 minutes'`,
    [org.orgId],
  );
  await remind(org.admin, { text: 'Tomorrow', at: inMs(24 * HOUR) });
}

/** Sets reminders for an hour from now, and waits until the person was told of each. */
async function remindInAnHour(by: Person, abouts: object[], meanwhile = async () => {}) {
  const events = await openEventsOf(server, by, org);
  for (const about of abouts) await remind(by, { ...about, at: inMs(HOUR) });
  await meanwhile();
  await passAnHour();
  await until(async () => (await reminders(by)).length === 0);
  await events.next('notification.created');
  await events.next('kept.changed');
  events.close();
  return inbox(by);
}

describe('POST /reminders', () => {
  it('201: of a message, a task or my own words; listed for me alone, the next one first', async () => {
    const { project, session, post } = await makeRoom();
    const messageId = await post('Check **this**');
    const task = await send('POST', `/api/projects/${project.id}/tasks`, org.owner, { title: 'T' });
    const first = await remind(org.member, { messageId, at: inMs(2 * HOUR) });
    const second = await remind(org.member, { taskId: task.id, at: inMs(HOUR) });
    const third = await remind(org.member, { text: 'Buy milk', at: inMs(3 * HOUR) });
    expect(first).toMatchObject({
      messageId,
      taskId: null,
      text: null,
      excerpt: 'Check **this**',
      session: { id: session.id, name: 'Talk' },
      project: { id: project.id },
    });
    expect(second).toMatchObject({ taskId: task.id, taskNumber: 1, excerpt: 'T', session: null });
    expect(third).toMatchObject({ text: 'Buy milk', excerpt: null, project: null });
    expect(await reminders(org.member)).toEqual([second, first, third]);
    expect(await reminders(org.owner)).toEqual([]);
  });

  it('400: two things or none, a time in the past or years ahead', async () => {
    const at = inMs(HOUR);
    for (const body of [{ at }, { text: 'a', taskId: 'b', at }]) {
      const reply = await call('POST', '/api/reminders', org.member, body);
      expect(problemsOf(reply)).toEqual(['body invalid_value']);
    }
    for (const time of [inMs(-1000), inMs(740 * 24 * HOUR)]) {
      const reply = await call('POST', '/api/reminders', org.member, { text: 'a', at: time });
      expect(problemsOf(reply)).toEqual(['body.at invalid_value']);
    }
  });

  it('404: what I may not read; a reminder of somebody else', async () => {
    const { post, leave, project } = await makeRoom();
    const messageId = await post('Ours');
    const task = await send('POST', `/api/projects/${project.id}/tasks`, org.owner, { title: 'T' });
    await leave();
    for (const about of [{ messageId }, { taskId: task.id }]) {
      const body = { ...about, at: inMs(HOUR) };
      expectError(await call('POST', '/api/reminders', org.member, body), 'NOT_FOUND');
    }
    const { id } = await remind(org.owner, { messageId, at: inMs(HOUR) });
    const path = `/api/reminders/${id}`;
    expectError(await call('PATCH', path, org.admin, { at: inMs(HOUR) }), 'NOT_FOUND');
    expectError(await call('DELETE', path, org.admin), 'NOT_FOUND');
  });

  it('409: more than 500, also if several come at once', async () => {
    await server.db.query(
      `INSERT INTO reminders (org_id, id, user_id, remind_at, note)
       SELECT $1, 'r' || n, $2, now() + interval '1 day', 'x' FROM generate_series(1, 499) n`,
      [org.orgId, org.member.userId],
    );
    const body = { text: 'x', at: inMs(HOUR) };
    const replies = await Promise.all(
      [1, 2, 3, 4].map(() => call('POST', '/api/reminders', org.member, body)),
    );
    const statuses = replies.map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409]);
    for (const reply of replies.filter(({ status }) => status === 409)) {
      expect(expectError(reply, 'CONFLICT')).toMatchObject({ reason: 'limit_reached' });
    }
  });
});

describe('PATCH and DELETE /reminders/{id}', () => {
  it('200, 204: another time and other words; cancelled', async () => {
    const { id } = await remind(org.member, { text: 'Milk', at: inMs(HOUR) });
    const at = inMs(2 * HOUR);
    const path = `/api/reminders/${id}`;
    expect(await send('PATCH', path, org.member, { at, text: 'Bread' })).toMatchObject({
      at,
      text: 'Bread',
    });
    expect((await call('DELETE', path, org.member)).status).toBe(204);
    expect(await reminders(org.member)).toEqual([]);
  });

  it('200: one that was moved is due at its new time only', async () => {
    const { id } = await remind(org.member, { text: 'Later', at: inMs(HOUR) });
    await send('PATCH', `/api/reminders/${id}`, org.member, { at: inMs(2 * HOUR) });
    await remindInAnHour(org.owner, [{ text: 'After it' }]);
    expect(await inbox(org.member)).toEqual([]);
    expect(await reminders(org.member)).toHaveLength(1);
  });
});

describe('a reminder that is due', () => {
  it('comes at its time, not before', async () => {
    const at = inMs(1_500);
    await remind(org.member, { text: 'Now', at });
    expect(await inbox(org.member)).toEqual([]);
    await until(async () => (await inbox(org.member)).length === 1);
    const [told] = await inbox(org.member);
    expect(told.createdAt >= at).toBe(true);
  });

  it('is one notification, with what it is about', async () => {
    const { project, session, post } = await makeRoom();
    const messageId = await post('Check this');
    const task = await send('POST', `/api/projects/${project.id}/tasks`, org.owner, { title: 'T' });
    const abouts = [{ messageId }, { taskId: task.id }, { text: 'Buy milk' }];
    const items = await remindInAnHour(org.member, abouts);
    const byText = new Map(items.map((item: { text: string }) => [item.text, item]));
    expect(items).toHaveLength(3);
    expect(byText.get('Check this')).toMatchObject({
      kind: 'REMINDER',
      messageId,
      sessionId: session.id,
      projectSlug: project.slug,
      readAt: null,
    });
    expect(byText.get('T')).toMatchObject({ kind: 'REMINDER', taskId: task.id, taskNumber: 1 });
    expect(byText.get('Buy milk')).toMatchObject({ kind: 'REMINDER', projectId: null });
  });

  it('does not name what the person may no longer read, then or later', async () => {
    const room = await makeRoom();
    const other = await makeRoom();
    const [lost, deleted, kept] = [
      await room.post('Secret'),
      await other.post('Gone'),
      await other.post('Kept'),
    ];
    const abouts = [{ messageId: lost }, { messageId: deleted }, { messageId: kept }];
    const items = await remindInAnHour(org.member, abouts, async () => {
      await room.leave();
      await call('DELETE', `${other.space}/messages/${deleted}`, org.owner);
    });
    const unread = 'You wanted to be reminded of something that you can no longer read.';
    const texts = items.map(({ text }: { text: string }) => text);
    expect(texts.toSorted()).toEqual(['Kept', unread, unread]);
    for (const item of items.filter(({ text }: { text: string }) => text === unread)) {
      expect(item).toMatchObject({ messageId: null, projectName: null, actorName: null });
    }
    await other.leave();
    expect(JSON.stringify(await inbox(org.member))).not.toContain('Kept');
  });

  it('stays in the list if its job has died, and comes at a new time', async () => {
    const { id } = await remind(org.member, { text: 'Still here', at: inMs(HOUR) });
    await server.db.query(
      `UPDATE reminders SET remind_at = now() - interval '1 day' WHERE org_id = $1 AND id = $2`,
      [org.orgId, id],
    );
    await server.db.query(
      `UPDATE jobs SET dead_at = now(), run_at = now() - interval '1 day'
       WHERE kind = 'remind' AND payload->>'id' = $1`,
      [id],
    );
    expect(await reminders(org.member)).toMatchObject([{ id, text: 'Still here' }]);
    await send('PATCH', `/api/reminders/${id}`, org.member, { at: inMs(1_000) });
    await until(async () => (await inbox(org.member)).length === 1);
    expect(await reminders(org.member)).toEqual([]);
  });

  it('is forgotten with the membership', async () => {
    await remind(org.member, { text: 'Never', at: inMs(HOUR) });
    await call('DELETE', `/api/org/${org.orgId}/members/${org.member.userId}`, org.owner);
    expect(
      await server.db.query('SELECT 1 AS one FROM reminders WHERE org_id = $1', [org.orgId]),
    ).toEqual([]);
  });
});
