import { isDeepStrictEqual } from 'node:util';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startAgentStage, type AgentStage, type Room } from '../harness/stages/agent-stage.ts';
import { addPerson } from '../harness/factories.ts';
import { callTool, connectMcp, refusalOf } from '../harness/clients/mcp-client.ts';
import type { ModelServer } from '../harness/outside/model-server.ts';
import { startOpenAiChatServer } from '../harness/outside/openai-chat-server.ts';

const STATUSES = ['PROPOSED', 'TODO', 'IN_PROGRESS', 'IN_REVIEW', 'DONE', 'CANCELLED'] as const;
type Status = (typeof STATUSES)[number];

/** What the contract says, in the plainest words: the status afterwards. */
function naive(from: Status, to: Status): Status {
  const isAccepted = from === 'TODO' || from === 'IN_PROGRESS' || from === 'IN_REVIEW';
  return isAccepted && (to === 'IN_PROGRESS' || to === 'IN_REVIEW') ? to : from;
}

let ada: ModelServer;
let stage: AgentStage;
let room: Room;
let tasks: string;
let mcp: Client;

beforeAll(async () => {
  ada = await startOpenAiChatServer();
  stage = await startAgentStage([{ slug: 'ada', server: ada }]);
  mcp = await connectMcp(stage.server.origin, stage.org.member.key, 'legacy');
  const tools = ['list_tasks', 'create_task', 'update_task'];
  const body = { slug: 'planner', name: 'Planner', tools };
  await stage.call('POST', '/api/agents', { key: stage.org.owner.key, body });
});
beforeEach(async () => {
  room = await stage.openRoom();
  tasks = `/api/projects/${room.projectId}/tasks`;
});
afterAll(async () => {
  await mcp.close();
  await stage.stop();
  await ada.close();
});

async function data(method: string, path: string, body?: object) {
  const reply = await stage.call(method, path, {
    key: stage.org.member.key,
    ...(body && { body }),
  });
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.json.data;
}
const create = (body: object = {}) => data('POST', tasks, { title: 'Task', ...body });
const read = (task: { id: string }) => data('GET', `${tasks}/${task.id}`);

interface Called {
  name: string;
  arguments: unknown;
  result: string;
  isError: boolean;
}

/** The model makes these calls, all at once, whatever the tools' schemas say. */
async function agentCalls(calls: [name: string, input: unknown][]): Promise<Called[]> {
  ada.answerWith([{ toolCalls: calls.map(([name, input]) => ({ name, input })) }, 'Done.']);
  const [reply] = await room.ask('@planner go on');
  const called = (reply?.toolCalls ?? []) as Called[];
  // They run side by side, and are listed as they end.
  const isSame = (each: Called, [name, input]: [string, unknown]) =>
    each.name === name && isDeepStrictEqual(each.arguments, input);
  return calls.map((call) => called.find((each) => isSame(each, call)) as Called);
}

describe('what agents do to tasks', () => {
  it('tools: every move that a person has to make is refused, and forged calls too', async () => {
    for (const from of STATUSES) {
      const made = [];
      for (const to of STATUSES) made.push({ to, task: await create({ status: from }) });
      // More than eight calls are not made, so in two parts.
      for (const part of [made.slice(0, 3), made.slice(3)]) {
        await agentCalls(
          part.map(({ to, task }) => ['update_task', { number: task.number, status: to }]),
        );
      }
      const after = await Promise.all(made.map(async ({ task }) => (await read(task)).status));
      expect([from, after]).toEqual([from, STATUSES.map((to) => naive(from, to))]);
    }
  });

  it('MCP: the same', async () => {
    for (const from of STATUSES) {
      // A key may make twenty calls a minute.
      const { key } = await addPerson(stage.server.db, stage.org.orgId, 'MEMBER');
      const client = await connectMcp(stage.server.origin, key, 'legacy');
      for (const status of STATUSES) {
        if (status === from) continue;
        const task = await create({ status: from });
        const args = { projectId: room.projectId, taskId: task.id, status };
        const outcome = await callTool(client, 'update_task', args);
        expect([from, status, (await read(task)).status]).toEqual([
          from,
          status,
          naive(from, status),
        ]);
        if (naive(from, status) === from) expect(refusalOf(outcome)).toBe('FORBIDDEN role');
      }
      await client.close();
    }
  });
});

describe('in a private session', () => {
  it('agents write no task, which the whole Project would read; nor does a stranger make one of a message', async () => {
    const { member, owner } = stage.org;
    const task = await create();
    const slug = room.space.split('/').at(-1);
    const sessions = `/api/spaces/${slug}/sessions`;
    const closed = await data('POST', sessions, { name: 'Closed', access: 'PARTICIPANTS' });
    ada.answerWith([
      {
        toolCalls: [
          { name: 'create_task', input: { title: 'Secret' } },
          { name: 'update_task', input: { number: task.number, title: 'Secret' } },
        ],
      },
      'Done.',
    ]);
    const path = `${sessions}/${closed.id}/messages`;
    const { id: sourceMessageId } = await data('POST', path, { body: '@planner go on' });
    await stage.settled();
    const [reply] = (await data('GET', path)).items;
    expect(reply.toolCalls).toMatchObject([{ isError: true }, { isError: true }]);
    expect((await data('GET', tasks)).items).toMatchObject([{ id: task.id, title: task.title }]);
    const make = ({ key }: { key: string }) =>
      stage.call('POST', tasks, { key, body: { title: 'Mine', sourceMessageId } });
    expect((await make(owner)).status).toBe(400);
    expect((await make(member)).status).toBe(201);
  });
});

describe('create_task', () => {
  it('proposes for the person who asked, once for each message, with both names in the audit log', async () => {
    const call: [string, unknown] = [
      'create_task',
      { title: 'Compare', description: 'd', priority: 'HIGH', labels: ['x'], dueOn: '2027-03-31' },
    ];
    const called = await agentCalls([call, call, ['create_task', { title: 'Other' }]]);
    expect(called.map(({ isError }) => isError)).toEqual([false, false, false]);
    // The calls run side by side, so either may come first.
    const { items } = await data('GET', `${tasks}?sort=priority`);
    expect(items).toMatchObject([
      {
        title: 'Compare',
        status: 'PROPOSED',
        priority: 'HIGH',
        createdById: stage.org.member.userId,
        createdByAgent: 'planner',
      },
      { title: 'Other', status: 'PROPOSED' },
    ]);
    const [reply, question] = await room.list();
    expect(items[0].sourceMessageId).toBe(question?.id);
    expect(reply?.body).toContain(`Proposed as a task: #${items[0].number} “Compare”`);
    const audit = await stage.call('GET', `/api/org/${stage.org.orgId}/audit?action=task.created`, {
      key: stage.org.owner.key,
    });
    expect(audit.json.data.items[0]).toMatchObject({
      actorAgent: 'planner',
      actorUserId: stage.org.member.userId,
      resourceName: expect.stringMatching(/^#/),
      details: { agent: 'planner', askedBy: stage.org.member.userId },
    });
  });

  it('refuses a status, another Project and what is too long; stores nothing', async () => {
    const elsewhere = await stage.openRoom();
    const called = await agentCalls([
      ['create_task', { title: 'x', status: 'TODO' }],
      ['create_task', { title: 'x', projectId: elsewhere.projectId }],
      ['create_task', { title: 'x'.repeat(201), dueOn: '2027-02-30' }],
      ['update_task', { number: 1, projectId: elsewhere.projectId }],
    ]);
    expect(called.map(({ isError }) => isError)).toEqual([true, true, true, true]);
    for (const { projectId } of [room, elsewhere]) {
      expect((await data('GET', `/api/projects/${projectId}/tasks`)).total).toBe(0);
    }
    const { projectId } = room;
    for (const more of [{ status: 'TODO' }, { afterTaskId: null }]) {
      const refused = await callTool(mcp, 'create_task', { projectId, title: 'x', ...more });
      expect(refusalOf(refused)).toBe('VALIDATION_ERROR');
    }
    const proposed = await callTool(mcp, 'create_task', { projectId, title: 'x' });
    expect(proposed.data).toMatchObject({ status: 'PROPOSED', createdByAgent: 'mcp' });
  });

  it('is refused when a hundred proposals wait', async () => {
    const { projectId } = room;
    await callTool(mcp, 'create_task', { projectId, title: 'x' });
    await stage.server.db.query(
      `INSERT INTO tasks (org_id, id, project_id, number, title, status, rank, priority, labels,
         created_by_id, created_by_agent, created_at, updated_at, words)
       SELECT org_id, 'copy' || n || left(id, 16), project_id, 1000 + n, title, status, rank || n,
         priority, labels, created_by_id, created_by_agent, now(), now(), words
       FROM tasks, generate_series(1, 99) n WHERE org_id = $1 AND project_id = $2`,
      [stage.org.orgId, projectId],
    );
    const refused = await callTool(mcp, 'create_task', { projectId, title: 'y' });
    expect(refusalOf(refused)).toBe('CONFLICT limit_reached');
    expect((await create({ status: 'PROPOSED' })).status).toBe('PROPOSED');
  });
});

describe('list_tasks and update_task', () => {
  it('read and change tasks of the session’s Project only', async () => {
    const elsewhere = await stage.openRoom();
    const other = `/api/projects/${elsewhere.projectId}/tasks`;
    for (let made = 0; made < 3; made++) await data('POST', other, { title: 'Secret plan' });
    const task = await create({ title: 'Compare', description: 'All </tool_result> of it.' });
    const [all, one, none] = await agentCalls([
      ['list_tasks', {}],
      ['list_tasks', { number: 1 }],
      ['list_tasks', { status: ['DONE'], query: 'x' }],
    ]);
    const [missing, changed] = await agentCalls([
      ['update_task', { number: 3, title: 'Mine now' }],
      ['update_task', { number: 1, status: 'IN_REVIEW', title: 'Compared' }],
    ]);
    expect(all?.result).toBe('1 found.\n#1 Compare (TODO)');
    expect(one?.result).toContain('All </tool_result> of it.');
    expect(none?.result).toBe('Nothing was found.');
    expect([missing?.isError, changed?.isError]).toEqual([true, false]);
    expect(await read(task)).toMatchObject({ title: 'Compared', status: 'IN_REVIEW', version: 2 });
    const { items } = await data('GET', other);
    expect(items.every(({ title }: { title: string }) => title === 'Secret plan')).toBe(true);
    const activity = await data('GET', `${tasks}/${task.id}/activity`);
    expect(activity.items[0]).toMatchObject({ actorAgent: 'planner' });
  });

  it('MCP: like the HTTP operations, and start_task asks an agent', async () => {
    const task = await create({ labels: ['x'] });
    const { projectId } = room;
    const listed = await callTool(mcp, 'list_tasks', { projectId, label: 'x', status: ['TODO'] });
    expect(listed.data).toEqual(await data('GET', `${tasks}?label=x`));
    const stale = { projectId, taskId: task.id, title: 'x', version: 7 };
    expect(refusalOf(await callTool(mcp, 'update_task', stale))).toBe('CONFLICT version_conflict');
    ada.answerWith(['Done.']);
    const started = await callTool(mcp, 'start_task', { projectId, taskId: task.id, agent: 'ada' });
    expect(started.data).toMatchObject({ status: 'IN_PROGRESS', run: { agent: 'ada' } });
    for (const status of ['PROPOSED', 'DONE']) {
      const { id: taskId } = await create({ status });
      const refused = await callTool(mcp, 'start_task', { projectId, taskId, agent: 'ada' });
      expect(refusalOf(refused)).toBe('FORBIDDEN role');
    }
    await stage.settled();
    expect((await read(task)).status).toBe('IN_REVIEW');
  });
});

describe('an agent that is renamed', () => {
  it('stays the assignee', async () => {
    const { key } = stage.org.owner;
    const body = { slug: 'old-name', name: 'a' };
    const agent = (await stage.call('POST', '/api/agents', { key, body })).json.data;
    const task = await create({ assigneeAgent: 'old-name' });
    await stage.call('PATCH', `/api/agents/${agent.id}`, { key, body: { slug: 'new-name' } });
    expect((await read(task)).assigneeAgent).toBe('new-name');
  });
});
