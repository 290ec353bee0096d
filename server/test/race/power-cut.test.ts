import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { deserialize } from 'node:v8';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeMemoryFolder } from './memory-folder.ts';
import type { PowerCut } from './power-cut/check.ts';
import type { DiskEvent, Recording } from './power-cut/recorder.ts';
import { killAll, spawnNode, type Spawned } from './processes.ts';

const SEED = Number(process.env['POWER_CUT_SEED'] ?? 1);
/** In each phase of the workload; the first two take a start on an empty folder. */
const CUTS_A_PHASE = [1, 2, 3, 3, 3, 3, 3, 3];
/** Each seed cuts elsewhere. For more than CI has time for, set this. */
const TIMES = Number(process.env['POWER_CUT_TIMES'] ?? 1);
const CHECKERS = 2;
/** A minute on two idle cores, and ten times that on a busy machine. */
const TIMEOUT = 1_800_000;
/** A check takes a second or two. An engine that met damage may never end. */
const ENDLESS_MS = 120_000;

let root: string;
let events: readonly DiskEvent[];
let recording: string;

beforeAll(async () => {
  root = await makeMemoryFolder('power-cut');
  recording = join(root, 'recording');
  const recorder = spawnNode('./power-cut/record.ts', [join(root, 'run'), recording]);
  expect([(await recorder.exited).code, recorder.lines]).toEqual([0, []]);
  ({ events } = deserialize(await readFile(recording)) as Recording);
}, TIMEOUT);
afterAll(async () => {
  await killAll();
  await rm(root, { recursive: true });
});

describe('the embedded database after a power cut', () => {
  it('has every acknowledged commit, and no damage', { timeout: TIMEOUT }, async () => {
    const cuts = phases().flatMap((phase, number) =>
      cutsIn(phase, TIMES * (CUTS_A_PHASE[number] ?? 0)),
    );
    expect(cuts).toHaveLength(TIMES * 21);
    expect(await checkAll(cuts)).toEqual([]);
  });

  it.each(['all', 'of folders'] as const)(
    'would not, if the disk ignored syncs: %s',
    { timeout: TIMEOUT },
    async (ignores) => {
      const segments = phases()[4] ?? { from: 0, to: 0 };
      const cuts = cutsIn(segments, 6).map((cut) => ({ ...cut, ignores }));
      expect(await checkAll(cuts, { untilFirst: true })).not.toEqual([]);
    },
  );
});

interface Phase {
  from: number;
  to: number;
}

/** The recording's events from one note that begins a phase to the next. */
function phases(): Phase[] {
  const starts = events.flatMap((event, at) => (noted(event)?.startsWith('phase ') ? [at] : []));
  return starts.map((from, number) => ({ from, to: starts[number + 1] ?? events.length }));
}

/** Half of them anywhere, half of them just after a commit was acknowledged. */
function cutsIn({ from, to }: Phase, count: number): PowerCut[] {
  const acknowledged = Array.from({ length: to - from }, (_, number) => from + number).filter(
    (at) => noted(events[at])?.startsWith('step '),
  );
  return Array.from({ length: count }, (_, number) => {
    const share = (number + 0.5) / count;
    const near = acknowledged[Math.floor(share * acknowledged.length)];
    const at =
      near === undefined || number % 2 === 0 ? from + Math.floor(share * (to - from)) : near;
    return cutAt(at + 1, SEED * 100_000 + at);
  });
}

function cutAt(at: number, seed: number): PowerCut {
  const notes = events.slice(0, at).flatMap((event) => noted(event) ?? []);
  const after = (word: string) =>
    notes.filter((text) => text.startsWith(word)).map((text) => text.slice(word.length));
  return {
    at,
    seed,
    hasTables: notes.includes('tables'),
    acknowledged: Math.max(0, ...after('step ').map(Number)),
    begun: notes.filter((text) => text === 'begun').length,
    indexes: after('index '),
  };
}

function noted(event: DiskEvent | undefined): string | undefined {
  return event?.kind === 'note' ? event.text : undefined;
}

/** Answers with the cuts after which something was wrong, or the first of them. */
async function checkAll(cuts: PowerCut[], { untilFirst = false } = {}): Promise<unknown[]> {
  const waiting = cuts.values();
  const problems: unknown[] = [];
  const checkSome = async (number: number) => {
    let checker = await startChecker(number);
    for (const cut of waiting) {
      const problem = await check(checker, cut);
      if (problem === null) continue;
      problems.push({ problem, ...cut });
      // An engine that met damage can be in any state, so the next check has a new process.
      await checker.kill();
      if (untilFirst) break;
      checker = await startChecker(number);
    }
    await checker.kill();
  };
  await Promise.all(Array.from({ length: CHECKERS }, (_, number) => checkSome(number)));
  return problems;
}

/** What was wrong after this cut, or null. */
async function check(checker: Spawned, cut: PowerCut): Promise<string | null> {
  const checked = checker.waitForNextLine(/^checked /);
  checker.tell(JSON.stringify(cut));
  const done = new AbortController();
  const endless = sleep(ENDLESS_MS, 'checked "it did not end"', { signal: done.signal });
  endless.catch(() => {});
  checked.catch(() => {});
  const line = await Promise.race([checked, endless]);
  done.abort();
  return JSON.parse(line.slice('checked '.length)) as string | null;
}

async function startChecker(number: number): Promise<Spawned> {
  const checker = spawnNode('./power-cut/check.ts', [recording, join(root, `disk-${number}`)]);
  await checker.waitForLine(/^ready$/);
  return checker;
}
