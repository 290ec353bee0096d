import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Database } from '../server/src/db/database.ts';
import { migrate } from '../server/src/db/migrate.ts';
import { openPostgres } from '../server/src/db/postgres.ts';
import { createOrg } from '../server/src/features/identity/service.ts';
import { SCOPES } from '../server/src/features/keys/scopes.ts';
import { mintKey } from '../server/src/features/keys/service.ts';

/** What a bench runs on: a PostgreSQL database of its own, with an org and callers in it. */
export interface Stage {
  databaseUrl: string;
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
    throw new Error('set TEST_DATABASE_URL, or eval "$(scripts/test-services start DIR)" first');
  const admin = openPostgres({ url: serverUrl, poolMax: 1, onError: () => {} });
  const name = `atrium_bench_${process.pid}`;
  await admin.query(`CREATE DATABASE ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const db = openPostgres({ url: url.href, poolMax: 5, onError: () => {} });
  await migrate(db);
  const { orgId, owner } = await createOrg(db, { name: 'Bench', ownerEmail: 'bench@example.com' });
  const keys: string[] = [];
  for (let made = 0; made < KEYS; made++) {
    const minted = await mintKey(
      db,
      { orgId, userId: owner.id },
      { name: 'bench', scopes: SCOPES, createdById: null },
    );
    keys.push(minted.secret);
  }
  return {
    databaseUrl: url.href,
    db,
    orgId,
    userId: owner.id,
    keys,
    async drop() {
      await db.close();
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await admin.close();
    },
  };
}

export interface ServerProcess {
  origin: string;
  child: ChildProcess;
  stop(): Promise<void>;
}

/** The product as it is run: its own process, logging as usual, with the limits out of the way. */
export function startAtrium(stage: Stage, nodeArgs: string[] = []): Promise<ServerProcess> {
  const main = fileURLToPath(new URL('../server/src/main.ts', import.meta.url));
  return startProcess([...nodeArgs, main, 'serve', '--no-worker'], stage);
}

/** A Fastify handler that does the Project's own SELECT or INSERT and nothing else. */
export function startBare(stage: Stage): Promise<ServerProcess> {
  return startProcess([fileURLToPath(new URL('./bare-server.ts', import.meta.url))], stage);
}

async function startProcess(args: string[], stage: Stage): Promise<ServerProcess> {
  const child = spawn(process.execPath, args, {
    env: {
      ...process.env,
      PORT: '0',
      DATABASE_URL: stage.databaseUrl,
      DATABASE_POOL_MAX: POOL_MAX,
      RATE_LIMIT_READS: '1000000',
      RATE_LIMIT_WRITES: '1000000',
      LOG_LEVEL: 'info',
      SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
      BENCH_ORG: stage.orgId,
      BENCH_USER: stage.userId,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const port = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stderr?.on('data', (data: Buffer) => {
      if (text.length > 10_000) return;
      text += data.toString();
      const found = /"port":(\d+)/.exec(text)?.[1];
      if (found) resolve(found);
    });
    child.once('close', () => reject(new Error(`the server ended: ${text}`)));
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
