import { beforeEach, describe, expect, it } from 'vitest';
import {
  until,
  type Room,
  type ShownMessage,
} from '../../../../test/harness/stages/agent-stage.ts';
import type { Reply } from '../../../../test/harness/clients/client.ts';
import type { ScriptedAnswer } from '../../../../test/harness/outside/model-server.ts';
import { failFile } from '../../../../test/harness/clients/attachments.ts';
import { sendFile, textRead } from '../../../../test/harness/stages/document-stage.ts';
import { useAgentStage } from '../../../../test/harness/stages/use-stage.ts';
import { dataOf, reasonOf } from '../../../../test/harness/clients/envelope.ts';

const UNFINISHED = { text: 'twelve bytes', ending: 'hang' } as const;

const { stage, ada } = useAgentStage();
let room: Room;
let tasks: string;

beforeEach(async () => {
  room = await stage.openRoom();
  tasks = `/api/projects/${room.projectId}/tasks`;
  ada.requests.length = 0;
});

const send = (method: string, path: string, body?: object): Promise<Reply> =>
  stage.call(method, path, stage.org.member, body);
async function data(method: string, path: string, body?: object) {
  return dataOf(await send(method, path, body));
}
const create = (body: object = {}) => data('POST', tasks, { title: 'Compare', ...body });
const start = (task: { id: string }, body: object = { agent: 'ada' }) =>
  send('POST', `${tasks}/${task.id}/start`, body);
const read = (task: { id: string }) => data('GET', `${tasks}/${task.id}`);
async function messagesOf(task: { id: string }): Promise<ShownMessage[]> {
  const { sessionId } = await read(task);
  return (await data('GET', `${room.space}/sessions/${sessionId}/messages`)).items;
}
const activityOf = async (task: { id: string }) =>
  (await data('GET', `${tasks}/${task.id}/activity`)).items;

/** Starts the task and waits until the reply has landed. */
async function run(task: { id: string }, answer: ScriptedAnswer[]): Promise<void> {
  ada.answerWith(answer);
  const reply = await start(task);
  expect(reply.status, reply.text).toBe(200);
  await ended(task);
}
const ended = (task: { id: string }) =>
  until(async () => (await read(task)).run.status !== 'RUNNING');

/** Starts the task and waits until the provider has been asked. It never completes its answer. */
async function startUnfinished(task: { id: string }): Promise<ShownMessage> {
  ada.answerWith([UNFINISHED]);
  await start(task);
  await ada.received(1);
  return (await messagesOf(task))[0] as ShownMessage;
}

describe('PUT …/tasks/{taskId}/session', () => {
  it('200: makes the session once, out of the list of sessions', async () => {
    const task = await create();
    const session = await data('PUT', `${tasks}/${task.id}/session`);
    expect(session).toMatchObject({ taskId: task.id, name: '#1 Compare', status: 'ACTIVE' });
    expect(await data('PUT', `${tasks}/${task.id}/session`)).toEqual(session);
    expect(await read(task)).toEqual({ ...task, sessionId: session.id });
    const listed = await data('GET', `${room.space}/sessions`);
    expect(listed.items.map(({ id }: { id: string }) => id)).toEqual([room.sessionId]);
    expect(listed.total).toBe(1);
    const path = `${room.space}/sessions/${session.id}`;
    expect((await data('GET', path)).taskId).toBe(task.id);
    await data('POST', `${path}/messages`, { body: 'Let us talk.' });
  });

  it('409: an archived task', async () => {
    const task = await create();
    await send('DELETE', `${tasks}/${task.id}`);
    for (const [method, path] of [
      ['PUT', 'session'],
      ['POST', 'start'],
    ] as const) {
      const reply = await send(method, `${tasks}/${task.id}/${path}`);
      expect(reasonOf(reply)).toEqual([409, 'task_archived']);
    }
  });
});

describe('a task made from a message', () => {
  it('is linked both ways', async () => {
    const message = await room.post('We should compare prices.');
    const path = `${room.space}/messages/${message.id}`;
    const messages = `${room.space}/sessions/${room.sessionId}/messages`;
    expect((await data('GET', messages)).items[0].tasks).toEqual([]);
    const task = await create({ sourceMessageId: message.id });
    const link = [{ id: task.id, number: task.number }];
    expect((await data('GET', path)).tasks).toEqual(link);
    expect((await data('GET', messages)).items[0].tasks).toEqual(link);
    await send('DELETE', path);
    expect((await send('POST', tasks, { title: 'x', sourceMessageId: message.id })).status).toBe(
      400,
    );
  });
});

describe('POST …/tasks/{taskId}/start', () => {
  it('200: asks as the caller; the reply moves the task to IN_REVIEW', async () => {
    const task = await create({ description: 'Ask @ada or @recall.', assigneeAgent: 'ada' });
    ada.answerWith(['They charge 49.']);
    const started = (await start(task, { instructions: 'Be quick.' })).json.data;
    expect(started).toMatchObject({
      status: 'IN_PROGRESS',
      startedAt: expect.any(String),
      sessionId: expect.any(String),
      run: { agent: 'ada', status: 'RUNNING', messageId: expect.any(String) },
    });
    await ended(task);
    expect(await read(task)).toMatchObject({ status: 'IN_REVIEW', run: { status: 'COMPLETED' } });
    const [reply, request, ...rest] = await messagesOf(task);
    expect(rest).toEqual([]);
    expect(reply).toMatchObject({ body: 'They charge 49.', agentSlug: 'ada' });
    expect(request).toMatchObject({
      id: started.run.messageId,
      authorUserId: stage.org.member.userId,
      body: '@ada Be quick.\n\n**#1 Compare**\n\nAsk @ada or @recall.',
    });
    expect(await activityOf(task)).toMatchObject([
      {
        actorUserId: stage.org.member.userId,
        actorAgent: 'ada',
        changes: [
          { field: 'status', from: 'IN_PROGRESS', to: 'IN_REVIEW' },
          { field: 'run', from: 'RUNNING', to: 'COMPLETED' },
        ],
      },
      {
        actorAgent: null,
        changes: [
          { field: 'status', from: 'TODO', to: 'IN_PROGRESS' },
          { field: 'run', from: null, to: 'RUNNING' },
        ],
      },
      { version: 1 },
    ]);
  });

  it('200: the request has the files of the task, which the agent reads', async () => {
    const task = await create();
    const { projectId } = room;
    const by = stage.org.member;
    const files: string[] = [];
    for (const [name, bytes] of [
      ['prices.md', 'Contoso charges 49 a month.'],
      ['lost.txt', 'Nobody could check this.'],
    ] as const) {
      const id = await sendFile(stage.call, by, { projectId, name, bytes });
      await textRead(stage.call, by, id);
      files.push(id);
    }
    await data('PUT', `${tasks}/${task.id}/files`, { fileIds: files });
    await failFile(stage.server.db, stage.org.orgId, files[1] ?? '', 'FAILED', 'It broke off.');
    await run(task, ['It is 49.']);
    expect(ada.requests[0]?.messages.at(-1)?.content).toContain('Contoso charges 49 a month.');
    const [, request] = await messagesOf(task);
    expect(request).toMatchObject({ attachments: [{ name: 'prices.md' }] });
    // A task that has no file has none in its request.
    await data('PUT', `${tasks}/${task.id}/files`, { fileIds: [] });
    await run(task, ['Done.']);
    expect((await messagesOf(task))[1]).toMatchObject({ attachments: [] });
  });

  it('200: without an agent, whoever answers @model; a long description is cut', async () => {
    const task = await create({ description: '@ada '.repeat(4_000) });
    ada.answerWith(['Done.']);
    expect((await start(task, {})).status).toBe(200);
    await ended(task);
    const [reply, request] = await messagesOf(task);
    expect(reply?.agentSlug).toBe('ada');
    expect(request?.body.length).toBe(20_000);
    expect(request?.body).toMatch(/^@model Work on this task\./);
  });

  it('a FAILED reply moves it back, and a retry, or another start, goes on', async () => {
    const [before, task] = [await create(), await create({ title: 'second' })];
    await create({ title: 'third' });
    await run(task, [{ status: 400 }]);
    expect(await read(task)).toMatchObject({ status: 'TODO', run: { status: 'FAILED' } });
    const titles = async () =>
      (await data('GET', tasks)).items.map(({ title }: { title: string }) => title);
    expect(await titles()).toEqual([before.title, 'second', 'third']);
    const [failed] = await messagesOf(task);
    ada.answerWith([UNFINISHED]);
    const asked = ada.requests.length;
    await data('POST', `${room.space}/messages/${failed?.id}/retry`);
    expect(await read(task)).toMatchObject({ status: 'IN_PROGRESS', run: { status: 'RUNNING' } });
    expect(reasonOf(await start(task))).toEqual([409, 'task_running']);
    await ada.received(asked + 1);
    await data('POST', `${room.space}/messages/${failed?.inReplyToMessageId}/replies/ada/stop`);
    await ended(task);
    expect(await read(task)).toMatchObject({ status: 'TODO', run: { status: 'STOPPED' } });
    await run(task, ['Done.']);
    expect(await read(task)).toMatchObject({ status: 'IN_REVIEW', run: { status: 'COMPLETED' } });
    expect(await messagesOf(task)).toHaveLength(4);
  });

  it.each(['DONE', 'TODO', 'IN_REVIEW'])(
    'a reply leaves the task where a person has moved it: %s',
    async (status) => {
      const task = await create();
      const request = await startUnfinished(task);
      await data('PATCH', `${tasks}/${task.id}`, { status });
      await data('POST', `${room.space}/messages/${request.id}/replies/ada/stop`);
      await ended(task);
      expect(await read(task)).toMatchObject({ status, run: { status: 'STOPPED' } });
    },
  );

  it('a deleted request ends the run, and a late reply moves nothing', async () => {
    const task = await create();
    const gate = Promise.withResolvers<void>();
    ada.answerWith([{ text: 'Late.', pace: () => gate.promise }]);
    await start(task);
    await ada.received(1);
    const [request] = await messagesOf(task);
    await send('DELETE', `${room.space}/messages/${request?.id}`);
    expect(await read(task)).toMatchObject({ status: 'TODO', run: { status: 'STOPPED' } });
    gate.resolve();
    await until(async () => (await messagesOf(task)).length === 2);
    expect(await read(task)).toMatchObject({ status: 'TODO', run: { status: 'STOPPED' } });
    await run(task, ['Done.']);
    expect((await read(task)).status).toBe('IN_REVIEW');
  });

  it('another message in the session moves nothing', async () => {
    const task = await create();
    const session = await data('PUT', `${tasks}/${task.id}/session`);
    ada.answerWith(['Hello.']);
    await data('POST', `${room.space}/sessions/${session.id}/messages`, { body: '@ada hello' });
    await until(async () => (await messagesOf(task)).length === 2);
    expect(await read(task)).toMatchObject({ status: 'TODO', run: null });
  });

  it('a closed task is reopened, and after a failure it is TODO', async () => {
    const task = await create({ status: 'DONE' });
    await run(task, [{ status: 400 }]);
    expect(await read(task)).toMatchObject({ status: 'TODO', completedAt: null });
    const parent = await create();
    const subtask = await create({ parentTaskId: parent.id, status: 'DONE' });
    await data('PATCH', `${tasks}/${parent.id}`, { status: 'DONE' });
    expect(reasonOf(await start(subtask))).toEqual([409, 'parent_closed']);
  });

  it('400: an agent that does not answer here; 409: the session is archived', async () => {
    const task = await create();
    const reply = await start(task, { agent: 'nobody', instructions: 'x'.repeat(4_000) });
    expect(reply.json.error.details.errors[0].location).toBe('body.agent');
    expect((await read(task)).sessionId).toBeNull();
    const session = await data('PUT', `${tasks}/${task.id}/session`);
    await send('DELETE', `${room.space}/sessions/${session.id}`);
    expect(reasonOf(await start(task))).toEqual([409, 'session_archived']);
    expect(await read(task)).toMatchObject({ status: 'TODO', run: null, version: 1 });
  });
});
