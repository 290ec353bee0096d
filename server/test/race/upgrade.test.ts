import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEmptyDatabase } from '../harness/databases/empty-database.ts';
import {
  startEmbeddingsServer,
  type EmbeddingsServer,
} from '../harness/outside/openai-embeddings-server.ts';
import { LAST_RELEASE } from '../harness/databases/releases.ts';
import { killAll, startServer, type ServerProcess } from './processes.ts';
import { checkOutRelease, type Owner, type ReleaseFolder } from './release-folder.ts';
import { createLoad } from './upgrade-load.ts';

const WRITERS = 3;
const ROUNDS = 3;

let release: ReleaseFolder;
let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let embeddings: EmbeddingsServer;
let env: Record<string, string>;

beforeAll(async () => {
  release = await checkOutRelease(LAST_RELEASE);
  database = await createEmptyDatabase('postgres');
  embeddings = await startEmbeddingsServer(64);
  env = {
    DATABASE_URL: database.url ?? '',
    EMBEDDINGS: 'openai:words:64',
    OPENAI_BASE_URL: embeddings.baseUrl,
    OPENAI_API_KEY: 'sk-test',
    DATA_DIR: release.dataDir,
  };
});
afterAll(async () => {
  await killAll();
  await embeddings?.close();
  await database?.drop();
  await release?.remove();
});

/** The load never stops: the old process alone, both while the schema changes and after, the new one alone. */
it(`release ${LAST_RELEASE.version} is replaced by this version under load: nothing fails, is lost, doubled or stale`, async () => {
  const owner = await release.admin<Owner>(
    ['create-org', '--name', 'Upgraded', '--owner-email', 'owner@example.com'],
    env,
  );
  const old = await release.start(env);
  const servers: ServerProcess[] = [old];
  const load = await createLoad(servers, owner.key);
  const writers = Array.from({ length: WRITERS }, () => load.startWriter());
  await load.rounds(ROUNDS);

  const current = await startServer(env);
  expect(current.lines.join('\n')).toContain('0013_lists');
  servers.push(current);
  await load.rounds(ROUNDS * 2);

  // As a load balancer does when /readyz says 503.
  servers.splice(0, 1);
  const exit = await old.kill('SIGTERM');
  expect(exit).toEqual({ code: 0, signal: null });
  await load.rounds(ROUNDS);

  load.stop();
  await Promise.all(writers);
  await load.rounds(0);
  await load.expectComplete(current, database.db);
});
