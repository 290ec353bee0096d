import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../server/test/harness/processes/free-port.ts';
import { median } from './load.ts';

const ROUNDS = 5;
const TARGET_MS = 2000;

/** Measures `npm start` on an existing data folder, until the first 200. */
export async function benchColdStart(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'atrium-cold-'));
  try {
    const first = await startOnce(dataDir);
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) times.push(await startOnce(dataDir));
    process.stdout.write(
      `cold start: new data folder ${first.toFixed(0)} ms, existing data folder ${median(times).toFixed(0)} ms (target: under ${TARGET_MS} ms)\n`,
    );
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function startOnce(dataDir: string): Promise<number> {
  const port = await freePort();
  const started = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: fileURLToPath(new URL('../', import.meta.url)),
    env: {
      ...process.env,
      DATABASE_URL: '',
      REDIS_URL: '',
      DATA_DIR: dataDir,
      PORT: String(port),
      LOG_LEVEL: 'error',
    },
    stdio: 'ignore',
    detached: true,
  });
  while (!(await isUp(port))) await sleep(5);
  const took = performance.now() - started;
  process.kill(-(child.pid ?? 0), 'SIGTERM');
  await once(child, 'close');
  return took;
}

async function isUp(port: number): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
  return response?.status === 200;
}
