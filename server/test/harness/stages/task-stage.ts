import { beforeAll, beforeEach, expect } from 'vitest';
import type { Reply } from '../clients/client.ts';
import { addPerson, createTestOrg, type Person, type TestOrg } from '../factories.ts';
import { useTestServer } from '../processes/use-test-server.ts';

interface Task {
  id: string;
}

/** A server, and a Project with `org.member` in it and `outsider` not, new for each test. */
export function useTaskStage() {
  const server = useTestServer();
  const { call } = server;
  const stage = {} as {
    org: TestOrg;
    otherOrg: TestOrg;
    outsider: Person;
    projectId: string;
    slug: string;
    /** The path of the Project's tasks. */
    tasks: string;
  };
  beforeAll(async () => {
    stage.org = await createTestOrg(server.db);
    stage.otherOrg = await createTestOrg(server.db);
    stage.outsider = await addPerson(server.db, stage.org.orgId, 'MEMBER');
  });
  beforeEach(async () => {
    const { id, slug } = await addProject('MEMBERS');
    const member = `/api/projects/${id}/members/${stage.org.member.userId}`;
    await call('PUT', member, { key: stage.org.owner.key });
    Object.assign(stage, { projectId: id, slug, tasks: `/api/projects/${id}/tasks` });
  });

  async function addProject(access = 'ORG') {
    const body = { name: `Project ${Math.random()}`, access };
    return (await call('POST', '/api/projects', { key: stage.org.owner.key, body })).json.data;
  }
  async function create(body: object = {}, path = stage.tasks) {
    const { key } = stage.org.member;
    const reply = await call('POST', path, { key, body: { title: 'Task', ...body } });
    expect(reply.status, reply.text).toBe(201);
    return reply.json.data;
  }
  const change = (task: Task, body: object, key = stage.org.member.key) =>
    call('PATCH', `${stage.tasks}/${task.id}`, { key, body });
  async function changed(task: Task, body: object) {
    const reply = await change(task, body);
    expect(reply.status, reply.text).toBe(200);
    return reply.json.data;
  }
  const read = async (task: Task) =>
    (await call('GET', `${stage.tasks}/${task.id}`, { key: stage.org.member.key })).json.data;
  const list = async (query = '', path = stage.tasks, key = stage.org.member.key) =>
    (await call('GET', `${path}${query}`, { key })).json.data;
  const titles = async (query = ''): Promise<string[]> =>
    (await list(query)).items.map(({ title }: { title: string }) => title);
  /** A task in another Project of the org. */
  const createElsewhere = async () => create({}, `/api/projects/${(await addProject()).id}/tasks`);

  return {
    server,
    stage,
    addProject,
    create,
    createElsewhere,
    change,
    changed,
    read,
    list,
    titles,
  };
}

export const locations = (reply: Reply): string[] =>
  reply.json.error.details.errors?.map(({ location }: { location: string }) => location);
