import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openPostgres } from '../../src/db/engines/postgres.ts';
import type { Database } from '../../src/db/types.ts';
import { PROVIDER_KEY, writeModels } from '../harness/stages/agent-stage.ts';
import { startOpenAiChatServer } from '../harness/outside/openai-chat-server.ts';
import { startEmbeddingsServer } from '../harness/outside/openai-embeddings-server.ts';
import { startTcpProxy, type TcpProxy } from '../harness/outside/tcp-proxy.ts';
import {
  killAll,
  spawnMain,
  startMain,
  type ServerProcess,
  type Spawned,
} from '../race/processes.ts';
import { startRedis, type RedisProcess } from '../race/redis-process.ts';
import { createOrgs, openPlace, type Place } from './places.ts';
import { startPostgresPair, type PostgresPair } from './postgres-pair.ts';

/** Three servers, two workers, a database that is replicated, and Redis, with proxies in between. */
export interface Installation {
  /** What processes are started from, now and from now on. */
  main: string;
  env: Record<string, string>;
  servers: (ServerProcess | undefined)[];
  workers: (Spawned | undefined)[];
  pair: PostgresPair;
  redis: RedisProcess;
  toDatabase: TcpProxy;
  toRedis: TcpProxy;
  places: Place[];
  /** The database that is in charge now, without a proxy. */
  look<T>(work: (db: Database) => Promise<T>): Promise<T>;
  /** `clockOffMs` is how far its clock is ahead. */
  startServer(at: number, clockOffMs?: number): Promise<void>;
  startWorker(at: number, clockOffMs?: number): Promise<void>;
  stop(): Promise<void>;
}

export const THIS_VERSION = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const SHIFTED_CLOCK = new URL('shifted-clock.ts', import.meta.url);
const ORGS = 2;
const STARTS_WITHIN_MS = 60_000;
const RESTART_MS = 500;
const ANSWER = { text: 'Answered.', usage: { inputTokens: 100, outputTokens: 100 } };

export async function startInstallation(main = THIS_VERSION): Promise<Installation> {
  const [pair, redis, embeddings] = await Promise.all([
    startPostgresPair(),
    startRedis(),
    startEmbeddingsServer(64),
  ]);
  const ada = await startOpenAiChatServer({
    async answer() {
      await sleep(50);
      return ANSWER;
    },
  });
  const models = await writeModels([{ slug: 'ada', server: ada, creditsPer1kTokens: 1 }]);
  const toDatabase = await startTcpProxy(pair.primary);
  const toRedis = await startTcpProxy({
    host: '127.0.0.1',
    port: Number(new URL(redis.url).port),
  });
  const env = {
    DATABASE_URL: `postgres://atrium@127.0.0.1:${toDatabase.port}/postgres`,
    REDIS_URL: `redis://127.0.0.1:${toRedis.port}`,
    MODELS_FILE: models.path,
    PROVIDER_KEY,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    EMBEDDINGS: 'openai:words:64',
    OPENAI_BASE_URL: embeddings.baseUrl,
  };

  const envOf = (clockOffMs: number) =>
    clockOffMs === 0
      ? env
      : { ...env, NODE_OPTIONS: `--import=${SHIFTED_CLOCK.href}`, CLOCK_OFF_MS: `${clockOffMs}` };

  const installation: Installation = {
    main,
    env,
    servers: [],
    workers: [],
    pair,
    redis,
    toDatabase,
    toRedis,
    places: [],
    async look(work) {
      const target = await inCharge(pair);
      const url = `postgres://atrium@127.0.0.1:${target}/postgres`;
      const db = openPostgres({ url, poolMax: 2, onError: () => {} });
      try {
        return await work(db);
      } finally {
        await db.close();
      }
    },
    async startServer(at, clockOffMs = 0) {
      installation.servers[at] = await untilUp(() =>
        startMain(installation.main, envOf(clockOffMs), ['--no-worker']),
      );
    },
    async startWorker(at, clockOffMs = 0) {
      installation.workers[at] = await untilUp(async () => {
        const worker = spawnMain(installation.main, ['worker'], envOf(clockOffMs));
        await worker.waitForLine(/"msg":"worker started"/);
        return worker;
      });
    },
    async stop() {
      await killAll();
      await Promise.all([ada.close(), embeddings.close(), models.remove()]);
      await Promise.all([toDatabase.close(), toRedis.close()]);
      await pair.stop();
    },
  };
  const keys = await createOrgs(installation, ORGS);
  await Promise.all([0, 1, 2].map((at) => installation.startServer(at)));
  await Promise.all([0, 1].map((at) => installation.startWorker(at)));
  const { origin } = installation.servers[0] as ServerProcess;
  installation.places = await Promise.all(keys.map((key) => openPlace(origin, key)));
  return installation;
}

/** Starts a process again until it finds its database, as a service manager does. */
async function untilUp<T>(start: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + STARTS_WITHIN_MS;
  for (;;) {
    try {
      return await start();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(RESTART_MS);
    }
  }
}

/** The port of the one that takes writes. */
async function inCharge(pair: PostgresPair): Promise<number> {
  for (const { port } of [pair.standby, pair.primary]) {
    const url = `postgres://atrium@127.0.0.1:${port}/postgres`;
    const db = openPostgres({ url, poolMax: 1, onError: () => {} });
    const [row] = await db
      .query<{ isStandby: boolean }>('SELECT pg_is_in_recovery() AS "isStandby"')
      .catch(() => []);
    await db.close();
    if (row?.isStandby === false) return port;
  }
  throw new Error('no database takes writes');
}
