import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { PROVIDER_KEY, until, writeModels } from '../harness/agent-stage.ts';
import { openSessionEvents } from '../harness/event-stream.ts';
import { createTestOrg, type TestOrg } from '../harness/factories.ts';
import type { ModelServer } from '../harness/model-server.ts';
import { startOpenAiChatServer } from '../harness/openai-chat-server.ts';
import {
  startEmbeddingsServer,
  type EmbeddingsServer,
} from '../harness/openai-embeddings-server.ts';
import { createShared, type Shared } from './cluster.ts';
import { killAll, spawnNode, startServer, type ServerProcess, type Spawned } from './processes.ts';

const ORGS = 5;
const QUESTIONS = 20;
const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');
/** A word every few milliseconds, for about a second. */
const SLOW = {
  text: 'one two three four five six seven eight nine ten',
  chunks: 10,
  usage: { inputTokens: 100, outputTokens: 100 },
  pace: () => sleep(Math.random() * 200),
};

let shared: Shared;
let ada: ModelServer;
let embeddings: EmbeddingsServer;
let models: Awaited<ReturnType<typeof writeModels>>;

beforeAll(async () => {
  shared = await createShared();
  // One answer in ten never comes, and its reply fails.
  ada = await startOpenAiChatServer({
    answer({ messages }, index) {
      const [, text = ''] =
        /@ada (count to \d+)\n<\/question>/.exec(messages.at(-1)?.content ?? '') ?? [];
      asked.get(text)?.resolve();
      return index % 10 === 9 ? { status: 400 } : SLOW;
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
  space: string;
  messages: string;
}

async function openPlace(server: ServerProcess): Promise<Place> {
  const org = await createTestOrg(shared.db);
  const { key } = org.owner;
  const project = await server.call('POST', '/api/projects', { key, body: { name: 'Race' } });
  const space = `/api/spaces/${project.json.data.slug}`;
  const session = await server.call('POST', `${space}/sessions`, { key, body: { name: 'Race' } });
  return { org, space, messages: `${space}/sessions/${session.json.data.id}/messages` };
}

/** Resolves when the provider is asked this. */
const asked = new Map<string, PromiseWithResolvers<void>>();

/** Asks. Stops a third of the questions soon, and another third before or after the end of their answer. */
async function askAndStop(server: ServerProcess, { org, space, messages }: Place): Promise<void> {
  const { key } = org.member;
  const asking = Array.from({ length: QUESTIONS }, async (_, at) => {
    await sleep(at * 300 * Math.random());
    const text = `count to ${asked.size}`;
    const isAsked = Promise.withResolvers<void>();
    asked.set(text, isAsked);
    const { json } = await server.call('POST', messages, { key, body: { body: `@ada ${text}` } });
    if (at % 3 === 0) return;
    if (at % 3 === 1) await isAsked.promise;
    await sleep(Math.random() * 1_500);
    const path = `${space}/messages/${json.data.id}/replies/ada/stop`;
    const stopped = await server.call('POST', path, { key });
    expect([200, 409], stopped.text).toContain(stopped.status);
  });
  await Promise.all(asking);
}

async function retryAll(server: ServerProcess, places: readonly Place[]): Promise<number> {
  const landed = await shared.db.query<{ id: string; orgId: string }>(
    `SELECT id, org_id AS "orgId" FROM messages
     WHERE author_kind = 'AGENT' AND status <> 'COMPLETED'`,
  );
  for (const { id, orgId } of landed) {
    const place = places.find(({ org }) => org.orgId === orgId) as Place;
    const path = `${place.space}/messages/${id}/retry`;
    const reply = await server.call('POST', path, { key: place.org.member.key });
    expect(reply.status, reply.text).toBe(200);
  }
  return landed.length;
}

/** Kills a worker at two random moments, and waits until nothing is left to do. */
async function killWorkers(workers: Spawned[]): Promise<void> {
  for (let kills = 0; kills < 2; kills++) {
    await sleep(500 + Math.random() * 2_000);
    await workers.shift()?.kill('SIGKILL');
    workers.push(await spawnWorker());
  }
}

const settled = () =>
  until(async () => {
    const [row] = await shared.db.query<{ count: number }>('SELECT count(*) FROM jobs');
    return row?.count === 0;
  }, 120_000);

/** Each question has one reply and waits for none; each reply cost what its runs used, and nothing is held. */
async function expectExact(): Promise<void> {
  const wrong = await shared.db.query(
    `SELECT q.id, count(r.id) AS replies FROM messages q LEFT JOIN messages r
       ON r.org_id = q.org_id AND r.in_reply_to_message_id = q.id
     WHERE q.author_kind = 'USER' GROUP BY q.id
     HAVING count(r.id) <> 1 OR bool_or(q.pending_replies <> '[]')`,
  );
  expect(wrong).toEqual([]);
  const unpaid = await shared.db.query(
    `SELECT r.id, r.status FROM messages r
       LEFT JOIN model_usage u ON u.org_id = r.org_id AND u.message_id = r.id
     WHERE r.author_kind = 'AGENT' AND coalesce(u.credits, 0) <> coalesce((SELECT -sum(l.credits)
       FROM ledger_entries l WHERE l.org_id = r.org_id AND l.message_id = r.id), 0)`,
  );
  expect(unpaid).toEqual([]);
  const free = await shared.db.query(
    `SELECT r.id FROM messages r WHERE r.author_kind = 'AGENT' AND (r.usage->>'credits')::int > 0
       AND NOT EXISTS (SELECT 1 FROM ledger_entries l
         WHERE l.org_id = r.org_id AND l.message_id = r.id)`,
  );
  expect(free).toEqual([]);
  expect(await shared.db.query('SELECT id FROM credit_reservations')).toEqual([]);
}

it(
  'stops and retries, with workers killed in between: exactly one reply each, paid exactly',
  { timeout: 240_000 },
  async () => {
    const server = await startServer(env(), ['--no-worker']);
    const workers = await Promise.all([spawnWorker(), spawnWorker()]);
    const places = await Promise.all(Array.from({ length: ORGS }, () => openPlace(server)));
    await Promise.all([...places.map((place) => askAndStop(server, place)), killWorkers(workers)]);
    await settled();
    await expectExact();
    const [stopped] = await shared.db.query<{ count: number }>(
      `SELECT count(*) FROM messages WHERE status = 'STOPPED' AND body LIKE 'one%'`,
    );
    expect(stopped?.count).toBeGreaterThan(0);
    for (let rounds = 0; rounds < 5; rounds++) {
      const [retried] = await Promise.all([
        retryAll(server, places),
        rounds === 0 && killWorkers(workers),
      ]);
      await settled();
      await expectExact();
      if (retried === 0) break;
    }
    const [left] = await shared.db.query<{ count: number }>(
      `SELECT count(*) FROM messages WHERE author_kind = 'AGENT' AND status <> 'COMPLETED'`,
    );
    expect(left?.count).toBeLessThan((ORGS * QUESTIONS) / 10);
  },
);

it('a page sees a reply start over when the worker that writes it is killed', async () => {
  const server = await startServer(env(), ['--no-worker']);
  const worker = await spawnWorker();
  const { org, messages } = await openPlace(server);
  const { key } = org.member;
  const path = messages.replace('/messages', '');
  const page = await openSessionEvents(server.origin, { path, key });
  try {
    ada.answerWith([{ text: 'one two', ending: 'hang' }]);
    const { json } = await server.call('POST', messages, { key, body: { body: '@ada count' } });
    const questionId = json.data.id;
    expect((await page.next('reply.delta')).data).toMatchObject({ questionId, text: 'one two' });
    ada.answerWith(['Done.']);
    await worker.kill('SIGKILL');
    expect((await page.next('reply.restarted')).data).toMatchObject({ questionId, text: '' });
    const late = await openSessionEvents(server.origin, { path, key });
    await spawnWorker();
    await Promise.all([page, late].map((stream) => stream.next('reply.ended', { questionId })));
    expect(late.events.filter(({ data }) => data['text'] === 'one two')).toEqual([]);
    late.close();
    const { json: listed } = await server.call('GET', messages, { key });
    expect(listed.data.items).toMatchObject([{ body: 'Done.' }, { id: questionId }]);
  } finally {
    page.close();
  }
});
