import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../harness/stages/agent-stage.ts';
import type { ModelServer, ScriptedAnswer } from '../harness/outside/model-server.ts';
import { startOpenAiChatServer } from '../harness/outside/openai-chat-server.ts';
import { killAll, type ServerProcess } from './processes.ts';
import { createReplyCluster, type Place, type ReplyCluster } from './reply-cluster.ts';

/** Each org runs four replies at a time, so this many orgs keep the workers busy. */
const ORGS = 10;
const QUESTIONS = 120;
const TROUBLED_QUESTIONS = 60;
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

let cluster: ReplyCluster;
let ada: ModelServer;
let faulty: ModelServer;

beforeAll(async () => {
  ada = await startOpenAiChatServer();
  faulty = await startOpenAiChatServer();
  cluster = await createReplyCluster([
    { slug: 'ada', server: ada, creditsPer1kTokens: 1 },
    { slug: 'faulty', server: faulty, creditsPer1kTokens: 1 },
  ]);
});
afterEach(killAll);
afterAll(async () => {
  await ada.close();
  await faulty.close();
  await cluster.drop();
});

async function askAll(
  server: ServerProcess,
  sessions: readonly Place[],
  questions: number,
  slug: string,
): Promise<void> {
  for (let at = 0; at < questions; at += sessions.length) {
    const posts = sessions.map(({ org, messages }, index) =>
      server.call('POST', messages, {
        key: org.member.key,
        body: { body: `@${slug} question ${at + index}` },
      }),
    );
    for (const reply of await Promise.all(posts)) expect(reply.status).toBe(201);
  }
}

const ofOrgs = (sessions: readonly Place[]) =>
  `org_id IN (${sessions.map(({ org }) => `'${org.orgId}'`).join()})`;

/** Two workers. `next` says how many of them are killed and replaced, the older one first, until it says none. */
async function killWorkersUntilAnswered(
  sessions: readonly Place[],
  questions: number,
  next: (answered: () => Promise<number>) => Promise<number>,
): Promise<number> {
  const workers = await Promise.all([cluster.spawnWorker(), cluster.spawnWorker()]);
  const isDone = async () => (await cluster.count("jobs WHERE kind = 'agent-reply'")) === 0;
  const answered = () =>
    cluster.count(`messages WHERE author_kind = 'AGENT' AND ${ofOrgs(sessions)}`);
  let killed = 0;
  for (let count; (count = await next(answered)) > 0; killed += count) {
    await Promise.all(workers.splice(0, count).map((worker) => worker.kill('SIGKILL')));
    for (let at = 0; at < count; at++) workers.push(await cluster.spawnWorker());
  }
  await until(isDone, 150_000);
  expect(await answered()).toBe(questions);
  return killed;
}

/** Questions, selected by their number, that still wait or do not have exactly one reply of this status. */
function wrongReplies(sessions: readonly Place[], status: string, numbers: string) {
  return cluster.db.query(
    `SELECT q.body FROM messages q LEFT JOIN messages r
       ON r.org_id = q.org_id AND r.in_reply_to_message_id = q.id
     WHERE q.author_kind = 'USER' AND q.${ofOrgs(sessions)}
       AND substring(q.body from '[0-9]+$')::int ${numbers} GROUP BY q.id, q.body
     HAVING count(r.id) <> 1 OR bool_or(r.status <> $1) OR bool_or(q.pending_replies <> '[]')`,
    [status],
  );
}

async function spentBy(sessions: readonly Place[]): Promise<{ entries: number; sum: number }> {
  const [row] = await cluster.db.query<{ entries: number; sum: number }>(
    `SELECT count(*) AS entries, sum(credits)::int AS sum FROM ledger_entries
     WHERE kind = 'USAGE' AND ${ofOrgs(sessions)}`,
  );
  return row ?? { entries: 0, sum: 0 };
}

describe('replies', () => {
  it(
    'to 120 messages, with five workers killed meanwhile: exactly one each, paid once',
    { timeout: 180_000 },
    async () => {
      const server = await cluster.startServer();
      const sessions = await Promise.all(
        Array.from({ length: ORGS }, () => cluster.openPlace(server)),
      );
      // The first calls are answered only after those who made them are gone.
      const called = Promise.withResolvers<void>();
      const gone = Promise.withResolvers<void>();
      ada.answerWith(async () => {
        called.resolve();
        await gone.promise;
        await sleep(50 + Math.random() * 300);
        return ANSWER;
      });
      let rounds = 0;
      const [killed] = await Promise.all([
        killWorkersUntilAnswered(sessions, QUESTIONS, async (answered) => {
          rounds++;
          if (rounds === 1) {
            await called.promise;
            return 2;
          }
          gone.resolve();
          if (rounds > 4) return 0;
          // Not after some time: a fast machine would have answered everything.
          const some = 20 * (rounds - 1);
          await until(async () => (await answered()) >= some, 60_000);
          return 1;
        }),
        askAll(server, sessions, QUESTIONS, 'ada'),
      ]);
      expect(killed).toBe(5);
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
      const server = await cluster.startServer();
      const sessions = await Promise.all(
        Array.from({ length: ORGS }, () => cluster.openPlace(server)),
      );
      let kills = 0;
      await Promise.all([
        killWorkersUntilAnswered(sessions, TROUBLED_QUESTIONS, async (answered) => {
          const landed = (TROUBLED_QUESTIONS / 6) * ++kills;
          await until(async () => (await answered()) >= landed, 150_000);
          return kills < 6 ? 1 : 0;
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
      expect(await cluster.count(`credit_reservations WHERE ${ofOrgs(sessions)}`)).toBe(0);
    },
  );
});
