import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PROVIDER_KEY, until, writeModels } from '../harness/agent-stage.ts';
import { createTestOrg, type TestOrg } from '../harness/factories.ts';
import type { ModelServer, ScriptedAnswer } from '../harness/model-server.ts';
import { startOpenAiChatServer } from '../harness/openai-chat-server.ts';
import {
  startEmbeddingsServer,
  type EmbeddingsServer,
} from '../harness/openai-embeddings-server.ts';
import { createShared, type Shared } from './cluster.ts';
import { killAll, spawnNode, startServer, type ServerProcess, type Spawned } from './processes.ts';

/** Each org runs four replies at a time, so this many orgs keep the workers busy. */
const ORGS = 10;
const QUESTIONS = 500;
const TROUBLED_QUESTIONS = 240;
/** For one question in this many, the provider never completes its answer. */
const HOPELESS = 40;
const ANSWER = { text: 'Answered.', usage: { inputTokens: 100, outputTokens: 100 } };
const BREAK = { text: 'Answ', ending: 'cut' } as const;
/** What happens to the first attempts at a question, but never to three, however many workers try. */
const TROUBLES: ScriptedAnswer[][] = [
  [BREAK],
  [BREAK, BREAK],
  [{ cut: true }, { status: 503 }],
  [
    { status: 429, headers: { 'retry-after': '1' } },
    { text: 'Answ', ending: 'close' },
  ],
  [],
];
const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');

let shared: Shared;
let ada: ModelServer;
let faulty: ModelServer;
let embeddings: EmbeddingsServer;
let models: Awaited<ReturnType<typeof writeModels>>;

beforeAll(async () => {
  shared = await createShared();
  ada = await startOpenAiChatServer({
    async answer() {
      await sleep(50 + Math.random() * 300);
      return ANSWER;
    },
  });
  faulty = await startOpenAiChatServer();
  embeddings = await startEmbeddingsServer(64);
  models = await writeModels([
    { slug: 'ada', server: ada, creditsPer1kTokens: 1 },
    { slug: 'faulty', server: faulty, creditsPer1kTokens: 1 },
  ]);
});
afterEach(killAll);
afterAll(async () => {
  await models.remove();
  await ada.close();
  await faulty.close();
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

interface TestSession {
  org: TestOrg;
  path: string;
}

async function openSession(server: ServerProcess): Promise<TestSession> {
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

async function askAll(
  server: ServerProcess,
  sessions: readonly TestSession[],
  questions: number,
  slug: string,
): Promise<void> {
  for (let at = 0; at < questions; at += sessions.length) {
    const posts = sessions.map(({ org, path }, index) =>
      server.call('POST', path, {
        key: org.member.key,
        body: { body: `@${slug} question ${at + index}` },
      }),
    );
    for (const reply of await Promise.all(posts)) expect(reply.status).toBe(201);
  }
}

const ofOrgs = (sessions: readonly TestSession[]) =>
  `org_id IN (${sessions.map(({ org }) => `'${org.orgId}'`).join()})`;

/** Two workers. Each time `next` resolves to true, the older one is killed and replaced. */
async function killWorkersUntilAnswered(
  sessions: readonly TestSession[],
  questions: number,
  next: (answered: () => Promise<number>) => Promise<boolean>,
): Promise<number> {
  const workers = await Promise.all([spawnWorker(), spawnWorker()]);
  const isDone = async () => (await count("jobs WHERE kind = 'agent-reply'")) === 0;
  const answered = () => count(`messages WHERE author_kind = 'AGENT' AND ${ofOrgs(sessions)}`);
  let killed = 0;
  while (await next(answered)) {
    await workers.shift()?.kill('SIGKILL');
    killed++;
    workers.push(await spawnWorker());
  }
  await until(isDone, 150_000);
  expect(await answered()).toBe(questions);
  return killed;
}

/** Questions, selected by their number, that still wait or do not have exactly one reply of this status. */
function wrongReplies(sessions: readonly TestSession[], status: string, numbers: string) {
  return shared.db.query(
    `SELECT q.body FROM messages q LEFT JOIN messages r
       ON r.org_id = q.org_id AND r.in_reply_to_message_id = q.id
     WHERE q.author_kind = 'USER' AND q.${ofOrgs(sessions)}
       AND substring(q.body from '[0-9]+$')::int ${numbers} GROUP BY q.id, q.body
     HAVING count(r.id) <> 1 OR bool_or(r.status <> $1) OR bool_or(q.pending_replies <> '[]')`,
    [status],
  );
}

async function spentBy(
  sessions: readonly TestSession[],
): Promise<{ entries: number; sum: number }> {
  const [row] = await shared.db.query<{ entries: number; sum: number }>(
    `SELECT count(*) AS entries, sum(credits)::int AS sum FROM ledger_entries
     WHERE kind = 'USAGE' AND ${ofOrgs(sessions)}`,
  );
  return row ?? { entries: 0, sum: 0 };
}

describe('replies', () => {
  it(
    'to 500 messages, with a worker killed every 2 s: exactly one each, paid once',
    { timeout: 180_000 },
    async () => {
      const server = await startServer(env(), ['--no-worker']);
      const sessions = await Promise.all(Array.from({ length: ORGS }, () => openSession(server)));
      const [killed] = await Promise.all([
        killWorkersUntilAnswered(sessions, QUESTIONS, async (answered) => {
          await sleep(2_000);
          return (await answered()) < QUESTIONS;
        }),
        askAll(server, sessions, QUESTIONS, 'ada'),
      ]);
      expect(killed).toBeGreaterThanOrEqual(3);
      expect(await wrongReplies(sessions, 'COMPLETED', '>= 0')).toEqual([]);
      // Calls that a kill cut off were repeated: more calls than answers, but each answer is paid once.
      const asked = ada.requests.filter(({ messages }) =>
        messages.at(-1)?.content.includes('<question'),
      );
      expect(asked.length).toBeGreaterThan(QUESTIONS);
      expect(await spentBy(sessions)).toEqual({ entries: QUESTIONS, sum: -QUESTIONS });
    },
  );

  it(
    'of a provider that cuts off, resets and refuses for a while, with five workers killed: none fails without need, each is paid once',
    { timeout: 300_000 },
    async () => {
      const attempts = new Map<number, number>();
      faulty.answerWith(async ({ messages }) => {
        const number = Number(
          /<question[^]*question (\d+)\n/.exec(messages.at(-1)?.content ?? '')?.[1],
        );
        const attempt = attempts.get(number) ?? 0;
        attempts.set(number, attempt + 1);
        await sleep(50 + Math.random() * 300);
        if (number % HOPELESS === 0) return BREAK;
        return TROUBLES[number % 5]?.[attempt] ?? ANSWER;
      });
      const server = await startServer(env(), ['--no-worker']);
      const sessions = await Promise.all(Array.from({ length: ORGS }, () => openSession(server)));
      let kills = 0;
      await Promise.all([
        killWorkersUntilAnswered(sessions, TROUBLED_QUESTIONS, async (answered) => {
          const landed = (TROUBLED_QUESTIONS / 6) * ++kills;
          await until(async () => (await answered()) >= landed, 150_000);
          return kills < 6;
        }),
        askAll(server, sessions, TROUBLED_QUESTIONS, 'faulty'),
      ]);
      expect(await wrongReplies(sessions, 'COMPLETED', `% ${HOPELESS} <> 0`)).toEqual([]);
      expect(await wrongReplies(sessions, 'FAILED', `% ${HOPELESS} = 0`)).toEqual([]);
      for (const [number, made] of attempts) {
        expect(made).toBeGreaterThanOrEqual(number % HOPELESS === 0 ? 3 : 1);
      }
      const completed = TROUBLED_QUESTIONS - Math.ceil(TROUBLED_QUESTIONS / HOPELESS);
      expect(await spentBy(sessions)).toEqual({ entries: completed, sum: -completed });
      expect(await count(`credit_reservations WHERE ${ofOrgs(sessions)}`)).toBe(0);
    },
  );
});
