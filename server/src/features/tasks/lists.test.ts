import { describe, expect, it } from 'vitest';
import { locations, useTaskStage } from '../../../test/harness/stages/task-stage.ts';

const { server, stage, addProject, create, changed, list, titles } = useTaskStage();
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
    await call('DELETE', `/api/projects/${id}`, { key: stage.org.owner.key });
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
    const reply = await call('GET', stage.tasks + query, { key: stage.org.member.key });
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
