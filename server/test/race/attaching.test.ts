import { afterAll, beforeAll, expect, it } from 'vitest';
import { uploadText } from '../harness/clients/attachments.ts';
import { dataOf } from '../harness/clients/envelope.ts';
import type { Person } from '../harness/factories.ts';
import { randomFrom } from '../harness/random.ts';
import { useFolder } from '../harness/use-folder.ts';
import { createShared, type Shared } from './cluster.ts';
import { killAll, startServers, type ServerProcess } from './processes.ts';

const PROCESSES = 3;
const ROUNDS = 25;
const WRITERS = 8;
const STEPS = 30;

const folder = useFolder();
let shared: Shared;
let servers: ServerProcess[];
let project: { id: string; slug: string };
let sessions: string[];
let taskPath: string;

beforeAll(async () => {
  shared = await createShared();
  servers = await startServers(PROCESSES, { DATABASE_URL: shared.url, DATA_DIR: folder.path });
  project = await send('POST', '/api/projects', shared.org.owner, { name: 'Raced' });
  const path = `/api/spaces/${project.slug}/sessions`;
  sessions = [];
  for (const name of ['One', 'Two', 'Three']) {
    sessions.push(`${path}/${(await send('POST', path, shared.org.owner, { name })).id}/messages`);
  }
  const tasks = `/api/projects/${project.id}/tasks`;
  taskPath = `${tasks}/${(await send('POST', tasks, shared.org.owner, { title: 'Raced' })).id}`;
});
afterAll(async () => {
  await killAll();
  await shared.drop();
});

let turn = 0;
const next = () => servers[turn++ % servers.length] as ServerProcess;
const call = (method: string, path: string, by: Person, body?: object) =>
  next().call(method, path, { key: by.key, ...(body && { body }) });
const send = async (...args: Parameters<typeof call>) => dataOf(await call(...args));
const upload = () => uploadText(next().call, shared.org.owner, project.id);
const messagePath = (id: string) => `/api/spaces/${project.slug}/messages/${id}`;

/** What has which file, and until when a file is kept, agree. */
async function expectConsistent(): Promise<void> {
  const { db, org } = shared;
  const wrong = await db.query(
    `SELECT f.id, f.purge_at, count(fu.file_id) AS uses FROM files f
     LEFT JOIN file_uses fu ON fu.org_id = $1 AND fu.file_id = f.id WHERE f.org_id = $1
     GROUP BY f.id, f.purge_at HAVING (f.purge_at IS NULL) <> (count(fu.file_id) > 0)`,
    [org.orgId],
  );
  expect(wrong).toEqual([]);
  const uses = await db.query<{ id: string; files: string[] }>(
    `SELECT used_by_id AS id, array_agg(file_id ORDER BY position) AS files FROM file_uses
     WHERE org_id = $1 GROUP BY used_by_id`,
    [org.orgId],
  );
  const expected = new Map(uses.map(({ id, files }) => [id, files]));
  for (const server of servers) {
    const get = async (path: string) => dataOf(await server.call('GET', path, org.owner));
    const pages = await Promise.all(sessions.map((path) => get(`${path}?limit=100`)));
    const task = await get(taskPath);
    for (const one of [...pages.flatMap(({ items }) => items), task]) {
      const shown = one.attachments.map(({ fileId }: { fileId: string }) => fileId);
      expect(shown).toEqual(expected.get(one.id) ?? []);
    }
  }
}

it('a file that is deleted while it is attached is on no message, and none is posted without it', async () => {
  const { owner } = shared.org;
  const posted = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    const fileId = await upload();
    const post = (path = '') => call('POST', path, owner, { body: 'Look', fileIds: [fileId] });
    const [deleted, onTask, ...posts] = await Promise.all([
      call('DELETE', `/api/files/${fileId}`, owner),
      call('PUT', `${taskPath}/files`, owner, { fileIds: [fileId] }),
      ...sessions.map(post),
      ...sessions.map(post),
    ]);
    expect(deleted?.status, deleted?.text).toBe(204);
    expect([200, 404], onTask?.text).toContain(onTask?.status);
    for (const { status, text } of posts) {
      expect([201, 404], text).toContain(status);
      posted[status === 201 ? 0 : 1]!++;
    }
    await expectConsistent();
  }
  // Otherwise nothing was raced.
  for (const count of posted) expect(count).toBeGreaterThan(0);
});

it('posts, tasks, deletions and new names of the same files wait for each other, and all agree', async () => {
  const { owner, admin } = shared.org;
  const files = await Promise.all(Array.from({ length: 6 }, upload));
  const messages: string[] = [];
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      const random = randomFrom(writer);
      const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
      const some = () => [...new Set([pick(files), pick(files), pick(files)])];
      const kinds = [
        async () => {
          const reply = await call('POST', pick(sessions), owner, { fileIds: some() });
          if (reply.status === 201) messages.push(reply.json.data.id);
          return reply;
        },
        async () => {
          const [id] = messages.splice(Math.floor(random() * messages.length), 1);
          return call('DELETE', messagePath(id ?? 'none'), admin);
        },
        () => call('PUT', `${taskPath}/files`, owner, { fileIds: some() }),
        () => call('PATCH', `/api/files/${pick(files)}`, owner, { name: `${random()}.txt` }),
        async () => {
          const [id = ''] = files.splice(Math.floor(random() * files.length), 1, await upload());
          return call('DELETE', `/api/files/${id}`, owner);
        },
        () => call('GET', `/api/files/${pick(files)}`, admin),
      ];
      for (let step = 0; step < STEPS; step++) {
        const { status, text } = await (random() < 0.3 ? kinds[0] : pick(kinds))!();
        expect([200, 201, 204, 404], text).toContain(status);
      }
    }),
  );
  await expectConsistent();
  expect(messages.length).toBeGreaterThan(WRITERS);
});
