import { describe, expect, it } from 'vitest';
import { reasonOf } from '../../../test/harness/clients/envelope.ts';
import { locations, useTaskStage } from '../../../test/harness/stages/task-stage.ts';

const { server, stage, addProject, create, createElsewhere, change, changed, read, list, titles } =
  useTaskStage();
const { call } = server;

describe('POST /projects/{projectId}/tasks', () => {
  it('201: every field of the record', async () => {
    const body = {
      title: ' Compare ',
      description: 'Three are enough.',
      priority: 'HIGH',
      assigneeUserId: stage.org.owner.userId,
      dueOn: '2028-02-29',
      labels: [' a ', 'b', 'a'],
    };
    const task = await create(body);
    expect(task).toEqual({
      id: expect.stringMatching(/^c[a-z0-9]{24}$/),
      projectId: stage.projectId,
      number: 1,
      title: 'Compare',
      description: 'Three are enough.',
      status: 'TODO',
      priority: 'HIGH',
      assigneeUserId: stage.org.owner.userId,
      assigneeAgent: null,
      dueOn: '2028-02-29',
      labels: ['a', 'b'],
      parentTaskId: null,
      parentNumber: null,
      subtasks: { total: 0, done: 0 },
      attachments: [],
      sessionId: null,
      sourceMessageId: null,
      run: null,
      createdById: stage.org.member.userId,
      createdByAgent: null,
      version: 1,
      createdAt: expect.any(String),
      updatedAt: task.createdAt,
      startedAt: null,
      completedAt: null,
      archivedAt: null,
    });
    expect(await read(task)).toEqual(task);
  });

  it('201: numbers count in each Project, and a refused task takes none', async () => {
    await create();
    const refused = { key: stage.org.member.key, body: { title: 'x', parentTaskId: 'nothing' } };
    expect((await call('POST', stage.tasks, refused)).status).toBe(400);
    const { id } = await addProject();
    const [second, elsewhere] = [await create(), await create({}, `/api/projects/${id}/tasks`)];
    expect([second.number, elsewhere.number]).toEqual([2, 1]);
  });

  it.each([
    ['IN_REVIEW', true, false],
    ['DONE', false, true],
  ])('201: as %s', async (status, isStarted, isCompleted) => {
    const task = await create({ status });
    expect([task.startedAt !== null, task.completedAt !== null]).toEqual([isStarted, isCompleted]);
  });

  it('201: an agent or model as the assignee, a subtask, a source', async () => {
    const sessions = `/api/spaces/${stage.slug}/sessions`;
    const session = await call('POST', sessions, stage.org.member, { name: 's' });
    const messages = `${sessions}/${session.json.data.id}/messages`;
    const message = await call('POST', messages, stage.org.member, { body: 'We should compare.' });
    const parent = await create();
    const sourceMessageId = message.json.data.id;
    const task = await create({
      assigneeAgent: 'Recall',
      parentTaskId: parent.id,
      sourceMessageId,
    });
    expect(task).toMatchObject({
      assigneeAgent: 'recall',
      parentTaskId: parent.id,
      parentNumber: parent.number,
      sourceMessageId,
    });
    expect((await read(parent)).subtasks).toEqual({ total: 1, done: 0 });
  });

  it('400: every invalid field at once, and nothing is stored', async () => {
    const body = {
      title: 'x'.repeat(10_001),
      description: 'x'.repeat(20_001),
      dueOn: '2027-02-30',
      status: 'LATER',
      labels: [''],
      version: 1,
    };
    const reply = await call('POST', stage.tasks, stage.org.member, body);
    expect(locations(reply).toSorted()).toEqual([
      'body.description',
      'body.dueOn',
      'body.labels[0]',
      'body.status',
      'body.title',
      'body.version',
    ]);
    const elsewhere = await createElsewhere();
    const wrong = {
      title: 'x',
      assigneeUserId: stage.outsider.userId,
      assigneeAgent: 'nobody',
      parentTaskId: elsewhere.id,
      sourceMessageId: elsewhere.id,
      afterTaskId: elsewhere.id,
    };
    const refused = await call('POST', stage.tasks, stage.org.member, wrong);
    expect(new Set(locations(refused))).toEqual(
      new Set([
        'body.assigneeUserId',
        'body.assigneeAgent',
        'body.parentTaskId',
        'body.sourceMessageId',
        'body.afterTaskId',
      ]),
    );
    expect((await list()).total).toBe(0);
  });

  it.each(['0000-01-01', '2027-13-01', '2027-1-1', '2027-02-29', 'tomorrow', 20270331])(
    '400: due on %s',
    async (dueOn) => {
      const reply = await call('POST', stage.tasks, stage.org.member, { title: 'x', dueOn });
      expect(locations(reply)).toEqual(['body.dueOn']);
    },
  );

  it('409: the Project is archived; a closed parent', async () => {
    const parent = await create({ status: 'CANCELLED' });
    const body = { title: 'x', parentTaskId: parent.id };
    const refused = await call('POST', stage.tasks, stage.org.member, body);
    expect(reasonOf(refused)).toEqual([409, 'parent_closed']);
    await call('DELETE', `/api/projects/${stage.projectId}`, stage.org.owner);
    const late = await call('POST', stage.tasks, stage.org.member, { title: 'x' });
    expect(reasonOf(late)).toEqual([409, 'project_archived']);
    expect(reasonOf(await change(parent, { title: 'x' }))).toEqual([409, 'project_archived']);
    expect((await list()).total).toBe(1);
  });
});

describe('PATCH /projects/{projectId}/tasks/{taskId}', () => {
  it('200: changes what is given, clears what is null, and counts versions', async () => {
    const task = await create({ description: 'd', labels: ['l'], dueOn: '2027-01-01' });
    const renamed = await changed(task, { title: 'New' });
    expect(renamed).toEqual({ ...task, title: 'New', version: 2, updatedAt: renamed.updatedAt });
    const cleared = await changed(task, { description: null, labels: null, dueOn: null });
    expect(cleared).toMatchObject({ description: null, labels: [], dueOn: null, version: 3 });
    expect(await changed(task, {})).toEqual(cleared);
    expect(await changed(task, { title: 'New' })).toEqual(cleared);
  });

  it('200: an assignee takes the place of the other', async () => {
    const task = await create({ assigneeUserId: stage.org.owner.userId });
    expect(await changed(task, { assigneeAgent: 'recall' })).toMatchObject({
      assigneeUserId: null,
      assigneeAgent: 'recall',
    });
    expect(await changed(task, { assigneeUserId: stage.org.member.userId })).toMatchObject({
      assigneeUserId: stage.org.member.userId,
      assigneeAgent: null,
    });
    const both = { assigneeUserId: stage.org.member.userId, assigneeAgent: 'recall' };
    expect(locations(await change(task, both))).toEqual(['body.assigneeAgent']);
  });

  it('200: people move a task anywhere; closing and reopening set and clear completedAt', async () => {
    const task = await create({ status: 'PROPOSED' });
    const path = ['DONE', 'TODO', 'IN_PROGRESS', 'CANCELLED', 'IN_REVIEW', 'PROPOSED', 'DONE'];
    for (const status of path) {
      const moved = await changed(task, { status });
      const isClosed = status === 'DONE' || status === 'CANCELLED';
      expect([moved.status, moved.completedAt !== null]).toEqual([status, isClosed]);
    }
    const { startedAt } = await read(task);
    expect(startedAt).toEqual(expect.any(String));
    expect((await changed(task, { status: 'IN_PROGRESS' })).startedAt).toBe(startedAt);
  });

  it('200: what a task refers to may stay, even if it could not be chosen any more', async () => {
    const task = await create({ assigneeUserId: stage.org.member.userId });
    await call(
      'DELETE',
      `/api/projects/${stage.projectId}/members/${stage.org.member.userId}`,
      stage.org.owner,
    );
    const reply = await change(task, { title: 'New' }, stage.org.owner.key);
    expect(reply.json.data).toMatchObject({
      title: 'New',
      assigneeUserId: stage.org.member.userId,
    });
  });

  it('400: a parent that is a subtask, itself, elsewhere, or of a task with subtasks', async () => {
    const [parent, task] = [await create(), await create()];
    const subtask = await create({ parentTaskId: parent.id });
    const elsewhere = await createElsewhere();
    for (const [target, parentTaskId] of [
      [task, subtask.id],
      [task, task.id],
      [task, elsewhere.id],
      [parent, task.id],
    ]) {
      expect(locations(await change(target, { parentTaskId }))).toEqual(['body.parentTaskId']);
    }
    expect((await read(task)).version).toBe(1);
  });

  it('400: a place in another column or Project, or after itself or an archived task', async () => {
    const [task, done, gone] = [await create(), await create({ status: 'DONE' }), await create()];
    const elsewhere = await createElsewhere();
    await call('DELETE', `${stage.tasks}/${gone.id}`, stage.org.member);
    for (const { id: afterTaskId } of [task, done, gone, elsewhere, { id: 'nothing' }]) {
      expect(locations(await change(task, { afterTaskId }))).toEqual(['body.afterTaskId']);
    }
    const wrong = { afterTaskId: done.id, assigneeUserId: stage.outsider.userId };
    expect(locations(await change(task, wrong))).toEqual([
      'body.assigneeUserId',
      'body.afterTaskId',
    ]);
    expect((await changed(task, { afterTaskId: done.id, status: 'DONE' })).status).toBe('DONE');
  });

  it('409 version_conflict: with the current record, and nothing is stored', async () => {
    const task = await create();
    const current = await changed(task, { title: 'First', version: 1 });
    const reply = await change(task, { title: 'Second', version: 1 });
    expect(reasonOf(reply)).toEqual([409, 'version_conflict']);
    expect(reply.json.error.details.task).toEqual(current);
    expect(await read(task)).toEqual(current);
  });

  it('409 subtasks_open, parent_closed: a parent is DONE only when its subtasks are closed', async () => {
    const parent = await create();
    const subtask = await create({ parentTaskId: parent.id });
    expect(reasonOf(await change(parent, { status: 'DONE' }))).toEqual([409, 'subtasks_open']);
    await changed(subtask, { status: 'CANCELLED' });
    expect((await changed(parent, { status: 'DONE' })).subtasks).toEqual({ total: 1, done: 1 });
    expect(reasonOf(await change(subtask, { status: 'TODO' }))).toEqual([409, 'parent_closed']);
    const task = await create();
    const joins = { parentTaskId: parent.id };
    expect(reasonOf(await change(task, joins))).toEqual([409, 'parent_closed']);
    await changed(parent, { status: 'TODO' });
    expect((await changed(subtask, { status: 'TODO' })).status).toBe('TODO');
    expect((await changed(task, joins)).parentTaskId).toBe(parent.id);
  });

  it('404: a task of another Project, or unknown', async () => {
    const elsewhere = await createElsewhere();
    for (const id of [elsewhere.id, 'c'.repeat(25), 'x']) {
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const reply = await call(method, `${stage.tasks}/${id}`, stage.org.member);
        expect([method, reply.status]).toEqual([method, 404]);
      }
    }
  });
});

describe('DELETE /projects/{projectId}/tasks/{taskId} and POST …/restore', () => {
  it('204, 200: leaves the list, stays readable, and comes back to its place', async () => {
    const [a, b] = [await create({ title: 'a' }), await create({ title: 'b' })];
    expect((await call('DELETE', `${stage.tasks}/${a.id}`, stage.org.member)).status).toBe(204);
    const { archivedAt, version } = await read(a);
    expect([archivedAt, version]).toEqual([expect.any(String), 2]);
    expect((await call('DELETE', `${stage.tasks}/${a.id}`, stage.org.member)).status).toBe(204);
    expect(await read(a)).toMatchObject({ archivedAt, version });
    expect([await titles(), await titles('?archived=true')]).toEqual([['b'], ['a']]);
    expect(reasonOf(await change(a, { title: 'x' }))).toEqual([409, 'task_archived']);
    expect((await changed(b, { afterTaskId: null })).version).toBe(2);
    await changed(b, { status: 'DONE' });
    await changed(b, { status: 'TODO' });
    const restored = await call('POST', `${stage.tasks}/${a.id}/restore`, stage.org.member);
    expect(restored.json.data).toMatchObject({ archivedAt: null, version: 3 });
    expect(await titles()).toEqual(['a', 'b']);
  });

  it('409 parent_closed: an open subtask of a closed parent is not restored', async () => {
    const parent = await create();
    const subtask = await create({ parentTaskId: parent.id });
    await call('DELETE', `${stage.tasks}/${subtask.id}`, stage.org.member);
    await changed(parent, { status: 'DONE' });
    const reply = await call('POST', `${stage.tasks}/${subtask.id}/restore`, stage.org.member);
    expect(reasonOf(reply)).toEqual([409, 'parent_closed']);
  });
});

describe('POST /projects/{projectId}/tasks/proposals', () => {
  it('200: accepts and declines several at once; what is decided stays', async () => {
    const [a, b, c] = [
      await create({ status: 'PROPOSED' }),
      await create({ status: 'PROPOSED' }),
      await create({ status: 'DONE' }),
    ];
    const body = { accept: [a.id, c.id], decline: [b.id] };
    const reply = await call('POST', `${stage.tasks}/proposals`, stage.org.member, body);
    expect(reply.json.data.items.map(({ status }: { status: string }) => status)).toEqual([
      'TODO',
      'CANCELLED',
      'DONE',
    ]);
    const again = await call('POST', `${stage.tasks}/proposals`, stage.org.member, {
      decline: [a.id],
    });
    expect(again.json.data.items).toMatchObject([{ status: 'TODO', version: 2 }]);
  });

  it('400: unknown stage.tasks, and one that is in both lists, and nothing is stored', async () => {
    const task = await create({ status: 'PROPOSED' });
    const body = { accept: ['nothing', task.id], decline: ['nothing', task.id] };
    const reply = await call('POST', `${stage.tasks}/proposals`, stage.org.member, body);
    expect(locations(reply)).toEqual(['body.accept[0]', 'body.decline[0]', 'body.decline[1]']);
    expect((await read(task)).status).toBe('PROPOSED');
  });
});

describe('GET /projects/{projectId}/tasks/{taskId}/activity', () => {
  it('200: who changed what, from and to, newest first, in pages', async () => {
    const task = await create();
    await changed(task, { status: 'DONE', priority: 'LOW', description: 'x'.repeat(1000) });
    await changed(task, { afterTaskId: null });
    await change(task, { title: 'New' }, stage.org.owner.key);
    const path = `${stage.tasks}/${task.id}/activity`;
    const { items, hasMore, nextBefore } = await list('', path);
    expect([hasMore, nextBefore]).toEqual([false, null]);
    const about = { taskId: task.id, actorAgent: null };
    expect(items).toMatchObject([
      {
        ...about,
        version: 4,
        actorUserId: stage.org.owner.userId,
        changes: [{ field: 'title', from: 'Task', to: 'New' }],
      },
      { ...about, version: 2, actorUserId: stage.org.member.userId },
      { ...about, version: 1, changes: [] },
    ]);
    expect(items[1].changes).toEqual([
      { field: 'description', from: null, to: `${'x'.repeat(200)} …` },
      { field: 'status', from: 'TODO', to: 'DONE' },
      { field: 'priority', from: 'NONE', to: 'LOW' },
    ]);
    const first = await list('?limit=1', path);
    expect(first).toMatchObject({ items: [items[0]], hasMore: true, nextBefore: items[0].id });
    expect((await list(`?before=${first.nextBefore}`, path)).items).toEqual(items.slice(1));
    const wrong = await call('GET', `${path}?before=nothing`, stage.org.member);
    expect(locations(wrong)).toEqual(['query.before']);
  });
});
