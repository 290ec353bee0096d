import { describe, expect, it } from 'vitest';
import { expectError, problemsOf } from '../../../../test/harness/clients/envelope.ts';
import { openEventsOf } from '../../../../test/harness/clients/event-stream.ts';
import type { Person } from '../../../../test/harness/factories.ts';
import { useServerWithNewOrgs } from '../../../../test/harness/processes/use-test-org.ts';
import { until } from '../../../../test/harness/stages/agent-stage.ts';

const { server, call, send, org } = useServerWithNewOrgs({ worker: true });

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
/** Enough for what comes before it on a busy machine. */
const SOON = 3_000;
const HOUR = 3_600_000;

/** The jobs of the next hour run now. A reminder wakes the workers. */
async function passAnHour() {
  await server.db.query(
    `UPDATE jobs SET run_at = now() WHERE kind = 'send-scheduled-message' AND payload->>'orgId' = $1
       AND run_at < now() + interval '61 minutes'`,
    [org.orgId],
  );
  await send('POST', '/api/reminders', org.owner, { text: 'Tomorrow', at: inMs(24 * HOUR) });
}

async function makeRoom() {
  const body = { name: `Room ${Math.random()}`, access: 'MEMBERS' };
  const project = await send('POST', '/api/projects', org.owner, body);
  const members = `/api/projects/${project.id}/members`;
  await send('PUT', `${members}/${org.member.userId}`, org.owner);
  const space = `/api/spaces/${project.slug}`;
  const session = await send('POST', `${space}/sessions`, org.owner, { name: 'Talk' });
  const path = `${space}/sessions/${session.id}`;
  const messages = `${path}/messages`;
  const leave = () => call('DELETE', `${members}/${org.member.userId}`, org.owner);
  const bodies = async (): Promise<string[]> =>
    (await send('GET', messages, org.owner)).items.map(({ body: text }: { body: string }) => text);
  return { project, session, path, messages, leave, bodies };
}

const scheduled = async (of: Person) => (await send('GET', '/api/scheduled-messages', of)).items;
const inbox = async (of: Person) => (await send('GET', '/api/notifications', of)).items;

describe('POST …/messages with sendAt', () => {
  it('201: posted at its time, with the same id, as if written then', async () => {
    const { messages, bodies, session, project } = await makeRoom();
    await send('PATCH', '/api/me', org.owner, { handle: 'boss' });
    const sendAt = inMs(SOON);
    const body = '@boss @recall are we on?';
    const planned = await send('POST', messages, org.member, { body, sendAt });
    expect(planned).toMatchObject({ body, sendAt, mentions: [], authorUserId: org.member.userId });
    expect(await bodies()).toEqual([]);
    expect(await scheduled(org.member)).toEqual([
      {
        id: planned.id,
        sessionId: session.id,
        parentMessageId: null,
        body,
        attachments: [],
        sendAt,
        status: 'SCHEDULED',
        failure: null,
        session: { id: session.id, name: 'Talk', title: null },
        project: { id: project.id, slug: project.slug, name: project.name },
        createdAt: planned.createdAt,
      },
    ]);
    expect(await scheduled(org.owner)).toEqual([]);
    await until(async () => (await bodies()).includes(body));
    const message = (await send('GET', messages, org.owner)).items.at(-1);
    expect(message).toMatchObject({
      id: planned.id,
      authorUserId: org.member.userId,
      mentionedUserIds: [org.owner.userId],
      mentions: ['boss', 'recall'],
    });
    expect(message.createdAt >= sendAt).toBe(true);
    expect(await scheduled(org.member)).toEqual([]);
    await until(async () =>
      (await inbox(org.owner)).some(({ kind }: { kind: string }) => kind === 'MENTION'),
    );
    // The agent answers, too.
    await until(async () => (await bodies()).length === 2);
  });

  it('201: in a thread', async () => {
    const { messages } = await makeRoom();
    const parent = await send('POST', messages, org.owner, { body: 'First' });
    const reply = { body: 'Later', parentMessageId: parent.id, sendAt: inMs(HOUR) };
    await send('POST', messages, org.member, reply);
    await passAnHour();
    await until(async () => (await send('GET', messages, org.owner)).items.at(-1).replyCount === 1);
  });

  it('400: the past, more than 120 days, another parent; 404 and 409: where I may not post', async () => {
    const { messages, path, leave } = await makeRoom();
    for (const sendAt of [inMs(-1000), inMs(121 * 24 * HOUR)]) {
      const reply = await call('POST', messages, org.member, { body: 'x', sendAt });
      expect(problemsOf(reply)).toEqual(['body.sendAt invalid_value']);
    }
    const wrong = { body: 'x', parentMessageId: 'nothing', sendAt: inMs(HOUR) };
    expect(problemsOf(await call('POST', messages, org.member, wrong))).toEqual([
      'body.parentMessageId invalid_value',
    ]);
    const body = { body: 'x', sendAt: inMs(HOUR) };
    await leave();
    expect(expectError(await call('POST', messages, org.member, body), 'FORBIDDEN')).toMatchObject({
      reason: 'not_project_member',
    });
    await call('DELETE', path, org.owner);
    expect(expectError(await call('POST', messages, org.owner, body), 'CONFLICT')).toMatchObject({
      reason: 'session_archived',
    });
  });

  it('409: more than 100, also if several come at once', async () => {
    const { messages, session } = await makeRoom();
    await server.db.query(
      `INSERT INTO scheduled_messages (org_id, id, user_id, session_id, body, send_at)
       SELECT $1, 's' || n, $2, $3, 'x', now() + interval '1 day' FROM generate_series(1, 99) n`,
      [org.orgId, org.member.userId, session.id],
    );
    const body = { body: 'x', sendAt: inMs(HOUR) };
    const replies = await Promise.all(
      [1, 2, 3, 4].map(() => call('POST', messages, org.member, body)),
    );
    const statuses = replies.map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409]);
    const refused = replies.filter(({ status }) => status === 409);
    for (const reply of refused) {
      expect(expectError(reply, 'CONFLICT')).toMatchObject({ reason: 'limit_reached' });
    }
  });
});

describe('PATCH and DELETE /scheduled-messages/{id}', () => {
  it('200, 204: another text and time; cancelled; 404 for others', async () => {
    const { messages, bodies } = await makeRoom();
    const later = { body: 'One', sendAt: inMs(HOUR) };
    const { id } = await send('POST', messages, org.member, later);
    const path = `/api/scheduled-messages/${id}`;
    expectError(await call('PATCH', path, org.owner, { body: 'Mine' }), 'NOT_FOUND');
    expectError(await call('DELETE', path, org.owner), 'NOT_FOUND');
    const soon = { body: 'Two', sendAt: inMs(HOUR / 2) };
    expect(await send('PATCH', path, org.member, soon)).toMatchObject(soon);
    const other = await send('POST', messages, org.member, { body: 'No', sendAt: inMs(HOUR / 4) });
    const cancel = await call('DELETE', `/api/scheduled-messages/${other.id}`, org.member);
    expect(cancel.status).toBe(204);
    await passAnHour();
    await until(async () => (await bodies()).length > 0);
    expect(await bodies()).toEqual(['Two']);
    expectError(await call('PATCH', path, org.member, { body: 'Three' }), 'NOT_FOUND');
  });
});

describe('a scheduled message that cannot be posted', () => {
  it('stays with the reason, and its author is told; another time tries again', async () => {
    const { messages, path, bodies } = await makeRoom();
    const events = await openEventsOf(server, org.member, org);
    const { id } = await send('POST', messages, org.member, { body: 'Hi', sendAt: inMs(HOUR) });
    await call('DELETE', path, org.owner);
    await passAnHour();
    await events.next('notification.created');
    events.close();
    const [failed] = await scheduled(org.member);
    expect(failed).toMatchObject({
      id,
      status: 'FAILED',
      failure: 'This session is archived. It can be read but not changed.',
    });
    const told = await inbox(org.member);
    expect(told).toMatchObject([
      {
        kind: 'SCHEDULED_FAILED',
        text: 'Your scheduled message was not sent. This session is archived. It can be read but not changed.',
      },
    ]);
    await call('POST', `${path}/restore`, org.owner);
    await send('PATCH', `/api/scheduled-messages/${id}`, org.member, { sendAt: inMs(HOUR) });
    await passAnHour();
    await until(async () => (await bodies()).includes('Hi'));
    expect(await scheduled(org.member)).toEqual([]);
  });

  it('names no place that its author may no longer see', async () => {
    const { messages, leave, bodies } = await makeRoom();
    await send('POST', messages, org.member, { body: 'Hi', sendAt: inMs(HOUR) });
    await leave();
    await passAnHour();
    await until(async () => (await inbox(org.member)).length === 1);
    expect(await scheduled(org.member)).toMatchObject([
      { body: 'Hi', status: 'FAILED', session: null, project: null },
    ]);
    expect(await bodies()).toEqual([]);
  });

  it('is forgotten with the membership', async () => {
    const { messages } = await makeRoom();
    await send('POST', messages, org.member, { body: 'Never', sendAt: inMs(HOUR) });
    await call('DELETE', `/api/org/${org.orgId}/members/${org.member.userId}`, org.owner);
    expect(
      await server.db.query('SELECT 1 AS one FROM scheduled_messages WHERE org_id = $1', [
        org.orgId,
      ]),
    ).toEqual([]);
  });
});
