import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { until } from '../harness/stages/agent-stage.ts';
import type { ModelServer } from '../harness/outside/model-server.ts';
import { startOpenAiChatServer } from '../harness/outside/openai-chat-server.ts';
import { ON_CITUS } from '../harness/databases/postgres-servers.ts';
import { startTcpProxy, type TcpProxy } from '../harness/outside/tcp-proxy.ts';
import { expectOneAnswer, post, spread, type Shared } from './cluster.ts';
import { killAll, type ServerProcess } from './processes.ts';
import { createReplyCluster, type Place, type ReplyCluster } from './reply-cluster.ts';

const WRITERS = 32;
const WRITES = 10;
const DUPLICATES = 20;
const REQUESTS = 5;
/** A post exchanges fewer pieces with the database, or with its nodes. */
const MOST_PIECES = 100;
const PIECES_BETWEEN_CUTS = 100;
const ANSWER = { text: 'Answered.', usage: { inputTokens: 100, outputTokens: 100 } };

let ada: ModelServer;
let cluster: ReplyCluster;
/** The way to the database, or on Citus from the coordinator to each node that has shards. */
let ways: TcpProxy[];

beforeAll(async () => {
  ada = await startOpenAiChatServer({ answer: async () => ANSWER });
  const models = [{ slug: 'ada', server: ada, creditsPer1kTokens: 1 }];
  cluster = await createReplyCluster(models, ON_CITUS ? throughNodes : throughProxy);
});
afterEach(killAll);
afterAll(async () => {
  await cluster?.drop();
  await Promise.all([ada, ...(ways ?? [])].map((one) => one?.close()));
});

async function throughProxy({ url }: Shared): Promise<string> {
  const { hostname, port, pathname } = new URL(url);
  ways = [await startTcpProxy({ host: hostname, port: Number(port) })];
  return `postgres://atrium@127.0.0.1:${ways[0]?.port}${pathname}`;
}

async function throughNodes({ url, db }: Shared): Promise<string> {
  const nodes = await db.query<{ id: number; host: string; port: number }>(
    `SELECT nodeid AS id, nodename AS host, nodeport AS port FROM pg_dist_node
     WHERE shouldhaveshards ORDER BY nodeid`,
  );
  ways = await Promise.all(nodes.map(startTcpProxy));
  for (const [at, { id }] of nodes.entries()) {
    await db.query(`SELECT citus_update_node($1, '127.0.0.1', $2)`, [id, ways[at]?.port]);
  }
  return url;
}

function cutAll(): void {
  for (const way of ways) {
    way.cut();
    way.open();
  }
}

/** Cuts every connection instead of passing on the nth piece from now on. */
function cutAtPiece(nth: number): { disarm(): boolean } {
  let left = nth;
  for (const way of ways) {
    way.delay(() => {
      if (--left === 0) cutAll();
      return 0;
    });
  }
  return {
    /** Whether there were that many. */
    disarm() {
      for (const way of ways) way.delay(() => 0);
      return left <= 0;
    },
  };
}

async function postUntilDone(
  server: ServerProcess,
  { org, messages }: Pick<Place, 'org' | 'messages'>,
  body: string,
  status = 201,
) {
  const request = {
    key: org.member.key,
    idempotencyKey: randomUUID(),
    path: messages,
    body: { body },
  };
  await until(async () => (await post(server, request)).status === status);
}

async function positionsOf({ org }: Place): Promise<number[]> {
  const rows = await cluster.db.query<{ position: number }>(
    'SELECT position::int AS position FROM messages WHERE org_id = $1 ORDER BY position',
    [org.orgId],
  );
  return rows.map(({ position }) => position);
}

it(`${DUPLICATES} duplicates of a request on two processes have one effect and one answer`, async () => {
  const servers = await Promise.all([cluster.startServer(), cluster.startServer()]);
  const place = await cluster.openPlace(servers[0]);
  for (let nth = 1; nth <= REQUESTS; nth++) {
    const request = {
      key: place.org.member.key,
      idempotencyKey: randomUUID(),
      path: place.messages,
      body: { body: `request ${nth}` },
    };
    expectOneAnswer(await spread(servers, DUPLICATES, (server) => post(server, request)), 201);
    expect(await positionsOf(place)).toHaveLength(nth);
  }
});

it(`${WRITERS} writers on two processes leave no gap between positions`, async () => {
  const servers = await Promise.all([cluster.startServer(), cluster.startServer()]);
  const place = await cluster.openPlace(servers[0]);
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      for (let nth = 0; nth < WRITES; nth++) {
        const server = servers[(writer + nth) % 2] as ServerProcess;
        await postUntilDone(server, place, `${writer}.${nth}`);
      }
    }),
  );
  expect(await positionsOf(place)).toEqual(
    Array.from({ length: WRITERS * WRITES }, (_, at) => at + 1),
  );
});

// On Citus, each is committed alone.
it.skipIf(ON_CITUS)(
  'messages that are committed together are there once, and refused ones never, while connections are cut',
  async () => {
    const servers = await Promise.all([cluster.startServer(), cluster.startServer()]);
    const place = await cluster.openPlace(servers[0]);
    const { org, space } = place;
    const closed = await servers[0].call('POST', `${space}/sessions`, {
      key: org.owner.key,
      body: { name: 'Closed' },
    });
    const { id } = closed.json.data;
    await servers[0].call('DELETE', `${space}/sessions/${id}`, { key: org.owner.key });
    const archived = { org, messages: `${space}/sessions/${id}/messages` };
    let pieces = 0;
    for (const way of ways) {
      way.delay(() => {
        if (++pieces % PIECES_BETWEEN_CUTS === 0) cutAll();
        return 0;
      });
    }
    await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        const server = servers[writer % 2] as ServerProcess;
        for (let nth = 0; nth < WRITES; nth++) {
          await postUntilDone(server, place, `${writer}.${nth}`);
          if (writer < 4) await postUntilDone(server, archived, 'refused', 409);
        }
      }),
    );
    for (const way of ways) way.delay(() => 0);
    expect(pieces).toBeGreaterThan(3 * PIECES_BETWEEN_CUTS);
    expect(await positionsOf(place)).toEqual(
      Array.from({ length: WRITERS * WRITES }, (_, at) => at + 1),
    );
  },
);

it('a message, the job to answer it and the answer are there or not, wherever the connection is cut', async () => {
  const server = await cluster.startServer();
  await cluster.spawnWorker();
  const place = await cluster.openPlace(server);
  let questions = 0;
  for (let isReached = true; isReached && questions < MOST_PIECES;) {
    const cut = cutAtPiece(++questions);
    await postUntilDone(server, place, `@ada question ${questions}`);
    isReached = cut.disarm();
    await until(async () => (await cluster.count(`jobs WHERE kind = 'agent-reply'`)) === 0);
  }
  expect(questions).toBeLessThan(MOST_PIECES);
  const answers = await cluster.db.query<{ answers: number }>(
    `SELECT (SELECT count(*)::int FROM messages reply
       WHERE reply.org_id = $1 AND reply.in_reply_to_message_id = question.id) AS answers
     FROM messages question WHERE question.org_id = $1 AND question.author_kind = 'USER'`,
    [place.org.orgId],
  );
  expect(answers.map((row) => row.answers)).toEqual(Array.from({ length: questions }, () => 1));
  expect(await positionsOf(place)).toEqual(
    Array.from({ length: 2 * questions }, (_, at) => at + 1),
  );
});
