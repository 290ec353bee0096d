import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newId } from '../server/src/core/ids.ts';
import type { Database } from '../server/src/db/types.ts';
import { openEmbedded } from '../server/src/db/engines/embedded.ts';
import { migrate } from '../server/src/db/migrating/migrate.ts';
import { openPostgres } from '../server/src/db/engines/postgres.ts';
import { createOrg } from '../server/src/features/identity/service.ts';
import { SCOPES } from '../server/src/features/keys/scopes.ts';
import { mintKey } from '../server/src/features/keys/service.ts';

/** The database of a benchmark, with an organisation and API keys. */
export interface Stage {
  /** Empty for the embedded database. */
  databaseUrl: string;
  dataDir: string;
  db: Database;
  orgId: string;
  userId: string;
  keys: string[];
  drop(): Promise<void>;
}

const KEYS = 50;
export const POOL_MAX = '10';

export async function setStage(): Promise<Stage> {
  const serverUrl = process.env['TEST_DATABASE_URL'];
  if (!serverUrl)
    throw new Error(
      'Set TEST_DATABASE_URL, or run eval "$(scripts/test-services start DIR)" first.',
    );
  const admin = openPostgres({ url: serverUrl, poolMax: 1, onError: () => {} });
  // Another version's stages may be in the same process: see before.ts.
  const name = `atrium_bench_${process.pid}_${newId()}`;
  await admin.query(`CREATE DATABASE ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const db = openPostgres({ url: url.href, poolMax: 5, onError: () => {} });
  await migrate(db);
  // For files.
  const dataDir = await mkdtemp(join(tmpdir(), 'atrium-bench-'));
  return {
    databaseUrl: url.href,
    dataDir,
    db,
    ...(await makeCallers(db)),
    async drop() {
      await db.close();
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await admin.close();
      await rm(dataDir, { recursive: true });
    },
  };
}

/** PostgreSQL if TEST_DATABASE_URL is set, or else the embedded database. */
export async function setAnyStage(): Promise<Stage> {
  return process.env['TEST_DATABASE_URL'] ? setStage() : setEmbeddedStage();
}

/** Close its database before you start a server on it. */
export async function setEmbeddedStage(): Promise<Stage> {
  const dataDir = await mkdtemp(join(tmpdir(), 'atrium-bench-'));
  const db = await openEmbedded(dataDir);
  await migrate(db);
  return {
    databaseUrl: '',
    dataDir,
    db,
    ...(await makeCallers(db)),
    drop: () => rm(dataDir, { recursive: true }),
  };
}

async function makeCallers(db: Database): Promise<Pick<Stage, 'orgId' | 'userId' | 'keys'>> {
  const { orgId, owner } = await createOrg(db, { name: 'Bench', ownerEmail: 'bench@example.com' });
  const keys: string[] = [];
  for (let made = 0; made < KEYS; made++) keys.push(await makeKey(db, orgId, owner.id));
  return { orgId, userId: owner.id, keys };
}

export async function makeKey(db: Database, orgId: string, userId: string): Promise<string> {
  const draft = { name: 'bench', scopes: SCOPES, createdById: null };
  const { secret } = await mintKey(db, { orgId, userId }, draft);
  return secret;
}

export interface ServerProcess {
  origin: string;
  child: ChildProcess;
  stop(): Promise<void>;
}

/** Starts the server as in production, in its own process, but without rate limits. */
export async function startAtrium(stage: Stage, nodeArgs: string[] = []): Promise<ServerProcess> {
  // Only one process at a time can open the folder of the embedded database.
  if (stage.databaseUrl === '') await stage.db.close();
  const main = fileURLToPath(new URL('../server/src/main.ts', import.meta.url));
  return startProcess([...nodeArgs, main, 'serve', '--no-worker', '--no-web'], stage);
}

/** Starts the server with its background worker and these settings. */
export function startWorkingAtrium(
  stage: Stage,
  env: Record<string, string>,
  nodeArgs: string[] = [],
): Promise<ServerProcess> {
  const main = fileURLToPath(new URL('../server/src/main.ts', import.meta.url));
  return startProcess([...nodeArgs, main, 'serve', '--no-web'], stage, env);
}

/** Starts a Fastify server that runs only the Project's SELECT or INSERT. */
export function startBare(stage: Stage): Promise<ServerProcess> {
  return startProcess([fileURLToPath(new URL('./bare-server.ts', import.meta.url))], stage);
}

/** Starts the server with the list of messages that reads each page. */
export function startDirectLists(stage: Stage): Promise<ServerProcess> {
  return startProcess([fileURLToPath(new URL('./direct-list-server.ts', import.meta.url))], stage);
}

/** Starts the server with messages that are posted without what searches need. */
export async function startPlainPosts(stage: Stage): Promise<ServerProcess> {
  if (stage.databaseUrl === '') await stage.db.close();
  return startProcess([fileURLToPath(new URL('./plain-post-server.ts', import.meta.url))], stage);
}

/** Starts a server that streams to and from files of the stage's folder. */
export function startBareFiles(stage: Stage): Promise<ServerProcess> {
  return startProcess([fileURLToPath(new URL('./bare-files.ts', import.meta.url))], stage);
}

async function startProcess(
  args: string[],
  stage: Stage,
  env: Record<string, string> = {},
): Promise<ServerProcess> {
  const child = spawn(process.execPath, args, {
    env: {
      ...process.env,
      PORT: '0',
      DATABASE_URL: stage.databaseUrl,
      DATA_DIR: stage.dataDir,
      DATABASE_POOL_MAX: POOL_MAX,
      RATE_LIMIT_READS: '1000000',
      RATE_LIMIT_WRITES: '1000000',
      LOG_LEVEL: 'info',
      SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
      BENCH_ORG: stage.orgId,
      BENCH_USER: stage.userId,
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const port = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stderr?.on('data', (data: Buffer) => {
      if (text.length > 10_000) return;
      text += data.toString();
      const found = /"port":(\d+)/.exec(text)?.[1];
      if (found) resolve(found);
    });
    child.once('close', () => reject(new Error(`the server exited: ${text}`)));
  });
  return {
    origin: `http://127.0.0.1:${port}`,
    child,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'close');
    },
  };
}
