import { describe, expect, it } from 'vitest';
import { openEventsOf } from '../../../test/harness/clients/event-stream.ts';
import { addPerson, type Person } from '../../../test/harness/factories.ts';
import { callTool, connectMcp } from '../../../test/harness/clients/mcp-client.ts';
import { useTaskStage } from '../../../test/harness/stages/task-stage.ts';

// Unless said otherwise, the MEMBER acts, and the ADMIN and the OWNER are told.
const { server, stage, create, change, changed } = useTaskStage();
const { send } = server;

interface Told {
  id: string;
  kind: string;
  projectId: string;
  taskNumber: number;
  readAt: string | null;
}

async function inbox(person: Person): Promise<Told[]> {
  const { items } = await send('GET', '/api/notifications?limit=100', person);
  return items.filter(({ projectId }: Told) => projectId === stage.projectId);
}

/** Kind and number, newest last. */
async function told(person: Person): Promise<[string, number][]> {
  const items = await inbox(person);
  return items.map(({ kind, taskNumber }) => [kind, taskNumber] as [string, number]).toReversed();
}

const assigned = (number: number): [string, number] => ['TASK_ASSIGNED', number];
const finished = (number: number): [string, number] => ['TASK_FINISHED', number];

describe('a task that is assigned', () => {
  it('tells the assignee, with its title as it is now', async () => {
    const { admin, member } = stage.org;
    const task = await create({ title: 'Compare', assigneeUserId: admin.userId });
    await changed(task, { title: 'Compare prices' });
    await send('PATCH', '/api/me', member, { name: 'Grace' });
    expect(await inbox(admin)).toEqual([
      {
        id: expect.stringMatching(/^c[a-z0-9]{24}$/),
        kind: 'TASK_ASSIGNED',
        projectId: stage.projectId,
        projectSlug: stage.slug,
        projectName: expect.stringMatching(/^Project /),
        sessionId: null,
        sessionName: null,
        messageId: null,
        taskId: task.id,
        taskNumber: 1,
        actorUserId: member.userId,
        actorName: 'Grace',
        actorAgent: null,
        text: 'Compare prices',
        isQuiet: false,
        createdAt: expect.any(String),
        readAt: null,
      },
    ]);
    for (const person of [stage.org.owner, member, stage.outsider]) {
      expect(await told(person)).toEqual([]);
    }
  });

  it('tells each new assignee once, and nobody who takes it', async () => {
    const { admin, owner, member } = stage.org;
    const task = await create();
    await changed(task, { assigneeUserId: admin.userId, priority: 'HIGH' });
    await changed(task, { assigneeUserId: admin.userId, status: 'IN_PROGRESS' });
    await changed(task, { assigneeUserId: owner.userId });
    await changed(task, { assigneeUserId: member.userId });
    await changed(task, { assigneeUserId: admin.userId });
    await create({ assigneeUserId: member.userId });
    const refused = await change(task, { assigneeUserId: owner.userId, version: 1 });
    expect(refused.status).toBe(409);
    expect(await told(admin)).toEqual([assigned(1), assigned(1)]);
    expect(await told(owner)).toEqual([assigned(1)]);
    expect(await told(member)).toEqual([]);
  });

  it('tells the assignee of a proposal when it is accepted, and not when it is declined', async () => {
    const { admin, owner, member } = stage.org;
    const proposals = [];
    for (const { userId } of [admin, admin, owner, member]) {
      proposals.push(await create({ status: 'PROPOSED', assigneeUserId: userId }));
    }
    const [first, second, third, fourth] = proposals.map(({ id }) => id);
    await change(proposals[1], { assigneeUserId: owner.userId });
    expect(await told(owner)).toEqual([]);
    const path = `${stage.tasks}/proposals`;
    await send('POST', path, member, { accept: [first, second, fourth], decline: [third] });
    expect(await told(admin)).toEqual([assigned(1)]);
    expect(await told(owner)).toEqual([assigned(2)]);
    expect(await told(member)).toEqual([]);
  });

  it('by an agent names the agent, and not to the person who asked it', async () => {
    const { admin, member } = stage.org;
    const [first, second] = [await create(), await create()];
    const client = await connectMcp(server.origin, member.key, 'legacy');
    for (const [{ id: taskId }, { userId: assigneeUserId }] of [
      [first, admin],
      [second, member],
    ]) {
      const input = { projectId: stage.projectId, taskId, assigneeUserId };
      expect((await callTool(client, 'update_task', input)).isError).toBe(false);
    }
    await client.close();
    expect(await inbox(admin)).toMatchObject([
      { kind: 'TASK_ASSIGNED', taskId: first.id, actorUserId: null, actorAgent: 'mcp' },
    ]);
    expect(await told(member)).toEqual([]);
  });
});

describe('a task that is finished', () => {
  it('tells whoever created it, each time, and not whoever finishes it or if it is cancelled', async () => {
    const { owner, member } = stage.org;
    for (const title of ['Done', 'Cancelled']) await send('POST', stage.tasks, owner, { title });
    const [, done, cancelled] = [
      await create({ status: 'DONE' }),
      ...(await send('GET', `${stage.tasks}?status=TODO`, owner)).items,
    ];
    await changed(cancelled, { status: 'CANCELLED' });
    await changed(done, { status: 'IN_REVIEW' });
    for (const status of ['DONE', 'DONE', 'TODO', 'DONE']) {
      await changed(done, { status, assigneeUserId: owner.userId, title: `It is ${status}` });
    }
    expect(await told(owner)).toEqual([finished(1), finished(1)]);
    await send('PATCH', `${stage.tasks}/${cancelled.id}`, owner, { status: 'DONE' });
    expect(await told(owner)).toHaveLength(2);
    expect(await told(member)).toEqual([]);
  });
});

describe('who is told', () => {
  it('nobody who is not in the Project any more', async () => {
    const { owner, member } = stage.org;
    const membership = `/api/projects/${stage.projectId}/members/${member.userId}`;
    const mine = await create({ title: 'Mine' });
    const other = await create({ title: 'Other' });
    await send('PATCH', `${stage.tasks}/${other.id}`, owner, { status: 'DONE' });
    expect(await told(member)).toEqual([finished(2)]);
    const { unreadTotal } = await send('GET', '/api/notifications?limit=1', member);
    await send('DELETE', membership, owner);
    await send('PATCH', `${stage.tasks}/${mine.id}`, owner, { status: 'DONE' });
    expect(await told(member)).toEqual([]);
    const { unreadTotal: left } = await send('GET', '/api/notifications?limit=1', member);
    expect(left).toBe(unreadTotal - 1);
    await send('PUT', membership, owner);
    expect(await told(member)).toEqual([finished(2)]);
  });

  it('nobody who has muted the session of the task', async () => {
    const { admin } = stage.org;
    const task = await create();
    const path = `${stage.tasks}/${task.id}/session`;
    const { id } = await send('PUT', path, admin);
    const mute = (muted: boolean) =>
      send('PUT', `/api/spaces/${stage.slug}/sessions/${id}/mute`, admin, { muted });
    await mute(true);
    await changed(task, { assigneeUserId: admin.userId });
    expect(await told(admin)).toEqual([]);
    await mute(false);
    await changed(task, { assigneeUserId: null });
    await changed(task, { assigneeUserId: admin.userId });
    expect(await told(admin)).toEqual([assigned(1)]);
  });

  it('a removed member has nothing left', async () => {
    const leaver = await addPerson(server.db, stage.org.orgId, 'ADMIN');
    await create({ assigneeUserId: leaver.userId });
    const own = await send('POST', stage.tasks, leaver, { title: 'Own' });
    const rows = () =>
      server.db.query('SELECT 1 AS one FROM notifications WHERE user_id = $1', [leaver.userId]);
    expect(await rows()).toHaveLength(1);
    await send('DELETE', `/api/org/${stage.org.orgId}/members/${leaver.userId}`, stage.org.owner);
    expect(await rows()).toEqual([]);
    await changed(own, { status: 'DONE' });
    expect(await rows()).toEqual([]);
  });
});

it('opening the task reads what is about it, and only for whoever opens it', async () => {
  const { admin, owner } = stage.org;
  const [first, second] = [await create(), await create()];
  for (const { userId } of [admin, owner, admin]) {
    await changed(first, { assigneeUserId: userId });
  }
  await changed(second, { assigneeUserId: admin.userId });
  const unread = async (person: Person) =>
    (await inbox(person))
      .filter(({ readAt }) => readAt === null)
      .map(({ taskNumber }) => taskNumber)
      .toSorted((a, b) => a - b);
  expect(await unread(admin)).toEqual([1, 1, 2]);
  await send('PUT', '/api/notifications/read', admin, { taskId: first.id });
  expect([await unread(admin), await unread(owner)]).toEqual([[2], [1]]);
  await send('PUT', '/api/notifications/read', admin, { taskId: 'nothing' });
  expect(await unread(admin)).toEqual([2]);
});

it('hints say so to that person only', async () => {
  const { admin, owner } = stage.org;
  const people = [admin, owner];
  const streams = await Promise.all(
    people.map((person) => openEventsOf(server, person, stage.org)),
  );
  const task = await create({ assigneeUserId: admin.userId });
  await changed(task, { title: 'The end' });
  const heard = await Promise.all(
    streams.map(async (stream) => (await stream.takeUntil('task.updated')).map(({ type }) => type)),
  );
  expect(heard.map((types) => types.toSorted())).toEqual([
    ['notification.created', 'task.created'],
    ['task.created'],
  ]);
  for (const stream of streams) stream.close();
});
