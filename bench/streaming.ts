import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createOrg } from '../server/src/features/identity/service.ts';
import { readStretch } from './read-stretch.ts';
import { quantile } from './frames.ts';
import { clientOf, openViewer, type Room, type Viewer } from './reply-viewer.ts';
import { makeKey, setStage, startAtrium, startWorkingAtrium, type Stage } from './stage.ts';
import { textOf, type ModelNews, type Pace } from './streaming-model.ts';

const QUESTIONS = 100;
const WARM_UP = 10;
const SAME_PROCESS_MS = 150;
const OTHER_PROCESS_MS = 300;

/** An organisation runs four replies at a time. */
const ORGS = 50;
const REPLIES_EACH = 4;
const REPLIES = ORGS * REPLIES_EACH;
const TOKENS = 1_000;
const TOKENS_PER_SECOND = 50;
const LOOP_DELAY_MS = 50;
const WRITES_PER_SECOND = 1;
const RECONNECT_EVERY_MS = 200;

/** Measures how soon people see what a model writes, and what 200 replies at once cost. */
export async function benchReplies(): Promise<void> {
  const stage = await setStage();
  const model = await startModel();
  const folder = await mkdtemp(join(tmpdir(), 'atrium-bench-'));
  const file = join(folder, 'models.json');
  const entry = { slug: 'ada', provider: 'openai-compatible', model: 'ada', creditsPer1kTokens: 0 };
  await writeFile(file, JSON.stringify([{ ...entry, baseURL: model.baseUrl }]));
  const hook = fileURLToPath(new URL('./loop-stretch.ts', import.meta.url));
  const writing = await startWorkingAtrium(stage, { MODELS_FILE: file }, ['--import', hook]);
  const showing = await startAtrium(stage);
  try {
    await measureFirstDelta(stage, model, writing.origin, showing.origin);
    await measureMany(stage, model, writing);
  } finally {
    await Promise.all([writing.stop(), showing.stop()]);
    model.stop();
    await stage.drop();
    await rm(folder, { recursive: true });
  }
}

export interface Model {
  baseUrl: string;
  /** By the question's number, by process.hrtime. */
  firstTokenAt: Map<string, bigint>;
  setPace(pace: Pace): void;
  stop(): void;
}

export async function startModel(): Promise<Model> {
  const child = fork(fileURLToPath(new URL('./streaming-model.ts', import.meta.url)));
  const firstTokenAt = new Map<string, bigint>();
  const [{ baseUrl }] = (await once(child, 'message')) as [{ baseUrl: string }];
  child.on('message', (news: ModelNews) => {
    if ('question' in news) firstTokenAt.set(news.question, BigInt(news.firstTokenAt));
  });
  return {
    baseUrl,
    firstTokenAt,
    setPace: (pace) => void child.send(pace),
    stop: () => void child.kill(),
  };
}

async function openRoom(origin: string, key: string): Promise<Room> {
  const client = clientOf({ origin, key });
  const { slug } = await client.projects.create({ name: 'Bench' });
  const { id } = await client.sessions.create(slug, { name: 'Bench' });
  return { origin, key, slug, sessionId: id };
}

async function measureFirstDelta(
  stage: Stage,
  model: Model,
  writing: string,
  showing: string,
): Promise<void> {
  const tokens = 5;
  model.setPace({ tokens, perSecond: TOKENS_PER_SECOND, together: 1 });
  const room = await openRoom(writing, stage.keys[0] ?? '');
  const same = await openViewer(room, textOf(tokens));
  const other = await openViewer({ ...room, origin: showing }, textOf(tokens));
  const client = clientOf(room);
  const took = { same: [] as number[], other: [] as number[] };
  for (let asked = 0; asked < WARM_UP + QUESTIONS; asked++) {
    const body = `@ada question ${asked}`;
    const { id } = await client.messages.post(room.slug, room.sessionId, { body });
    await until(() => same.ended.has(id) && other.ended.has(id), `reply ${asked}`);
    if (asked < WARM_UP) continue;
    const wroteAt = model.firstTokenAt.get(String(asked)) ?? 0n;
    const after = (seenAt = 0n) => Number(seenAt - wroteAt) / 1e6;
    took.same.push(after(same.firstDeltaAt.get(id)));
    took.other.push(after(other.firstDeltaAt.get(id)));
  }
  same.close();
  other.close();
  process.stdout.write(
    `streaming: from the provider's first token to the first delta, ${QUESTIONS} questions one at a time\n`,
  );
  showTimes('in the same process', took.same, SAME_PROCESS_MS);
  showTimes('in another process', took.other, OTHER_PROCESS_MS);
}

type Writing = Awaited<ReturnType<typeof startWorkingAtrium>>;

async function measureMany(stage: Stage, model: Model, { origin, child }: Writing): Promise<void> {
  const text = textOf(TOKENS);
  const before = await readStretch(child);
  model.setPace({ tokens: TOKENS, perSecond: TOKENS_PER_SECOND, together: REPLIES });
  model.firstTokenAt.clear();
  const viewers: Viewer[] = [];
  for (let at = 0; at < ORGS; at++) {
    const email = `owner${at}@example.com`;
    const { orgId, owner } = await createOrg(stage.db, { name: `Org ${at}`, ownerEmail: email });
    const room = await openRoom(origin, await makeKey(stage.db, orgId, owner.id));
    viewers.push(await openViewer(room, text));
    for (let asked = 0; asked < REPLIES_EACH; asked++) {
      const body = `@ada question ${at * REPLIES_EACH + asked}`;
      await clientOf(room).messages.post(room.slug, room.sessionId, { body });
    }
  }
  await until(() => model.firstTokenAt.size === REPLIES, `${REPLIES} replies at once`);
  const endsAt = performance.now() + (TOKENS / TOKENS_PER_SECOND) * 1_000;
  await sleep(1_000);
  await readStretch(child);
  const beganAt = performance.now();
  const writesBefore = await countWrites(stage);
  const reconnects = await reconnectUntil(endsAt - 2_000, viewers);
  const seconds = (performance.now() - beganAt) / 1_000;
  const writes = ((await countWrites(stage)) - writesBefore) / REPLIES / seconds;
  const load = await readStretch(child);
  const ended = () => viewers.reduce((sum, viewer) => sum + viewer.ended.size, 0);
  await until(() => ended() === REPLIES, 'the end of all replies');
  const faults = viewers.flatMap((viewer) => viewer.faults);
  for (const each of viewers.flatMap((viewer) => [...viewer.ended.values()])) {
    if (each.trimEnd() !== text.trimEnd())
      faults.push(`${each.length} of ${text.length} characters`);
  }
  for (const viewer of viewers) viewer.close();
  const deltas = viewers.reduce((sum, viewer) => sum + viewer.deltas, 0);
  process.stdout.write(
    `  ${REPLIES} replies at ${TOKENS_PER_SECOND} tokens/s in one process, ${ORGS} streams that see ${REPLIES_EACH} each:\n`,
  );
  const cpu = (load.cpuMs / seconds / 10).toFixed(0);
  const memory = ((load.rssMb - before.rssMb) / REPLIES).toFixed(2);
  process.stdout.write(`    ${cpu} % of a core, ${memory} MB per reply\n`);
  show(
    'event loop delay p99',
    load.lateP99Ms,
    LOOP_DELAY_MS,
    `ms, longest ${load.lateMs.toFixed(0)} ms`,
  );
  show('database writes per reply', writes, WRITES_PER_SECOND, 'a second');
  const what = `of ${deltas} deltas, after ${reconnects} reconnects`;
  show('lost or out of order', faults.length, 0, [what, ...faults.slice(0, 3)].join('; '));
}

/** One page after another, and all of them once. Returns how many. */
async function reconnectUntil(endsAt: number, viewers: readonly Viewer[]): Promise<number> {
  await Promise.all(viewers.map((viewer) => viewer.reconnect()));
  let reconnects = viewers.length;
  while (performance.now() < endsAt) {
    await viewers[reconnects++ % viewers.length]?.reconnect();
    await sleep(RECONNECT_EVERY_MS);
  }
  return reconnects;
}

async function countWrites({ db }: Stage): Promise<number> {
  const [row] = await db.query<{ writes: number }>(
    'SELECT sum(n_tup_ins + n_tup_upd + n_tup_del)::float8 AS writes FROM pg_stat_user_tables',
  );
  return row?.writes ?? Number.NaN;
}

const PATIENCE_MS = 100_000;

async function until(isSo: () => boolean, what: string): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; !isSo(); await sleep(2)) {
    if (performance.now() > end) throw new Error(`${what}: did not come about`);
  }
}

function showTimes(name: string, times: readonly number[], limit: number): void {
  show(
    `${name}, p95`,
    quantile(times, 0.95),
    limit,
    `ms, p50 ${quantile(times, 0.5).toFixed(1)} ms`,
  );
}

function show(name: string, value: number, limit: number, unit: string): void {
  const isOver = !(value <= limit);
  if (isOver) process.exitCode = 1;
  const shown = Number(value.toFixed(2));
  process.stdout.write(
    `    ${name}: ${shown} (limit ${limit}${isOver ? ', exceeded' : ''}) ${unit}\n`,
  );
}
