import { join, resolve } from 'node:path';
import { loadavg } from 'node:os';
import { pathToFileURL } from 'node:url';
import { load, median, type LoadRequest } from './load.ts';
import type * as StageModule from './stage.ts';
import type * as WritesModule from './writes.ts';

const SESSIONS = 100;
const ROUNDS = 9;
const SECONDS = 3;
const WARM_UP_SECONDS = 8;

interface Side {
  origin: string;
  next: () => LoadRequest;
  perSecond: number[];
  stop(): Promise<void>;
}

/**
 * Posts messages to this version and to the one in another folder, in turns, each on a database of its own:
 * `npm run bench -- before FOLDER`, where FOLDER is a checkout with its packages.
 */
export async function benchBefore(folder?: string): Promise<void> {
  if (folder === undefined) {
    process.stdout.write('before: not measured, because no other checkout was named\n');
    return;
  }
  const sides: Side[] = [];
  try {
    for (const root of [resolve(folder), join(import.meta.dirname, '..')]) {
      sides.push(await open(root));
    }
    for (const { origin, next } of sides) await load(origin, WARM_UP_SECONDS, next);
    process.stdout.write(`before: posts in turns, load ${loadavg()[0]?.toFixed(1)}\n`);
    for (let round = 0; round < ROUNDS; round++) {
      // What is first in a round may have it easier.
      const order = round % 2 === 0 ? sides : sides.toReversed();
      for (const side of order) {
        side.perSecond.push((await load(side.origin, SECONDS, side.next)).perSecond);
      }
    }
  } finally {
    for (const side of sides) await side.stop();
  }
  const [before, now] = sides as [Side, Side];
  const ratios = now.perSecond.map((each, round) => each / (before.perSecond[round] ?? 0));
  const sorted = ratios.toSorted((a, b) => a - b).map((ratio) => ratio.toFixed(2));
  process.stdout.write(
    `  before ${median(before.perSecond).toFixed(0)}/s, now ${median(now.perSecond).toFixed(0)}/s, ratio ${median(ratios).toFixed(2)} (${sorted.join(' ')})\n`,
  );
}

async function open(root: string): Promise<Side> {
  const load = (name: string) => import(pathToFileURL(join(root, 'bench', name)).href);
  const { setStage, startAtrium } = (await load('stage.ts')) as typeof StageModule;
  const { fillSessions, postRequest } = (await load('writes.ts')) as typeof WritesModule;
  const stage = await setStage();
  const sessions = await fillSessions(stage, SESSIONS);
  const server = await startAtrium(stage);
  return {
    origin: server.origin,
    next: postRequest('/api/spaces/bench', stage, sessions, false),
    perSecond: [],
    async stop() {
      await server.stop();
      await stage.drop();
    },
  };
}
