import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createOrg } from '../server/src/features/identity/service.ts';
import { ATTACK_NAMES } from './fairness-attack.ts';
import { FILE_ATTACKS } from './file-attacks.ts';
import { percentile } from './load.ts';
import type { Stretch } from './loop-stretch.ts';
import { readStretch } from './read-stretch.ts';
import {
  makeKey,
  setEmbeddedStage,
  setStage,
  startWorkingAtrium,
  type ServerProcess,
  type Stage,
} from './stage.ts';

const SECONDS = 10;
const PAUSE_MS = 5;
const AIM_MS = 50;
const BACKUP = 'backups without a pause';
/** The last, because its questions are still being answered long after it has ended. */
const RECALL = 'long messages, @recall';

/**
 * What one org's callers notice while another org attacks. `npm run bench -- fairness` tries
 * every attack on each available engine; a word selects the attacks whose names contain it, a second one the engine.
 */
export async function benchFairness(only = '', onlyEngine = ''): Promise<void> {
  const stages = { embedded: setEmbeddedStage, postgres: setStage };
  const requests = [...ATTACK_NAMES.filter((name) => name !== RECALL), BACKUP, RECALL];
  // Files go on being read after an attack, so each of these has a server of its own.
  const groups = [requests, ...Object.keys(FILE_ATTACKS).map((name) => [name])];
  for (const [engine, set] of Object.entries(stages)) {
    if (engine === 'postgres' && !process.env['TEST_DATABASE_URL']) continue;
    if (!engine.includes(onlyEngine)) continue;
    for (const group of groups) {
      const names = group.filter((name) => name.includes(only));
      if (names.length === 0) continue;
      const stage = await set();
      try {
        await benchEngine(engine, stage, names);
      } finally {
        await stage.drop();
      }
    }
  }
}

async function benchEngine(engine: string, stage: Stage, names: readonly string[]): Promise<void> {
  const bystander = await createOrg(stage.db, { name: 'Other', ownerEmail: 'other@example.com' });
  const key = await makeKey(stage.db, bystander.orgId, bystander.owner.id);
  if (stage.databaseUrl === '') await stage.db.close();
  const hook = fileURLToPath(new URL('./loop-stretch.ts', import.meta.url));
  const atrium = await startWorkingAtrium(stage, { FILES_QUOTA_GB: '1000' }, ['--import', hook]);
  try {
    process.stdout.write(
      `fairness, ${engine}: another org's calls (aim: p99 at most ${AIM_MS} ms above idle)\n`,
    );
    await measure(atrium, key);
    const idle = await measure(atrium, key);
    show('nobody else', idle);
    for (const name of names) {
      const stop =
        name === BACKUP
          ? keepBackingUp(stage)
          : await startAttack(name, { origin: atrium.origin, keys: stage.keys });
      show(name, await measure(atrium, key), idle);
      await stop();
      await sleep(1_000);
    }
  } finally {
    await atrium.stop();
  }
}

/** Runs `atrium backup` again and again, each in its own process. */
function keepBackingUp(stage: Stage): () => Promise<void> {
  const stopping = new AbortController();
  const main = fileURLToPath(new URL('../server/src/main.ts', import.meta.url));
  const env = { ...process.env, DATABASE_URL: stage.databaseUrl, DATA_DIR: stage.dataDir };
  const working = (async () => {
    while (!stopping.signal.aborted) {
      const args = [main, 'backup', '--to', '-'];
      const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
      const [code] = (await once(child, 'close')) as [number | null];
      if (code !== 0) throw new Error(`backup ended with ${code}`);
    }
  })();
  return async () => {
    stopping.abort();
    await working;
  };
}

async function startAttack(name: string, target: object): Promise<() => boolean> {
  const file = fileURLToPath(new URL('./fairness-attack.ts', import.meta.url));
  const attacker = fork(file, [name]);
  attacker.send(target);
  await once(attacker, 'message');
  return () => attacker.kill();
}

interface Noticed {
  me: number[];
  healthz: number[];
  stretch: Stretch;
}

async function measure({ origin, child }: ServerProcess, key: string): Promise<Noticed> {
  await readStretch(child);
  const me: number[] = [];
  const healthz: number[] = [];
  const headers = { authorization: `Bearer ${key}` };
  const timed = async (path: string, times: number[]) => {
    const startedAt = performance.now();
    const response = await fetch(origin + path, { headers });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    times.push(performance.now() - startedAt);
    await sleep(PAUSE_MS);
  };
  for (const end = performance.now() + SECONDS * 1000; performance.now() < end;) {
    await timed('/api/me', me);
    await timed('/healthz', healthz);
  }
  return { me, healthz, stretch: await readStretch(child) };
}

function show(name: string, { me, healthz, stretch }: Noticed, idle?: Noticed): void {
  const p99 = `/me p50 ${at(me, 0.5)} p99 ${at(me, 0.99)}, /healthz p99 ${at(healthz, 0.99)} ms`;
  const worse = (times: number[], before: number[] = []) =>
    percentile(times, 0.99) - percentile(before, 0.99);
  const above = idle
    ? `; above idle ${worse(me, idle.me).toFixed(1)} and ${worse(healthz, idle.healthz).toFixed(1)} ms`
    : '';
  const loop = `event loop at most ${stretch.busyMs.toFixed(0)} ms busy, ${stretch.lateMs.toFixed(0)} ms late`;
  process.stdout.write(`  ${name.padEnd(33)} ${p99}${above}; ${loop}\n`);
}

function at(times: number[], share: number): string {
  return percentile(times, share).toFixed(1);
}
