/** The thread with the model. All slow work happens here, never on the main event loop. */
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { NOT_ENCODED } from '../text-encoder.ts';
import type { Engine, EngineOutput } from './engine.ts';
import { createExitGate } from './exit-gate.ts';
import { loadEngine } from './load-engine.ts';
import type {
  EncodeRequest,
  FromThread,
  Request,
  RerankRequest,
  ThreadData,
  ToThread,
} from './messages.ts';
import { readVocabulary } from './model-files.ts';
import { createScore, sliceMemories } from './rerank.ts';
import {
  createSchedule,
  MAX_BATCH_TOKENS,
  MAX_BATCH_TOKENS_BESIDE_QUERIES,
  type Unit,
  type Work,
} from './schedule.ts';
import { createSearchHold } from './search-hold.ts';
import { createTextTask, type TextTask, type WindowTask } from './text-task.ts';
import { createTokenizer } from './tokenizer.ts';
import { MAX_QUERY_TEXT_TOKENS, MAX_TEXT_TOKENS } from './windows.ts';

interface Job {
  id: number;
  /** Texts or slices of memories that are not done yet. */
  open: number;
  isSearch: boolean;
  result(): Extract<FromThread, { kind: 'done' }>['result'];
  onDone?: () => void;
}

type JobWindow = WindowTask & { job: Job; isAlone?: false };
type JobSlice = Unit & { job: Job; isAlone: true; run: () => void };
type JobUnit = JobWindow | JobSlice;
type JobWork = Work<JobUnit> & { job: Job };

if (!parentPort) throw new Error('worker.ts must run in a worker thread');
const port = parentPort;
const data = workerData as ThreadData;
const gate = createExitGate(data.gate);
const jobs = new Map<number, Job>();
const closing = new AbortController();
/** Requests that are sent side by side come back side by side: a pause as long as this ends a group. */
const MORE_WITHIN_MS = 4;
const LONGEST_WAIT_MS = 12;
/** People who search do so again within this time. */
const SEARCHING_MS = 1_000;
const hold = createSearchHold();
let wake = Promise.withResolvers<void>();
let lastQueryAt = -Infinity;

const loaded = await load().catch((error: unknown) => {
  post({ kind: 'unloadable', problem: messageOf(error) });
});
if (loaded) {
  const { engine, problem } = loaded;
  listen(loaded);
  post({ kind: 'ready', engine: engine.name, ...problem });
  await work(loaded);
  await engine.release();
}
port.close();

type Loaded = Awaited<ReturnType<typeof load>>;

async function load() {
  const { engine, ...problem } = await gate.pass(() => loadEngine(data.addon));
  const tokenize = createTokenizer(await readVocabulary());
  const schedule = createSchedule<JobWork, JobUnit>();
  return { engine, tokenize, schedule, problem };
}

type WorkSchedule = ReturnType<typeof createSchedule<JobWork, JobUnit>>;

function listen(parts: Loaded): void {
  port.on('message', (message: ToThread) => {
    if (message.kind === 'request') accept(message.id, message.request, parts);
    else if (message.kind === 'cancel') cancel(message.id, parts.schedule);
    else closing.abort();
    wake.resolve();
  });
}

function accept(id: number, request: Request, parts: Loaded): void {
  if (request.kind === 'rerank' || request.priority === 'query') lastQueryAt = performance.now();
  if (request.kind === 'encode') acceptTexts(id, request, parts);
  else acceptMemories(id, request, parts.schedule);
}

function acceptTexts(
  id: number,
  { orgId, texts, priority, isForTokens, isReranked }: EncodeRequest,
  { engine, tokenize, schedule }: Loaded,
): void {
  const tasks: TextTask[] = [];
  const job: Job = {
    id,
    open: texts.length,
    isSearch: priority === 'query',
    result: () => texts.map((_, at) => tasks[at]?.result ?? NOT_ENCODED),
    ...(isReranked && { onDone: () => hold.begin() }),
  };
  if (texts.length === 0 || (isForTokens && engine.tokenDimensions === 0)) return finish(job);
  jobs.set(id, job);
  const most = priority === 'query' ? MAX_QUERY_TEXT_TOKENS : MAX_TEXT_TOKENS;
  for (const [at, text] of texts.entries()) {
    const open = () => {
      const task = createTextTask(tokenize(text, most), engine.tokenDimensions);
      tasks[at] = task;
      return task.windows.map((window) => Object.assign(window, { job }));
    };
    schedule.add(priority, { orgId, job, characters: text.length, open });
  }
}

/** Re-ranking is part of a search, so it has the priority of queries. */
function acceptMemories(
  id: number,
  { orgId, query, weights, memories }: RerankRequest,
  schedule: WorkSchedule,
): void {
  const slices = sliceMemories(memories);
  const scores: (number | null)[] = [];
  const job: Job = {
    id,
    open: slices.length,
    isSearch: true,
    result: () => scores,
    onDone: () => hold.end(),
  };
  if (slices.length === 0) return finish(job);
  jobs.set(id, job);
  const open = () => {
    const score = createScore(query, weights);
    return slices.map(({ from, to }): JobSlice => {
      const run = () => void scores.splice(from, to - from, ...memories.slice(from, to).map(score));
      return { job, width: 0, isAlone: true, run };
    });
  };
  schedule.add('query', { orgId, job, characters: 0, open });
}

function cancel(id: number, schedule: WorkSchedule): void {
  jobs.delete(id);
  schedule.drop(({ job }) => job.id === id);
}

async function work({ engine, schedule }: Loaded): Promise<void> {
  let last = 0;
  while (!closing.signal.aborted) {
    // Let messages in, so that a query that has just arrived goes next.
    await setImmediate();
    const restMs = schedule.hasQueries() ? 0 : hold.restMs();
    if (restMs > 0) {
      await isWokenWithin(restMs);
      continue;
    }
    // Someone who writes one text after another has nothing to wait for.
    if (last > 1) await waitForMore(schedule);
    const isBesideQueries = performance.now() - lastQueryAt < SEARCHING_MS;
    const batch = schedule.takeBatch(
      isBesideQueries ? MAX_BATCH_TOKENS_BESIDE_QUERIES : MAX_BATCH_TOKENS,
    );
    if (batch.length > 0) {
      last = batch.length;
      await runBatch(batch, engine, schedule);
      if (!batch[0]?.job.isSearch) hold.noteOthers();
    } else {
      await wake.promise;
      wake = Promise.withResolvers();
    }
  }
}

/** Waits until a batch is full, a query arrives, or no more texts do. One pass for many is far cheaper. */
async function waitForMore(schedule: WorkSchedule): Promise<void> {
  const until = performance.now() + LONGEST_WAIT_MS;
  while (schedule.hasRoomForMore() && performance.now() < until && !closing.signal.aborted) {
    if (!(await isWokenWithin(MORE_WITHIN_MS))) return;
  }
}

function isWokenWithin(ms: number): Promise<boolean> {
  wake = Promise.withResolvers();
  return Promise.race([wake.promise.then(() => true), sleep(ms, false)]);
}

async function runBatch(batch: JobUnit[], engine: Engine, schedule: WorkSchedule): Promise<void> {
  try {
    const windows: JobWindow[] = [];
    for (const unit of batch) {
      if (!unit.isAlone) {
        windows.push(unit);
        continue;
      }
      unit.run();
      finishPart(unit.job);
    }
    if (windows.length === 0) return;
    const outputs = await gate.pass(() => engine.run(windows));
    windows.forEach((window, at) => {
      if (window.finish(outputs[at] as EngineOutput)) finishPart(window.job);
    });
  } catch (error) {
    for (const { job } of batch) {
      if (jobs.has(job.id)) post({ kind: 'failed', id: job.id, problem: messageOf(error) });
      cancel(job.id, schedule);
    }
  }
}

function finishPart(job: Job): void {
  job.open--;
  if (job.open === 0 && jobs.delete(job.id)) finish(job);
}

function finish(job: Job): void {
  job.onDone?.();
  post({ kind: 'done', id: job.id, result: job.result() });
}

function post(message: FromThread): void {
  port.postMessage(message);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
