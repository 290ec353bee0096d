import { describe, expect, it } from 'vitest';
import { randomFrom } from '../../../test/harness/random.ts';
import { locations, useTaskStage } from '../../../test/harness/stages/task-stage.ts';

const { server, stage, addProject, create, createElsewhere, changed, list, titles } =
  useTaskStage();
const { call } = server;

describe('the order of a column', () => {
  it('is the order of creation until people change it', async () => {
    const [a, b, c] = [
      await create({ title: 'a' }),
      await create({ title: 'b' }),
      await create({ title: 'c' }),
    ];
    expect(await titles()).toEqual(['a', 'b', 'c']);
    await changed(c, { afterTaskId: null });
    expect(await titles()).toEqual(['c', 'a', 'b']);
    await changed(c, { afterTaskId: a.id });
    expect(await titles()).toEqual(['a', 'c', 'b']);
    await changed(a, { status: 'DONE' });
    await changed(a, { status: 'TODO' });
    expect(await titles()).toEqual(['c', 'b', 'a']);
    await create({ title: 'd', afterTaskId: b.id });
    expect(await titles()).toEqual(['c', 'b', 'd', 'a']);
  });

  it('stays total with hundreds of moves to one place, and ranks stay short', async () => {
    const [first, a, b] = [await create(), await create(), await create()];
    await server.db.query(
      `UPDATE tasks SET rank = CASE WHEN id = $2 THEN '5000000000000000' || repeat('0', 200) || '1'
         ELSE '5000000000000000' END WHERE org_id = $1 AND id IN ($2, $3)`,
      [stage.org.orgId, a.id, first.id],
    );
    await changed(b, { afterTaskId: first.id });
    const order = (await list()).items.map(({ id }: { id: string }) => id);
    expect(order).toEqual([first.id, b.id, a.id]);
    const rows = await server.db.query<{ longest: number }>(
      'SELECT max(length(rank)) AS longest FROM tasks WHERE org_id = $1 AND project_id = $2',
      [stage.org.orgId, stage.projectId],
    );
    expect(rows[0]?.longest).toBeLessThan(40);
  });
});

interface Refused {
  error: { code: string; details: { reason?: string } };
}

describe('PATCH /projects/{projectId}/tasks', () => {
  const changeMany = async (changes: object[]) =>
    (await call('PATCH', stage.tasks, { key: stage.org.member.key, body: { changes } })).json.data
      .items;

  it('200: every change that is allowed, and the reason for each that is not', async () => {
    const [parent, other, gone] = [await create(), await create(), await create()];
    const sub = await create({ parentTaskId: parent.id });
    const elsewhere = await createElsewhere();
    await call('DELETE', `${stage.tasks}/${gone.id}`, stage.org.member);
    const items = await changeMany([
      { taskId: parent.id, status: 'DONE' },
      { taskId: other.id, priority: 'HIGH', labels: ['a'], version: 7 },
      { taskId: gone.id, status: 'DONE' },
      { taskId: elsewhere.id, status: 'DONE' },
      { taskId: sub.id, assigneeUserId: stage.outsider.userId },
    ]);
    const outcomes = items.map(({ error }: Refused) => error.details.reason ?? error.code);
    expect(outcomes).toEqual([
      'subtasks_open',
      'version_conflict',
      'task_archived',
      'NOT_FOUND',
      'VALIDATION_ERROR',
    ]);
    expect(items[4].error.details.errors[0].location).toBe('body.changes[4].assigneeUserId');
    expect(await titles('?status=DONE')).toEqual([]);
    const [first, second, third] = await changeMany([
      { taskId: other.id, priority: 'HIGH', dueOn: '2027-01-01', version: 1 },
      { taskId: gone.id, archived: false, status: 'IN_REVIEW' },
      { taskId: sub.id, archived: true },
    ]);
    expect(first).toMatchObject({ error: null, task: { priority: 'HIGH', dueOn: '2027-01-01' } });
    expect(second.task).toMatchObject({ archivedAt: null, status: 'IN_REVIEW' });
    expect(third.task.archivedAt).not.toBeNull();
  });

  it('200: closes parents after their subtasks, reopens them before, and says where each was', async () => {
    const [a, b, c] = [await create(), await create(), await create()];
    const sub = await create({ parentTaskId: b.id });
    const move = (status: string) => [b, sub, c].map(({ id }) => ({ taskId: id, status }));
    const done = await changeMany(move('DONE'));
    expect(done.map(({ error }: { error: unknown }) => error)).toEqual([null, null, null]);
    const places = done.map(({ wasAfterTaskId }: { wasAfterTaskId: string }) => wasAfterTaskId);
    expect(places).toEqual([a.id, c.id, b.id]);
    const back = await changeMany(
      [b, c, sub].map(({ id }, at) => ({
        taskId: id,
        status: 'TODO',
        afterTaskId: [a.id, b.id, c.id][at],
      })),
    );
    expect(back.map(({ error }: { error: unknown }) => error)).toEqual([null, null, null]);
    const order = (await list('?status=TODO')).items.map(({ id }: { id: string }) => id);
    expect(order).toEqual([a.id, b.id, c.id, sub.id]);
  });

  it('400: no changes, too many, or a task twice; 403: not a member of the Project', async () => {
    const { id: taskId } = await create();
    for (const changes of [
      [],
      Array.from({ length: 101 }, () => ({ taskId })),
      [{ taskId }, { taskId }],
    ]) {
      const reply = await call('PATCH', stage.tasks, stage.org.member, { changes });
      expect(reply.status).toBe(400);
    }
    const body = { changes: [{ taskId, status: 'DONE' }] };
    expect((await call('PATCH', stage.tasks, stage.outsider, body)).status).toBe(403);
  });

  it('does what as many single PATCHes would, whatever they change', async () => {
    const random = randomFrom(36);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    const twin = `/api/projects/${(await addProject()).id}/tasks`;
    const pairs: { one: string; other: string }[] = [];
    for (let nth = 0; nth < 8; nth++) {
      const parent = nth > 4 ? pairs[nth - 5] : undefined;
      const make = (path: string, parentTaskId?: string) =>
        create({ title: `T${nth}`, ...(parentTaskId && { parentTaskId }) }, path);
      const one = (await make(stage.tasks, parent?.one)).id;
      pairs.push({ one, other: (await make(twin, parent?.other)).id });
    }
    const snapshot = async (path: string) =>
      (await list('?limit=100', path)).items.map(
        ({ title, status, priority, labels, version }: Record<string, unknown>) =>
          JSON.stringify({ title, status, priority, labels, version }),
      );
    for (let round = 0; round < 6; round++) {
      const chosen = pairs.filter(() => random() < 0.6);
      const change = {
        status: pick(['TODO', 'IN_REVIEW', 'DONE']),
        priority: pick(['LOW', 'HIGH']),
      };
      if (chosen.length === 0) continue;
      const items = await changeMany(chosen.map(({ one }) => ({ taskId: one, ...change })));
      const isSub = ({ one }: { one: string }) => pairs.findIndex((pair) => pair.one === one) > 4;
      const first = change.status === 'DONE' ? isSub : (pair: { one: string }) => !isSub(pair);
      for (const pair of [...chosen.filter(first), ...chosen.filter((each) => !first(each))]) {
        const reply = await call('PATCH', `${twin}/${pair.other}`, stage.org.member, change);
        const item = items.find(({ taskId }: { taskId: string }) => taskId === pair.one);
        expect(item.error?.details.reason).toBe(reply.json.error?.details.reason);
      }
      expect(await snapshot(stage.tasks)).toEqual(await snapshot(twin));
    }
  });
});

describe('GET /projects/{projectId}/tasks and GET /tasks', () => {
  it('200: by column and place, filtered, sorted and paged', async () => {
    const parent = await create({
      title: 'Price list',
      labels: ['money', 'x'],
      dueOn: '2027-02-01',
    });
    await create({ title: 'Sub 100%', parentTaskId: parent.id, status: 'DONE', priority: 'LOW' });
    await create({ title: 'Ask Ada', assigneeUserId: stage.org.member.userId, priority: 'URGENT' });
    await create({ title: 'Idea', status: 'PROPOSED', assigneeAgent: 'recall' });
    await create({ title: 'Ship', description: 'The PRICE of it', dueOn: '2027-01-31' });
    expect(await titles()).toEqual(['Idea', 'Price list', 'Ask Ada', 'Ship', 'Sub 100%']);
    for (const [query, found] of [
      ['?status=TODO', ['Price list', 'Ask Ada', 'Ship']],
      ['?status=DONE&status=PROPOSED', ['Idea', 'Sub 100%']],
      ['?assigneeUserId=me', ['Ask Ada']],
      [`?assigneeUserId=${stage.org.owner.userId}`, []],
      ['?assigneeAgent=recall', ['Idea']],
      ['?assignee=me&assignee=@recall', ['Idea', 'Ask Ada']],
      ['?assignee=none', ['Price list', 'Ship', 'Sub 100%']],
      ['?priority=LOW&priority=URGENT', ['Ask Ada', 'Sub 100%']],
      ['?run=FAILED', []],
      ['?label=money', ['Price list']],
      ['?label=unknown', []],
      ['?dueBefore=2027-02-01', ['Ship']],
      [`?parentTaskId=${parent.id}`, ['Sub 100%']],
      ['?query=price', ['Price list', 'Ship']],
      ['?query=price%20of', ['Ship']],
      ['?query=100%25', ['Sub 100%']],
      ['?query=%25', []],
      ['?query=rice', []],
      ['?query=PRI%20l', ['Price list']],
      ['?number=1', ['Price list']],
      ['?sort=dueOn', ['Ship', 'Price list', 'Sub 100%', 'Ask Ada', 'Idea']],
      ['?sort=priority', ['Ask Ada', 'Sub 100%', 'Price list', 'Idea', 'Ship']],
      ['?limit=2&page=2', ['Ask Ada', 'Ship']],
      ['?page=9', []],
    ] as const) {
      expect([query, await titles(query)]).toEqual([query, found]);
    }
    expect(await list('?limit=2&page=2')).toMatchObject({ total: 5, page: 2, limit: 2 });
    await changed(parent, { priority: 'LOW' });
    expect((await titles('?sort=updatedAt'))[0]).toBe('Price list');
    const mine = await list('?assigneeUserId=me', '/api/tasks');
    expect(mine.items.every((task: { assigneeUserId: string }) => task.assigneeUserId)).toBe(true);
  });

  it('200: across Projects, only what the caller can see, and nothing of archived Projects', async () => {
    const word = `seen${Math.random().toString(36).slice(2)}`;
    const named = { title: `A ${word}`, labels: [word] };
    const task = await create(named);
    const { id } = await addProject();
    const open = await create(named, `/api/projects/${id}/tasks`);
    const idsOf = async (query: string, key: string): Promise<string[]> =>
      (await list(query, '/api/tasks', key)).items.map((each: { id: string }) => each.id);
    const seen = async (key: string) => {
      const ids = await idsOf(`?label=${word}`, key);
      expect((await idsOf(`?query=${word}`, key)).toSorted()).toEqual(ids.toSorted());
      return ids;
    };
    expect(new Set(await seen(stage.org.member.key))).toEqual(new Set([task.id, open.id]));
    expect(await seen(stage.outsider.key)).toEqual([open.id]);
    expect(await seen(stage.otherOrg.owner.key)).toEqual([]);
    await call('DELETE', `/api/projects/${id}`, stage.org.owner);
    expect(await seen(stage.org.member.key)).toEqual([task.id]);
  });

  it('304: nothing has changed; 200 with another ETag after any change', async () => {
    const task = await create();
    const { key } = stage.org.member;
    const tag = async () => (await call('GET', stage.tasks, { key })).headers.get('etag') ?? '';
    const first = await tag();
    const headers = { 'if-none-match': first };
    const same = await call('GET', stage.tasks, { key, headers });
    expect([same.status, same.text]).toEqual([304, '']);
    await changed(task, { labels: ['l'] });
    expect((await call('GET', stage.tasks, { key, headers })).status).toBe(200);
    expect(await tag()).not.toBe(first);
  });

  it('400: every invalid parameter at once', async () => {
    const query =
      '?status=LATER&status=TODO&dueBefore=2027-02-30&sort=age&number=0&archived=maybe&query=&x=1&label=a&label=b';
    const reply = await call('GET', stage.tasks + query, stage.org.member);
    expect(new Set(locations(reply))).toEqual(
      new Set([
        'query.status[0]',
        'query.dueBefore',
        'query.sort',
        'query.number',
        'query.archived',
        'query.query',
        'query.x',
        'query.label',
      ]),
    );
  });
});
