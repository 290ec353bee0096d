import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { countOpenJobs, expectNothingLost } from './checker.ts';
import type { Installation } from './installation.ts';
import { startLoad } from './load.ts';

/** How long everything has to heal after a fault. */
const HEALS_MS = 60_000;
const PEOPLE = 6;
/** Each of them gets this many more writes done after the fault. */
const WRITES_AFTERWARDS = 5;

export type Fault = (installation: Installation) => Promise<void>;

export async function survive(atrium: Installation, fault: Fault): Promise<void> {
  const load = startLoad(atrium.servers, atrium.places, PEOPLE);
  await sleep(500);
  await fault(atrium);
  const ended = performance.now();
  const before = load.acknowledged.length;
  await until(() => load.acknowledged.length >= before + PEOPLE * WRITES_AFTERWARDS, ended);
  await load.stop();
  await until(async () => (await atrium.look(countOpenJobs)) === 0, ended);
  await atrium.look((db) => expectNothingLost(db, load));
}

async function until(isTrue: () => boolean | Promise<boolean>, since: number): Promise<void> {
  while (!(await isTrue())) {
    expect(performance.now() - since, 'nothing has healed').toBeLessThan(HEALS_MS);
    await sleep(100);
  }
}

/** Each process ends in an orderly way, and a new one takes its place before the next ends. */
export async function restartAll(atrium: Installation): Promise<void> {
  for (const at of atrium.servers.keys()) await restartServer(atrium, at);
  for (const at of atrium.workers.keys()) await restartWorker(atrium, at);
}

export async function restartServer(
  atrium: Installation,
  at: number,
  clockOffMs?: number,
): Promise<void> {
  const server = atrium.servers[at];
  atrium.servers[at] = undefined;
  await server?.kill('SIGTERM');
  await atrium.startServer(at, clockOffMs);
}

export async function restartWorker(
  atrium: Installation,
  at: number,
  clockOffMs?: number,
): Promise<void> {
  await atrium.workers[at]?.kill('SIGTERM');
  await atrium.startWorker(at, clockOffMs);
}
