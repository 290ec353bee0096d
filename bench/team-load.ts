import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startOpenAiChatServer } from '../server/test/harness/outside/openai-chat-server.ts';
import { percentile } from './load.ts';
import { readStretch } from './read-stretch.ts';
import { setStage, startWorkingAtrium, type ServerProcess, type Stage } from './stage.ts';
import { hireTeams } from './team.ts';
import { startWorkday, type Action, type Workday } from './workday.ts';

const ORGS = 20;
/** Each person does something this often on average. */
const PAUSE_MS = 3_000;
const TARGET_P99_MS = 500;
/** Each step asks for this much more than the one before. */
const STEP = 1.5;
/** A first part of the time fills caches and pools, and is not counted. */
const WARM_UP = 0.2;
const SAMPLES = 60;

interface Sample {
  minutes: number;
  rssMb: number;
}

interface Period {
  perSecond: number;
  p99: number;
  byAction: Map<Action, number[]>;
  failures: Map<string, number>;
  lateP99Ms: number;
  /** Of one core, by the server and its workers. */
  cpu: number;
  /** Of all cores, by everything: the server, the database, and whoever asks. */
  machine: number;
  memory: Sample[];
}

/**
 * `load [people] [minutes] [stepSeconds]`: people in 20 organisations look, write, search and ask agents, each with
 * an open event stream. First for some minutes, then faster and faster until something breaks.
 */
export async function benchTeamLoad(people = '200', minutes = '30', stepSeconds = '60') {
  const stage = await setStage();
  const model = await startOpenAiChatServer({
    answer: async () => ({
      text: 'Answered.',
      usage: { inputTokens: 100, outputTokens: 20 },
    }),
  });
  const folder = await mkdtemp(join(tmpdir(), 'atrium-bench-'));
  const file = join(folder, 'models.json');
  const entry = { slug: 'ada', provider: 'openai-compatible', model: 'ada' };
  await writeFile(file, JSON.stringify([{ ...entry, baseURL: model.baseUrl }]));
  const hook = fileURLToPath(new URL('./loop-stretch.ts', import.meta.url));
  const atrium = await startWorkingAtrium(stage, { MODELS_FILE: file }, ['--import', hook]);
  try {
    const team = { people: Number(people), orgs: Math.min(ORGS, Number(people)) };
    const colleagues = await hireTeams(stage, atrium.origin, team);
    const day = startWorkday(atrium.origin, colleagues, PAUSE_MS);
    print(`load: ${people} people in ${team.orgs} organisations, for ${minutes} min`);
    await measure(atrium, day, Number(minutes) * 60 * WARM_UP);
    const steady = await measure(atrium, day, Number(minutes) * 60 * (1 - WARM_UP));
    show('steady', steady, day);
    print(`  memory: ${describeSlope(steady.memory)}`);
    print(`  replies not written yet: ${await countOpenReplies(stage)}`);
    const broken = whatBroke(steady);
    if (broken) print(`  too much already: ${broken}`);
    else await stepUp(atrium, day, Number(stepSeconds));
    print(`  replies not written yet: ${await countOpenReplies(stage)}`);
    await day.end();
  } finally {
    await atrium.stop();
    await model.close();
    await stage.drop();
    await rm(folder, { recursive: true });
  }
}

async function countOpenReplies({ db }: Stage): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM jobs WHERE kind = 'agent-reply'`,
  );
  return row?.count ?? 0;
}

async function stepUp(atrium: ServerProcess, day: Workday, seconds: number): Promise<void> {
  for (let factor = STEP; ; factor *= STEP) {
    day.setPause(PAUSE_MS / factor);
    const period = await measure(atrium, day, seconds);
    show(`${factor.toFixed(1)} x`, period, day);
    const broken = whatBroke(period);
    if (broken) {
      print(`  broke at ${factor.toFixed(1)} times the load: ${broken}`);
      return;
    }
  }
}

function whatBroke({ p99, failures, cpu, machine }: Period): string | undefined {
  const signs = [
    ...[...failures].map(([what, times]) => `${what} (${times} times)`),
    ...(p99 > TARGET_P99_MS ? [`p99 over ${TARGET_P99_MS} ms`] : []),
  ];
  if (signs.length === 0) return undefined;
  const full = [
    ...(cpu > 0.9 ? ["the server's one core"] : []),
    ...(machine > 0.95 ? ["the machine's cores"] : []),
  ];
  return `${signs.join(', ')}; full: ${full.join(' and ') || 'no processor, so look at locks and pools'}`;
}

async function measure(atrium: ServerProcess, day: Workday, seconds: number): Promise<Period> {
  day.take();
  await readStretch(atrium.child);
  const startedAt = performance.now();
  const before = machineTimes();
  const memory: Sample[] = [];
  const late: number[] = [];
  let cpuMs = 0;
  for (let sample = 0; sample < SAMPLES; sample++) {
    await sleep((seconds * 1_000) / SAMPLES);
    const stretch = await readStretch(atrium.child);
    cpuMs += stretch.cpuMs;
    late.push(stretch.lateP99Ms);
    memory.push({ minutes: (performance.now() - startedAt) / 60_000, rssMb: stretch.rssMb });
  }
  const tookMs = performance.now() - startedAt;
  const after = machineTimes();
  const { times, failures } = day.take();
  const all = [...times.values()].flat();
  return {
    perSecond: all.length / (tookMs / 1_000),
    p99: percentile(all, 0.99),
    byAction: times,
    failures,
    lateP99Ms: percentile(late, 0.5),
    cpu: cpuMs / tookMs,
    machine: (after.busy - before.busy) / (after.all - before.all),
    memory,
  };
}

function machineTimes(): { busy: number; all: number } {
  const sums = cpus().map(({ times }) => {
    const all = Object.values(times).reduce((sum, ms) => sum + ms, 0);
    return { busy: all - times.idle, all };
  });
  const sum = (of: 'busy' | 'all') => sums.reduce((total, one) => total + one[of], 0);
  return { busy: sum('busy'), all: sum('all') };
}

function show(name: string, period: Period, day: Workday): void {
  const { perSecond, p99, byAction, failures, lateP99Ms, cpu, machine } = period;
  const { open, events } = day.streams();
  print(
    `  ${name}: ${perSecond.toFixed(0)} requests per second (${(perSecond / cpu).toFixed(0)} per second of the server's core), ` +
      `p99 ${p99.toFixed(0)} ms (target: ${TARGET_P99_MS}), event loop p99 ${lateP99Ms.toFixed(0)} ms late, ` +
      `server ${percent(cpu)} of a core, machine ${percent(machine)} of ${cpus().length}, ` +
      `${open} streams with ${events} pieces so far`,
  );
  const each = [...byAction].map(
    ([action, took]) =>
      `${action} ${percentile(took, 0.5).toFixed(0)}/${percentile(took, 0.99).toFixed(0)}`,
  );
  print(
    `    p50/p99: ${each.join(', ')} ms; failed: ${JSON.stringify(Object.fromEntries(failures))}`,
  );
}

/** By least squares. */
function describeSlope(samples: readonly Sample[]): string {
  const mean = (of: keyof Sample) =>
    samples.reduce((sum, one) => sum + one[of], 0) / samples.length;
  const [time, size] = [mean('minutes'), mean('rssMb')];
  const both = samples.reduce((sum, one) => sum + (one.minutes - time) * (one.rssMb - size), 0);
  const spread = samples.reduce((sum, one) => sum + (one.minutes - time) ** 2, 0);
  const perHour = (both / spread) * 60;
  return `${size.toFixed(0)} MB on average, ${perHour.toFixed(1)} MB more per hour`;
}

const percent = (share: number) => `${(share * 100).toFixed(0)} %`;
const print = (line: string) => void process.stdout.write(`${line}\n`);
