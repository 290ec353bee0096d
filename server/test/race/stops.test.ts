import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { until } from '../harness/stages/agent-stage.ts';
import { openSessionEvents } from '../harness/clients/event-stream.ts';
import type { ModelServer } from '../harness/outside/model-server.ts';
import { startOpenAiChatServer } from '../harness/outside/openai-chat-server.ts';
import { killAll, type ServerProcess, type Spawned } from './processes.ts';
import { createReplyCluster, type Place, type ReplyCluster } from './reply-cluster.ts';

const ORGS = 4;
const QUESTIONS = 20;
const STORM_REPLIES = 6;
const STORM_CALLS = 25;
/** A word every few milliseconds, for about a second. */
const SLOW = {
  text: 'one two three four five six seven eight nine ten',
  chunks: 10,
  usage: { inputTokens: 100, outputTokens: 100 },
  pace: () => sleep(Math.random() * 200),
};

let cluster: ReplyCluster;
let ada: ModelServer;

beforeAll(async () => {
  // One answer in ten never comes, and its reply fails.
  ada = await startOpenAiChatServer({
    answer({ messages }, index) {
      const [, text = ''] =
        /@ada (count to \d+)\n<\/question>/.exec(messages.at(-1)?.content ?? '') ?? [];
      asked.get(text)?.resolve();
      return index % 10 === 9 ? { status: 400 } : SLOW;
    },
  });
  cluster = await createReplyCluster([{ slug: 'ada', server: ada, creditsPer1kTokens: 1 }]);
});
afterEach(killAll);
afterAll(async () => {
  await ada.close();
  await cluster.drop();
});

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
  const landed = await cluster.db.query<{ id: string; orgId: string }>(
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
    workers.push(await cluster.spawnWorker());
  }
}

const settled = () => until(async () => (await cluster.count('jobs')) === 0, 120_000);

/** Each question has one reply and waits for none; each reply cost what its runs used, and nothing is held. */
async function expectExact(): Promise<void> {
  const wrong = await cluster.db.query(
    `SELECT q.id, count(r.id) AS replies FROM messages q LEFT JOIN messages r
       ON r.org_id = q.org_id AND r.in_reply_to_message_id = q.id
     WHERE q.author_kind = 'USER' GROUP BY q.id
     HAVING count(r.id) <> 1 OR bool_or(q.pending_replies <> '[]')`,
  );
  expect(wrong).toEqual([]);
  const unpaid = await cluster.db.query(
    `SELECT r.id, r.status FROM messages r
       LEFT JOIN model_usage u ON u.org_id = r.org_id AND u.message_id = r.id
     WHERE r.author_kind = 'AGENT' AND coalesce(u.credits, 0) <> coalesce((SELECT -sum(l.credits)
       FROM ledger_entries l WHERE l.org_id = r.org_id AND l.message_id = r.id), 0)`,
  );
  expect(unpaid).toEqual([]);
  const free = await cluster.db.query(
    `SELECT r.id FROM messages r WHERE r.author_kind = 'AGENT' AND (r.usage->>'credits')::int > 0
       AND NOT EXISTS (SELECT 1 FROM ledger_entries l
         WHERE l.org_id = r.org_id AND l.message_id = r.id)`,
  );
  expect(free).toEqual([]);
  expect(await cluster.db.query('SELECT id FROM credit_reservations')).toEqual([]);
}

it(
  'stops and retries, with workers killed in between: exactly one reply each, paid exactly',
  { timeout: 240_000 },
  async () => {
    const server = await cluster.startServer();
    const workers = await Promise.all([cluster.spawnWorker(), cluster.spawnWorker()]);
    const places = await Promise.all(Array.from({ length: ORGS }, () => cluster.openPlace(server)));
    await Promise.all([...places.map((place) => askAndStop(server, place)), killWorkers(workers)]);
    await settled();
    await expectExact();
    const stopped = await cluster.count(`messages WHERE status = 'STOPPED' AND body LIKE 'one%'`);
    expect(stopped).toBeGreaterThan(0);
    for (let rounds = 0; rounds < 5; rounds++) {
      const [retried] = await Promise.all([
        retryAll(server, places),
        rounds === 0 && killWorkers(workers),
      ]);
      await settled();
      await expectExact();
      if (retried === 0) break;
    }
    const left = await cluster.count(
      `messages WHERE author_kind = 'AGENT' AND status <> 'COMPLETED'`,
    );
    expect(left).toBeLessThan((ORGS * QUESTIONS) / 10);
  },
);

/** Stops and retries one reply again and again, most of them at the wrong moment. */
async function storm(
  server: ServerProcess,
  { org, space }: Place,
  { questionId, replyId }: { questionId: string; replyId: string },
): Promise<void> {
  const paths = [`messages/${replyId}/retry`, `messages/${questionId}/replies/ada/stop`];
  for (let calls = 0; calls < STORM_CALLS; calls++) {
    const pair = paths.flatMap((path) => (Math.random() < 0.6 ? [path, path] : [path]));
    const answers = pair.map((path) =>
      server.call('POST', `${space}/${path}`, { key: org.member.key }),
    );
    for (const { status, text } of await Promise.all(answers))
      expect([200, 409], text).toContain(status);
    await sleep(Math.random() * 400);
  }
}

it(
  'a storm of stops and retries, with workers killed in between: no reply stays pending',
  { timeout: 300_000 },
  async () => {
    // Two servers, so that requests for one reply are handled at once.
    const servers = await Promise.all([cluster.startServer(), cluster.startServer()]);
    const [server] = servers;
    const workers = await Promise.all([cluster.spawnWorker(), cluster.spawnWorker()]);
    ada.answerWith((_, index) => (index % 3 === 0 ? { status: 400 } : SLOW));
    const place = await cluster.openPlace(server);
    const { key } = place.org.member;
    for (let at = 0; at < STORM_REPLIES; at++) {
      const { json } = await server.call('POST', place.messages, {
        key,
        body: { body: '@ada go' },
      });
      const stop = `${place.space}/messages/${json.data.id}/replies/ada/stop`;
      expect([200, 409]).toContain((await server.call('POST', stop, { key })).status);
    }
    await settled();
    const replies = await cluster.db.query<{ questionId: string; replyId: string }>(
      `SELECT in_reply_to_message_id AS "questionId", id AS "replyId" FROM messages
       WHERE org_id = $1 AND author_kind = 'AGENT'`,
      [place.org.orgId],
    );
    expect(replies).toHaveLength(STORM_REPLIES);
    await Promise.all([
      ...replies.flatMap((reply) => servers.map((each) => storm(each, place, reply))),
      killWorkers(workers),
    ]);
    await settled();
    const pending = await cluster.db.query(
      `SELECT id, pending_replies FROM messages WHERE pending_replies <> '[]'`,
    );
    expect(pending).toEqual([]);
    await expectExact();
  },
);

it('a page sees a reply start over when the worker that writes it is killed', async () => {
  const server = await cluster.startServer();
  const worker = await cluster.spawnWorker();
  const { org, messages } = await cluster.openPlace(server);
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
    await cluster.spawnWorker();
    await Promise.all([page, late].map((stream) => stream.next('reply.ended', { questionId })));
    expect(late.events.filter(({ data }) => data['text'] === 'one two')).toEqual([]);
    late.close();
    const { json: listed } = await server.call('GET', messages, { key });
    expect(listed.data.items).toMatchObject([{ body: 'Done.' }, { id: questionId }]);
  } finally {
    page.close();
  }
});
