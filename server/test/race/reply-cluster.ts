import type { Database } from '../../src/db/types.ts';
import { PROVIDER_KEY, writeModels, type ModelEntry } from '../harness/stages/agent-stage.ts';
import { createTestOrg, type TestOrg } from '../harness/factories.ts';
import { startEmbeddingsServer } from '../harness/outside/openai-embeddings-server.ts';
import { createShared, type Shared } from './cluster.ts';
import {
  spawnNode,
  startServer,
  withoutModel,
  type ServerProcess,
  type Spawned,
} from './processes.ts';

/** A session in an org of its own. */
export interface Place {
  org: TestOrg;
  space: string;
  /** The path of its messages. */
  messages: string;
}

/** One database for a server that takes questions, and for workers that answer them. */
export interface ReplyCluster {
  db: Database;
  /** Without a worker. */
  startServer(): Promise<ServerProcess>;
  spawnWorker(): Promise<Spawned>;
  openPlace(server: ServerProcess): Promise<Place>;
  count(sql: string): Promise<number>;
  drop(): Promise<void>;
}

/** `through` leads the processes to the database by another way. */
export async function createReplyCluster(
  models: readonly ModelEntry[],
  through: (shared: Shared) => Promise<string> = async ({ url }) => url,
): Promise<ReplyCluster> {
  const shared = await createShared();
  const { db } = shared;
  const file = await writeModels(models);
  // The local model would be loaded again for each worker that is killed.
  const embeddings = await startEmbeddingsServer(64);
  const env = {
    DATABASE_URL: await through(shared),
    MODELS_FILE: file.path,
    PROVIDER_KEY,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    EMBEDDINGS: 'openai:words:64',
    OPENAI_BASE_URL: embeddings.baseUrl,
  };
  return {
    db,
    startServer: () => startServer(env, ['--no-worker']),
    async spawnWorker() {
      const worker = spawnNode('./reply-worker.ts', [], withoutModel(env));
      await worker.waitForLine(/"msg":"worker started"/);
      return worker;
    },
    async openPlace(server) {
      const org = await createTestOrg(db);
      const { key } = org.owner;
      const project = await server.call('POST', '/api/projects', { key, body: { name: 'Race' } });
      const space = `/api/spaces/${project.json.data.slug}`;
      const body = { name: 'Race' };
      const session = await server.call('POST', `${space}/sessions`, { key, body });
      return { org, space, messages: `${space}/sessions/${session.json.data.id}/messages` };
    },
    async count(sql) {
      const [row] = await db.query<{ count: number }>(`SELECT count(*) FROM ${sql}`);
      return row?.count ?? 0;
    },
    async drop() {
      await file.remove();
      await embeddings.close();
      await shared.drop();
    },
  };
}
