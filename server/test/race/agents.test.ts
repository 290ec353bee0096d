import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PROVIDER_KEY, writeModels } from '../harness/agent-stage.ts';
import { createTestOrg, type TestOrg } from '../harness/factories.ts';
import type { ModelServer } from '../harness/model-server.ts';
import { startOpenAiChatServer } from '../harness/openai-chat-server.ts';
import {
  startEmbeddingsServer,
  type EmbeddingsServer,
} from '../harness/openai-embeddings-server.ts';
import { createShared, type Shared } from './cluster.ts';
import { killAll, spawnNode, startServer, type ServerProcess, type Spawned } from './processes.ts';

/** Replies are started four at a time for each org: so many orgs keep the workers busy. */
const ORGS = 10;
const QUESTIONS = 500;
const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');

let shared: Shared;
let ada: ModelServer;
let embeddings: EmbeddingsServer;
let models: Awaited<ReturnType<typeof writeModels>>;

beforeAll(async () => {
  shared = await createShared();
  ada = await startOpenAiChatServer({
    async answer() {
      await sleep(50 + Math.random() * 300);
      return { text: 'Answered.', usage: { inputTokens: 100, outputTokens: 100 } };
    },
  });
  embeddings = await startEmbeddingsServer(64);
  models = await writeModels([{ slug: 'ada', server: ada, creditsPer1kTokens: 1 }]);
});
afterEach(killAll);
afterAll(async () => {
  await models.remove();
  await ada.close();
  await embeddings.close();
  await shared.drop();
});

const env = () => ({
  DATABASE_URL: shared.url,
  MODELS_FILE: models.path,
  PROVIDER_KEY,
  SECRETS_KEY,
  // The local model would be loaded again for each worker that is killed.
  EMBEDDINGS: 'openai:words:64',
  OPENAI_BASE_URL: embeddings.baseUrl,
});

async function spawnWorker(): Promise<Spawned> {
  const worker = spawnNode('../../src/main.ts', ['worker'], env());
  await worker.waitForLine(/"msg":"worker started"/);
  return worker;
}

interface Place {
  org: TestOrg;
  path: string;
}

async function openPlace(server: ServerProcess): Promise<Place> {
  const org = await createTestOrg(shared.db);
  const { key } = org.owner;
  const project = await server.call('POST', '/api/projects', { key, body: { name: 'Race' } });
  const sessions = `/api/spaces/${project.json.data.slug}/sessions`;
  const session = await server.call('POST', sessions, { key, body: { name: 'Race' } });
  return { org, path: `${sessions}/${session.json.data.id}/messages` };
}

async function count(sql: string): Promise<number> {
  const [row] = await shared.db.query<{ count: number }>(`SELECT count(*) FROM ${sql}`);
  return row?.count ?? 0;
}

describe('replies', () => {
  it(
    'to 500 messages, with a worker killed every 2 s: each has exactly one, paid once',
    { timeout: 180_000 },
    async () => {
      const server = await startServer(env(), ['--no-worker']);
      const places = await Promise.all(Array.from({ length: ORGS }, () => openPlace(server)));
      const workers = await Promise.all([spawnWorker(), spawnWorker()]);
      const asked = (async () => {
        for (let at = 0; at < QUESTIONS; at += ORGS) {
          const posts = places.map(({ org, path }, place) =>
            server.call('POST', path, {
              key: org.member.key,
              body: { body: `@ada question ${at + place}` },
            }),
          );
          for (const reply of await Promise.all(posts)) expect(reply.status).toBe(201);
        }
      })();

      let killed = 0;
      const deadline = Date.now() + 150_000;
      const isDone = async () => (await count("jobs WHERE kind = 'agent-reply'")) === 0;
      const answered = () => count("messages WHERE author_kind = 'AGENT'");
      while ((await answered()) < QUESTIONS && Date.now() < deadline) {
        await sleep(2_000);
        if ((await answered()) >= QUESTIONS) break;
        await workers.shift()?.kill('SIGKILL');
        killed++;
        workers.push(await spawnWorker());
      }
      await asked;
      while (!(await isDone()) && Date.now() < deadline) await sleep(200);

      expect(await isDone()).toBe(true);
      expect(killed).toBeGreaterThanOrEqual(3);
      expect(await answered()).toBe(QUESTIONS);
      const unanswered = await shared.db.query(
        `SELECT q.id FROM messages q LEFT JOIN messages r
           ON r.org_id = q.org_id AND r.in_reply_to_message_id = q.id
         WHERE q.author_kind = 'USER' GROUP BY q.id
         HAVING count(r.id) <> 1 OR bool_or(r.status <> 'COMPLETED')`,
      );
      expect(unanswered).toEqual([]);
      // A call that was cut off by a kill was made again: more calls than answers, and no more pay.
      expect(ada.requests.length).toBeGreaterThan(QUESTIONS);
      expect(await count("ledger_entries WHERE kind = 'USAGE'")).toBe(QUESTIONS);
      const [spent] = await shared.db.query<{ sum: number }>(
        "SELECT sum(credits)::int AS sum FROM ledger_entries WHERE kind = 'USAGE'",
      );
      expect(spent?.sum).toBe(-QUESTIONS);
    },
  );
});
