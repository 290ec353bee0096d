import { describe, expect, it } from 'vitest';
import { expectError, problemsOf, reasonOf } from '../../../../test/harness/clients/envelope.ts';
import { callTool, connectMcp } from '../../../../test/harness/clients/mcp-client.ts';
import type { Person } from '../../../../test/harness/factories.ts';
import {
  failFile,
  openUpload,
  purgeTimeOf,
  uploadText,
} from '../../../../test/harness/clients/attachments.ts';
import { useServerWithNewOrgs } from '../../../../test/harness/processes/use-test-org.ts';

const { server, call, send, org } = useServerWithNewOrgs();

async function makeTask(access = 'ORG') {
  const body = { name: `Board ${Math.random()}`, access };
  const { id: projectId, slug } = await send('POST', '/api/projects', org.owner, body);
  const tasks = `/api/projects/${projectId}/tasks`;
  const { id } = await send('POST', tasks, org.owner, { title: 'Design' });
  const path = `${tasks}/${id}`;
  return {
    id: id as string,
    projectId: projectId as string,
    slug: slug as string,
    tasks,
    path,
    upload: (name?: string, by: Person = org.owner) => uploadText(call, by, projectId, name),
    set: (fileIds: unknown, by: Person = org.owner) =>
      call('PUT', `${path}/files`, by, { fileIds }),
    get: () => send('GET', path, org.member),
    activity: async () => (await send('GET', `${path}/activity`, org.owner)).items,
  };
}

const purgeAt = (id: string) => purgeTimeOf(server.db, org.orgId, id);

describe('PUT /projects/{projectId}/tasks/{taskId}/files', () => {
  it('200: replaces them in this order, and says so in the activity', async () => {
    const task = await makeTask();
    const [a, b, c] = [
      await task.upload('a.txt'),
      await task.upload('b.txt'),
      await task.upload('c.txt'),
    ];
    const first = await task.set([b, a]);
    expect(first.json.data).toMatchObject({
      version: 2,
      attachments: [{ name: 'b.txt' }, { name: 'a.txt' }],
    });
    expect(await task.get()).toEqual(first.json.data);
    expect((await send('GET', task.tasks, org.member)).items).toEqual([first.json.data]);
    expect((await call('GET', `/api/files/${a}`, org.member)).status).toBe(200);
    const second = await task.set([a, c, b]);
    expect(second.json.data).toMatchObject({
      version: 3,
      attachments: [{ name: 'a.txt' }, { name: 'c.txt' }, { name: 'b.txt' }],
    });
    await task.set([c]);
    const [last] = await task.activity();
    expect(last).toMatchObject({
      version: 4,
      changes: [{ field: 'fileIds', from: [a, c, b], to: [c] }],
    });
    expect(await purgeAt(c)).toBeNull();
    expect(await purgeAt(a)).not.toBeNull();
    expect((await call('GET', `/api/files/${a}`, org.member)).status).toBe(404);
  });

  it('200: the same files again change nothing', async () => {
    const task = await makeTask();
    const id = await task.upload();
    await task.set([id]);
    expect((await task.set([id])).json.data.version).toBe(2);
    expect((await task.set([])).json.data).toMatchObject({ version: 3, attachments: [] });
    expect((await task.set([])).json.data.version).toBe(3);
    expect(await task.activity()).toHaveLength(3);
  });

  it('200: what it has may stay, whatever has become of it', async () => {
    const task = await makeTask();
    const [bad, good] = [await task.upload('bad.txt'), await task.upload('good.txt')];
    await task.set([bad]);
    await failFile(server.db, org.orgId, bad, 'REFUSED', 'It contains Eicar-Test.');
    const reply = await task.set([good, bad]);
    expect(reply.json.data.attachments).toMatchObject([{}, { name: 'bad.txt', status: 'REFUSED' }]);
  });

  it('200: what is on a message too stays when the task no longer has it', async () => {
    const task = await makeTask();
    const id = await task.upload();
    await task.set([id]);
    const sessions = `/api/spaces/${task.slug}/sessions`;
    const { id: sessionId } = await send('POST', sessions, org.owner, { name: 'Talk' });
    await send('POST', `${sessions}/${sessionId}/messages`, org.owner, { fileIds: [id] });
    await task.set([]);
    expect(await purgeAt(id)).toBeNull();
    expect((await call('GET', `/api/files/${id}`, org.member)).status).toBe(200);
  });

  it('400: a file named twice, eleven of them, or none named', async () => {
    const task = await makeTask();
    const id = await task.upload();
    const many = Array.from({ length: 11 }, (_, at) => `${at}`);
    expect(problemsOf(await task.set([id, id]))).toEqual(['body.fileIds invalid_value']);
    expect(problemsOf(await task.set(many))).toEqual(['body.fileIds too_many']);
    expect(problemsOf(await task.set(undefined))).toEqual(['body.fileIds required']);
  });

  it('403, 404: outside the Project, no such task, and files that one may not read', async () => {
    const task = await makeTask('MEMBERS');
    const other = await makeTask();
    expect(reasonOf(await task.set([], org.member))).toEqual([403, 'not_project_member']);
    const missing = `${other.tasks}/${task.id}/files`;
    expectError(await call('PUT', missing, org.owner, { fileIds: [] }), 'NOT_FOUND');
    const ids = [await task.upload(), await other.upload('mine.txt', org.member), 'nothing'];
    for (const id of ids) expectError(await other.set([id]), 'NOT_FOUND');
    expect((await other.get()).version).toBe(1);
  });

  it('409: an archived task or Project, or a file that is not ready', async () => {
    const task = await makeTask();
    const { id } = await openUpload(call, org.owner, task.projectId, 'slow.txt');
    expect(reasonOf(await task.set([id]))).toEqual([409, 'file_not_ready']);
    await send('DELETE', task.path, org.owner);
    expect(reasonOf(await task.set([]))).toEqual([409, 'task_archived']);
    const other = await makeTask();
    await send('DELETE', `/api/projects/${other.projectId}`, org.owner);
    expect(reasonOf(await other.set([]))).toEqual([409, 'project_archived']);
  });
});

describe('a file that is deleted', () => {
  it('leaves its tasks, which get a new version', async () => {
    const task = await makeTask();
    const [a, b] = [await task.upload('a.txt'), await task.upload('b.txt')];
    await task.set([a, b]);
    await send('DELETE', `/api/files/${a}`, org.owner);
    expect(await task.get()).toMatchObject({ version: 3, attachments: [{ name: 'b.txt' }] });
    const [last] = await task.activity();
    expect(last).toMatchObject({ changes: [{ field: 'fileIds', from: [a, b], to: [b] }] });
  });

  it('is not shown by a replay', async () => {
    const task = await makeTask();
    const id = await task.upload('secret-name.txt');
    await task.set([id]);
    await send('DELETE', task.path, org.owner);
    const restore = () =>
      call('POST', `${task.path}/restore`, {
        key: org.owner.key,
        headers: { 'idempotency-key': `restore-${task.id}` },
      });
    expect((await restore()).text).toContain('secret-name.txt');
    expect((await restore()).text).toContain('secret-name.txt');
    await send('DELETE', `/api/files/${id}`, org.owner);
    const again = await restore();
    expect(reasonOf(again)).toEqual([409, 'idempotency_response_dropped']);
    expect(again.text).not.toContain('secret-name.txt');
  });
});

describe('list_tasks', () => {
  it('shows the files of tasks', async () => {
    const task = await makeTask();
    await task.set([await task.upload('design.txt')]);
    const client = await connectMcp(server.origin, org.member.key, '2026-07-28');
    const { data } = await callTool(client, 'list_tasks', { projectId: task.projectId });
    expect(data.items).toMatchObject([{ attachments: [{ name: 'design.txt' }] }]);
    await client.close();
  });
});
