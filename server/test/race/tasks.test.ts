import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../harness/stages/agent-stage.ts';
import { addPerson } from '../harness/factories.ts';
import type { ModelServer } from '../harness/outside/model-server.ts';
import { startOpenAiChatServer } from '../harness/outside/openai-chat-server.ts';
import { randomFrom } from '../harness/random.ts';
import { createShared, type Shared } from './cluster.ts';
import { killAll, startServers, type ServerProcess } from './processes.ts';
import { createReplyCluster, type ReplyCluster } from './reply-cluster.ts';

const PEOPLE = 50;
const TASKS = 200;
const CHANGES = 12;
const STATUSES = ['PROPOSED', 'TODO', 'IN_PROGRESS', 'IN_REVIEW', 'DONE', 'CANCELLED'];

afterEach(killAll);

interface Task {
  id: string;
  number: number;
  title: string;
  status: string;
  version: number;
}

describe('50 people on one board, on three processes', () => {
  let shared: Shared;
  beforeAll(async () => {
    shared = await createShared();
  });
  afterAll(() => shared.drop());

  it('lose no update without a 409, share no number, and end with one order', async () => {
    const servers = await startServers(3, { DATABASE_URL: shared.url });
    const { org, db } = shared;
    const at = (index: number) => servers[index % servers.length] as ServerProcess;
    const body = { name: 'Board' };
    const project = await at(0).call('POST', '/api/projects', { key: org.owner.key, body });
    const path = `/api/projects/${project.json.data.id}/tasks`;
    const people = [];
    for (let made = 0; made < PEOPLE; made++) {
      people.push(await addPerson(db, org.orgId, 'MEMBER'));
    }

    const made = await Promise.all(
      people.map(async ({ key }, person) => {
        const tasks: Task[] = [];
        for (let each = 0; each < TASKS / PEOPLE; each++) {
          const draft = { title: '0', status: STATUSES[person % STATUSES.length] };
          const reply = await at(person + each).call('POST', path, { key, body: draft });
          expect(reply.status, reply.text).toBe(201);
          tasks.push(reply.json.data);
        }
        return tasks;
      }),
    );
    const tasks = made.flat();
    expect(new Set(tasks.map(({ number }) => number)).size).toBe(TASKS);
    expect(Math.max(...tasks.map(({ number }) => number))).toBe(TASKS);

    // Every accepted change is counted: in the title, if it was an edit, and in the version.
    const edits = new Map<string, number>();
    const changes = new Map<string, number>();
    const count = (map: Map<string, number>, id: string) => map.set(id, (map.get(id) ?? 0) + 1);
    let refused = 0;
    await Promise.all(
      people.map(async ({ key }, person) => {
        const random = randomFrom(person);
        const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
        for (let step = 0; step < CHANGES; step++) {
          const server = at(person + step);
          // Few tasks, so that people meet.
          const { id } = pick(tasks.slice(0, step % 2 === 0 ? 10 : TASKS));
          const { version, title, status } = (await server.call('GET', `${path}/${id}`, { key }))
            .json.data as Task;
          const isEdit = random() < 0.5;
          const listed = await server.call('GET', `${path}?status=${status}&limit=100`, { key });
          const column = (listed.json.data.items as Task[]).filter((task) => task.id !== id);
          const move =
            random() < 0.5
              ? { status: pick(STATUSES), version }
              : { afterTaskId: pick([null, ...column.map((task) => task.id)]), version };
          const change = isEdit ? { title: String(Number(title) + 1), version } : move;
          const reply = await server.call('PATCH', `${path}/${id}`, { key, body: change });
          if (reply.status === 409) {
            expect(reply.json.error.details.reason).toBe('version_conflict');
            refused++;
          } else if (reply.status === 400) {
            // The neighbour has left the column since it was listed.
            expect(reply.json.error.details.errors[0].location).toBe('body.afterTaskId');
          } else {
            expect(reply.status, reply.text).toBe(200);
            if (isEdit) count(edits, id);
            if (reply.json.data.version > version) count(changes, id);
          }
        }
      }),
    );
    expect(refused).toBeGreaterThan(0);

    const boards = await Promise.all(servers.map((server) => readBoard(server)));
    for (const board of boards) expect(board).toEqual(boards[0]);
    expect(boards[0]?.map(({ id }) => id).toSorted()).toEqual(tasks.map(({ id }) => id).toSorted());
    for (const { id, title, version } of boards[0] ?? []) {
      expect([id, title, version]).toEqual([
        id,
        String(edits.get(id) ?? 0),
        1 + (changes.get(id) ?? 0),
      ]);
    }
    const ties = await db.query(
      'SELECT status, rank FROM tasks WHERE org_id = $1 GROUP BY status, rank HAVING count(*) > 1',
      [org.orgId],
    );
    expect(ties).toEqual([]);

    async function readBoard(server: ServerProcess): Promise<Task[]> {
      const { key } = org.owner;
      const pages = await Promise.all(
        [1, 2].map((page) => server.call('GET', `${path}?limit=100&page=${page}`, { key })),
      );
      return pages.flatMap(({ json }) => json.data.items);
    }
  });
});

describe('a task that an agent works on', () => {
  let cluster: ReplyCluster;
  let ada: ModelServer;
  beforeAll(async () => {
    ada = await startOpenAiChatServer();
    cluster = await createReplyCluster([{ slug: 'ada', server: ada }]);
  });
  afterAll(async () => {
    await ada.close();
    await cluster.drop();
  });

  it(
    'started by many at once runs once; the process killed: one reply, and IN_REVIEW',
    { timeout: 120_000 },
    async () => {
      const servers = await Promise.all([cluster.startServer(), cluster.startServer()]);
      const [server] = servers;
      const { org, space } = await cluster.openPlace(server);
      const { key } = org.member;
      const slug = space.split('/').at(-1) ?? '';
      const [project] = await cluster.db.query<{ id: string }>(
        'SELECT id FROM projects WHERE org_id = $1 AND slug = $2',
        [org.orgId, slug],
      );
      const path = `/api/projects/${project?.id}/tasks`;
      const { id } = (await server.call('POST', path, { key, body: { title: 't' } })).json.data;
      // The first worker is killed while the model writes, and the second one gets the answer.
      ada.answerWith([{ text: 'half', ending: 'hang' }, 'Done.']);
      const start = (at: number) =>
        (servers[at % 2] as ServerProcess).call('POST', `${path}/${id}/start`, {
          key,
          body: { agent: 'ada' },
        });
      const started = await Promise.all(Array.from({ length: 10 }, (_, at) => start(at)));
      const statuses = Map.groupBy(started, ({ status }) => status);
      expect([statuses.get(200)?.length, statuses.get(409)?.length]).toEqual([1, 9]);
      const reasons = started.flatMap(({ json }) => json.error?.details.reason ?? []);
      expect(new Set(reasons)).toEqual(new Set(['task_running']));

      const worker = await cluster.spawnWorker();
      await ada.received(1);
      await worker.kill('SIGKILL');
      await cluster.spawnWorker();
      const read = async () => (await server.call('GET', `${path}/${id}`, { key })).json.data;
      await until(async () => (await read()).run.status !== 'RUNNING', 90_000);
      expect(await read()).toMatchObject({ status: 'IN_REVIEW', run: { status: 'COMPLETED' } });
      const ofTask = `org_id = '${org.orgId}' AND session_id = '${(await read()).sessionId}'`;
      expect(await cluster.count(`messages WHERE ${ofTask} AND author_kind = 'USER'`)).toBe(1);
      expect(await cluster.count(`messages WHERE ${ofTask} AND author_kind = 'AGENT'`)).toBe(1);
    },
  );
});
