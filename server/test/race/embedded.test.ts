import { cp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isReplay, post, spread } from './cluster.ts';
import { makeMemoryFolder } from './memory-folder.ts';
import { killAll, spawnNode, startServer, type ServerProcess } from './processes.ts';

const ROUNDS = 2;
const WRITERS = 8;
const WRITES_A_ROUND = 60;
const BATCH = 60;

let root: string;
let seed: string;
beforeAll(async () => {
  root = await makeMemoryFolder('embedded');
  seed = join(root, 'seed');
});
afterEach(killAll);
afterAll(() => rm(root, { recursive: true }));

/** The folder that the first test leaves: after a first start and a clean stop. */
async function copySeed(name: string): Promise<string> {
  const folder = join(root, name);
  await cp(seed, folder, { recursive: true });
  return folder;
}

async function startOn(folder: string): Promise<{ server: ServerProcess; key: string }> {
  const server = await startServer({ DATA_DIR: folder });
  await server.waitForLine(/is running at|curl/);
  const { key } = JSON.parse(await readFile(join(folder, 'first-run.json'), 'utf8')) as {
    key: string;
  };
  return { server, key };
}

function create(server: ServerProcess, key: string, name: string) {
  return post(server, { key, idempotencyKey: name, body: { name } });
}

describe('a server on the embedded database', () => {
  it('killed while the folder is being created: the next start completes it', async () => {
    const preload = new URL('./kill-at-file.ts', import.meta.url).href;
    const killed = spawnNode('../../src/main.ts', ['serve', '--no-web'], {
      DATA_DIR: seed,
      NODE_OPTIONS: `--import=${preload}`,
      KILL_AT_FILE: 'postgresql.conf',
    });
    expect(await killed.exited).toEqual({ code: null, signal: 'SIGKILL' });
    const { server, key } = await startOn(seed);
    const made = await create(server, key, 'Begun-again');
    expect(made.status, made.text).toBe(201);
    // The tests that begin with a copy count their own.
    const { id } = made.json.data;
    const deleted = await server.call('DELETE', `/api/projects/${id}`, { key });
    expect(deleted.status, deleted.text).toBe(204);
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  it('killed in the middle of writes: what it acknowledged is stored, and a retry does the rest', async () => {
    const folder = await copySeed('killed');
    const acknowledged = new Map<string, string>();
    let unanswered: string[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      const { server, key } = await startOn(folder);
      for (const [name, text] of acknowledged) {
        const again = await create(server, key, name);
        expect([isReplay(again), again.text]).toEqual([true, text]);
      }
      for (const name of unanswered) {
        const retried = await create(server, key, name);
        expect(retried.status).toBe(201);
        acknowledged.set(name, retried.text);
      }
      const { data } = (await server.call('GET', '/api/projects', { key })).json;
      expect(data.total).toBe(acknowledged.size);
      unanswered = await writeUntilKilled(server, key, round, acknowledged);
    }
  });

  it('killed while it writes a batch of memories: all of it is there after a restart, or nothing', async () => {
    const folder = await copySeed('batch');
    const outcomes = new Set<number>();
    for (const seen of [10, BATCH]) {
      const { server, key } = await startOn(folder);
      const tag = `seen-${seen}`;
      const items = Array.from({ length: BATCH }, (_, at) => ({
        content: `note ${at}`,
        visibility: 'ORG',
        tags: [tag],
      }));
      const headers = { 'idempotency-key': tag };
      const send = (to: ServerProcess) =>
        to.call('POST', '/api/memory/batch', { key, body: { items }, headers });
      const count = async (on: ServerProcess) => {
        const reply = await on.call('GET', `/api/memory?tag=${tag}&limit=100`, { key });
        return reply.json.data.items.length;
      };
      const writing = send(server).catch(() => {});
      while ((await count(server)) < seen);
      // This commit also forces to disk what the batch has written until now.
      expect((await create(server, key, tag)).status).toBe(201);
      await server.kill('SIGKILL');
      await writing;
      const again = (await startOn(folder)).server;
      const left = await count(again);
      outcomes.add(left);
      const retried = await send(again);
      expect([retried.status, isReplay(retried)]).toEqual([201, left === BATCH]);
      expect(await count(again)).toBe(BATCH);
      await again.kill('SIGTERM');
    }
    expect([...outcomes].toSorted((a, b) => a - b)).toEqual([0, BATCH]);
  });

  it.each(['fsyncSync', 'writeSync'])(
    'ends when its disk fails (%s), and loses nothing that it acknowledged',
    async (operation) => {
      const folder = await copySeed(`failed-${operation}`);
      const preload = new URL('./failing-disk.ts', import.meta.url).href;
      const failing = await startServer({
        DATA_DIR: folder,
        NODE_OPTIONS: `--import=${preload}`,
        FAILING_OPERATION: operation,
      });
      const { key } = JSON.parse(await readFile(join(folder, 'first-run.json'), 'utf8')) as {
        key: string;
      };
      expect((await create(failing, key, 'Before')).status).toBe(201);
      failing.signal('SIGUSR2');
      await failing.waitForLine(/^the disk fails$/);
      await expect(create(failing, key, 'Unanswered')).rejects.toThrow(TypeError);
      expect(await failing.exited).toEqual({ code: 1, signal: null });
      expect(failing.lines.join('\n')).toMatch(
        /"reason":"could not .*"msg":"the embedded database failed/,
      );
      const { server } = await startOn(folder);
      const { data } = (await server.call('GET', '/api/projects', { key })).json;
      expect(data.items.map(({ name }: { name: string }) => name)).toContain('Before');
    },
  );

  it('has its folder to itself: a second process exits with one line that names the first', async () => {
    const folder = await copySeed('shared');
    const { server, key } = await startOn(folder);
    const createOrg = ['admin', 'create-org', '--name', 'N', '--owner-email', 'n@example.com'];
    const commands = [['serve'], createOrg];
    for (const command of commands) {
      const second = spawnNode('../../src/main.ts', command, { DATA_DIR: folder });
      expect((await second.exited).code).toBe(1);
      expect(second.lines).toHaveLength(1);
      expect(second.lines[0]).toContain(folder);
      expect(second.lines[0]).toMatch(new RegExp(`\\b${server.pid}\\b`));
    }
    expect((await create(server, key, 'Undisturbed')).status).toBe(201);
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect((await startOn(folder)).key).toBe(key);
  });
});

/** Records each acknowledged write; returns the names of those still running at the end. */
async function writeUntilKilled(
  server: ServerProcess,
  key: string,
  round: number,
  acknowledged: Map<string, string>,
): Promise<string[]> {
  const enough = acknowledged.size + WRITES_A_ROUND;
  const unanswered: string[] = [];
  let number = 0;
  await spread([server], WRITERS, async () => {
    for (;;) {
      const name = `Round-${round}-${++number}`;
      try {
        const { status, text } = await create(server, key, name);
        expect(status).toBe(201);
        acknowledged.set(name, text);
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        unanswered.push(name);
        return;
      }
      if (acknowledged.size === enough) server.signal('SIGKILL');
    }
  });
  await server.exited;
  return unanswered;
}
