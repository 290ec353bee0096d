import { afterAll, beforeAll, expect, it } from 'vitest';
import { uploadText } from '../harness/clients/attachments.ts';
import { dataOf } from '../harness/clients/envelope.ts';
import { uploadFile, waitForCheck } from '../harness/clients/uploads.ts';
import { untilLocked } from '../harness/databases/lock-waits.ts';
import type { Person } from '../harness/factories.ts';
import { randomFrom } from '../harness/random.ts';
import { textRead } from '../harness/stages/document-stage.ts';
import { useFolder } from '../harness/use-folder.ts';
import { createShared, type Shared } from './cluster.ts';
import { killAll, startServer, startServers, type ServerProcess } from './processes.ts';

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
/** Nothing is left to do with it in the background, which would wait for locks too. */
async function uploadAndRead(): Promise<string> {
  const id = await upload();
  await textRead(next().call, shared.org.owner, id);
  return id;
}
const messagePath = (id: string) => `/api/spaces/${project.slug}/messages/${id}`;

/** The pages of sessions, from each server, which keeps them until the session changes. */
const readPages = (of = servers) =>
  Promise.all(
    of.flatMap((server) =>
      sessions.map(async (path) =>
        dataOf(await server.call('GET', `${path}?limit=100`, shared.org.owner)),
      ),
    ),
  );

/** Holds rows until it is told to release them, so that whoever needs them is caught half-way. */
async function holdFiles(
  ids: readonly string[],
  mode: 'UPDATE' | 'KEY SHARE' = 'UPDATE',
): Promise<() => Promise<void>> {
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = shared.db.transaction(async (tx) => {
    const text = `SELECT 1 AS held FROM files WHERE org_id = $1 AND id = ANY ($2) FOR ${mode}`;
    await tx.query(text, [shared.org.orgId, ids]);
    held.resolve();
    await released.promise;
  });
  await held.promise;
  return () => {
    released.resolve();
    return holding;
  };
}

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
    const pages = await readPages([server]);
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

it('a file that is attached while it is being deleted is on no page that a process has kept', async () => {
  const { owner } = shared.org;
  const fileId = await uploadAndRead();
  const [first, second] = sessions as [string, string];
  await send('POST', first, owner, { fileIds: [fileId] });
  // Messages can still get it, and it can't be deleted: the window between what has it and its deletion.
  const release = await holdFiles([fileId], 'KEY SHARE');
  const deleting = call('DELETE', `/api/files/${fileId}`, owner);
  await untilLocked(shared.db);
  await send('POST', second, owner, { fileIds: [fileId] });
  await readPages();
  await release();
  expect((await deleting).status).toBe(204);
  await expectConsistent();
});

it('whoever reads a file while its message is deleted gets all of its bytes, and nobody afterwards', async () => {
  const { owner, admin } = shared.org;
  const bytes = Buffer.alloc(1024 ** 2, 'deleted while it is read ');
  for (let round = 0; round < 3; round++) {
    const { id: fileId } = await uploadFile(
      { call: next().call, key: owner.key },
      { projectId: project.id, bytes },
    );
    await waitForCheck({ call: next().call, key: owner.key }, fileId);
    const { id } = await send('POST', sessions[0] as string, owner, { fileIds: [fileId] });
    const isOver = new AbortController();
    const seen = { whole: 0, refused: 0 };
    const read = async (): Promise<number> => {
      const reply = await fetch(`${next().origin}/api/files/${fileId}/content`, {
        headers: { authorization: `Bearer ${admin.key}` },
      });
      const got = Buffer.from(await reply.arrayBuffer());
      if (reply.status === 200) expect(got.equals(bytes)).toBe(true);
      seen[reply.status === 200 ? 'whole' : 'refused']++;
      return reply.status;
    };
    const readers = Array.from({ length: 4 }, async () => {
      while (!isOver.signal.aborted) expect([200, 404]).toContain(await read());
    });
    await expect.poll(() => seen.whole).toBeGreaterThan(3);
    expect((await call('DELETE', messagePath(id), owner)).status).toBe(204);
    expect(await read()).toBe(404);
    isOver.abort();
    await Promise.all(readers);
    expect(seen.refused).toBeGreaterThan(0);
  }
  await expectConsistent();
});

it('a file that two attach while it is purged is gone or kept, for both of them', async () => {
  const { owner } = shared.org;
  const files = await Promise.all(Array.from({ length: 8 }, uploadAndRead));
  const expired = 'UPDATE files SET purge_at = now() WHERE org_id = $1 AND id = ANY ($2)';
  await shared.db.query(expired, [shared.org.orgId, files]);
  const release = await holdFiles(files);
  // Maintenance runs at the start. It is first at one file, and the posts are at the others.
  const purging = await startServer({ DATABASE_URL: shared.url, DATA_DIR: folder.path });
  await untilLocked(shared.db);
  const posts = files.map((fileId) =>
    Promise.all(
      sessions.slice(0, 2).map((path) => call('POST', path, owner, { fileIds: [fileId] })),
    ),
  );
  const waiting = `SELECT 1 AS found FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await expect.poll(async () => (await shared.db.query(waiting)).length).toBeGreaterThan(4);
  await release();
  const kept = new Set<boolean>();
  for (const [at, replies] of (await Promise.all(posts)).entries()) {
    const content = await call('GET', `/api/files/${files[at]}/content`, owner);
    const isKept = content.status === 200;
    kept.add(isKept);
    const expected = isKept ? [201, 201] : [404, 404];
    expect(replies.map(({ status }) => status)).toEqual(expected);
  }
  expect(kept).toEqual(new Set([true, false]));
  await purging.kill();
  await expectConsistent();
});
