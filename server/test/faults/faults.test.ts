import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { startInstallation, type Installation } from './installation.ts';
import { restartAll, restartServer, restartWorker, survive, type Fault } from './survive.ts';

/** How long a fault lasts. */
const LASTS_MS = 4_000;
const CLOCK_OFF_MS = 5 * 60_000;
/** How often two faults happen at once. */
const PAIRS = 2;

const any = (from: readonly unknown[]) => Math.floor(Math.random() * from.length);

const FAULTS = {
  async 'a server is killed'(atrium) {
    const at = any(atrium.servers);
    const server = atrium.servers[at];
    atrium.servers[at] = undefined;
    await server?.kill('SIGKILL');
    await sleep(LASTS_MS);
    await atrium.startServer(at);
  },
  async 'a worker is killed'(atrium) {
    const at = any(atrium.workers);
    await atrium.workers[at]?.kill('SIGKILL');
    await sleep(LASTS_MS);
    await atrium.startWorker(at);
  },
  async 'Redis is gone, and comes back empty'(atrium) {
    await atrium.redis.kill();
    await sleep(LASTS_MS);
    await atrium.redis.restart();
  },
  async 'connections to the database are cut'(atrium) {
    atrium.toDatabase.cut();
    await sleep(1_000);
    atrium.toDatabase.open();
  },
  async 'the database is 500 ms away'(atrium) {
    atrium.toDatabase.delay(() => 500);
    await sleep(LASTS_MS);
    atrium.toDatabase.delay(() => 0);
  },
  async 'one in twenty packets stalls for 3 s'(atrium) {
    for (const proxy of [atrium.toDatabase, atrium.toRedis]) {
      proxy.delay(() => (Math.random() < 0.05 ? 3_000 : 0));
    }
    await sleep(2 * LASTS_MS);
    for (const proxy of [atrium.toDatabase, atrium.toRedis]) proxy.delay(() => 0);
  },
  'every process is restarted, one after the other': restartAll,
  async 'clocks are five minutes ahead or behind'(atrium) {
    await setClocks(atrium, [CLOCK_OFF_MS, -CLOCK_OFF_MS]);
    await sleep(LASTS_MS);
    await setClocks(atrium, [0, 0]);
  },
  async "the primary database's disk is full"({ pair }) {
    await pair.fillDisk();
    await sleep(LASTS_MS / 2);
    await pair.exhaustLog();
    await sleep(LASTS_MS / 2);
    await pair.makeRoom();
  },
} satisfies Record<string, Fault>;

/** Of a server and a worker each; one more server has the right time. */
async function setClocks(atrium: Installation, offsetsMs: readonly number[]): Promise<void> {
  await Promise.all(
    offsetsMs.flatMap((offMs, at) => [
      restartServer(atrium, at, offMs),
      restartWorker(atrium, at, offMs),
    ]),
  );
}

const SINGLE = Object.entries(FAULTS) as [string, Fault][];

/** Other ones in each run; the name of a test says which. */
function randomPairs(count: number): [string, string, Fault[]][] {
  const shuffled = SINGLE.toSorted(() => Math.random() - 0.5);
  return Array.from({ length: count }, (_, nth) => {
    const pair = shuffled.slice(2 * nth, 2 * nth + 2);
    const [first = '', second = ''] = pair.map(([name]) => name);
    return [first, second, pair.map(([, fault]) => fault)];
  });
}

describe('nothing is lost or doubled, and everything heals by itself', () => {
  let atrium: Installation;
  beforeAll(async () => {
    atrium = await startInstallation();
  });
  afterAll(() => atrium?.stop());

  it.each(SINGLE)('when %s', (_, fault) => survive(atrium, fault));

  it.each(randomPairs(PAIRS))('when %s, and %s', (_first, _second, faults) =>
    survive(atrium, async () => {
      await Promise.all(faults.map((fault) => fault(atrium)));
    }),
  );

  it('when the primary database is killed, and its standby takes over', () =>
    survive(atrium, async ({ pair, toDatabase }) => {
      await pair.failOver();
      toDatabase.lead(pair.standby);
      toDatabase.cut();
      toDatabase.open();
    }));
});
