/** The thread that holds the model. All that takes time happens here, never on the event loop of requests. */
import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Engine } from './engine.ts';
import { createExitGate } from './exit-gate.ts';
import { loadEngine } from './load-engine.ts';
import type { EncodeRequest, FromThread, Request, ThreadData, ToThread } from './messages.ts';
import { readVocabulary } from './model-files.ts';
import { scoreMemories } from './rerank.ts';
import { createSchedule } from './schedule.ts';
import { createTextTask, type TextTask, type WindowTask } from './text-task.ts';
import { createTokenizer } from './tokenizer.ts';

interface Job {
  id: number;
  open: number;
  tasks: TextTask[];
}

interface WaitingText {
  job: Job;
  at: number;
  text: string;
}

type JobWindow = WindowTask & { job: Job };

if (!parentPort) throw new Error('this file is for a worker thread');
const port = parentPort;
const data = workerData as ThreadData;
const gate = createExitGate(data.gate);
const jobs = new Map<number, Job>();
const closing = new AbortController();
let wake = Promise.withResolvers<void>();

const loaded = await load().catch((error: unknown) => {
  post({ kind: 'unloadable', problem: messageOf(error) });
});
if (loaded) {
  listen(loaded.engine, loaded.schedule);
  post({ kind: 'ready', engine: loaded.engine.name, ...loaded.problem });
  await work(loaded.engine, loaded.schedule);
  await loaded.engine.release();
}
port.close();

async function load() {
  const { engine, problem } = await gate.pass(() => loadEngine(data.addon));
  const tokenize = createTokenizer(await readVocabulary());
  const schedule = createSchedule<WaitingText, JobWindow>(({ job, at, text }) => {
    const task = createTextTask(tokenize(text), engine.tokenDimensions);
    job.tasks[at] = task;
    return task.windows.map((window) => Object.assign(window, { job }));
  });
  return { engine, schedule, problem: problem === undefined ? {} : { problem } };
}

type WorkSchedule = ReturnType<typeof createSchedule<WaitingText, JobWindow>>;

function listen(engine: Engine, schedule: WorkSchedule): void {
  port.on('message', (message: ToThread) => {
    if (message.kind === 'request') accept(message.id, message.request, engine, schedule);
    else if (message.kind === 'cancel') cancel(message.id, schedule);
    else closing.abort();
    wake.resolve();
  });
}

function accept(id: number, request: Request, engine: Engine, schedule: WorkSchedule): void {
  if (request.kind === 'encode') return acceptTexts(id, request, engine, schedule);
  try {
    const { query, weights, memories } = request;
    post({ kind: 'done', id, result: scoreMemories(query, weights, memories) });
  } catch (error) {
    post({ kind: 'failed', id, problem: messageOf(error) });
  }
}

function acceptTexts(
  id: number,
  { texts, priority, isForTokens }: EncodeRequest,
  engine: Engine,
  schedule: WorkSchedule,
): void {
  if (texts.length === 0 || (isForTokens && engine.tokenDimensions === 0)) {
    const result = texts.map(() => ({ vector: null, tokens: null, words: [] }));
    return post({ kind: 'done', id, result });
  }
  const job: Job = { id, open: texts.length, tasks: [] };
  jobs.set(id, job);
  texts.forEach((text, at) => schedule.add(priority, { job, at, text }));
}

function cancel(id: number, schedule: WorkSchedule): void {
  jobs.delete(id);
  schedule.drop(
    ({ job }) => job.id === id,
    ({ job }) => job.id === id,
  );
}

async function work(engine: Engine, schedule: WorkSchedule): Promise<void> {
  while (!closing.signal.aborted) {
    // Lets messages in, so that a query that came meanwhile is next.
    await setImmediate();
    const batch = schedule.takeBatch();
    if (batch.length > 0) {
      await runBatch(batch, engine, schedule);
    } else {
      await wake.promise;
      wake = Promise.withResolvers();
    }
  }
}

async function runBatch(batch: JobWindow[], engine: Engine, schedule: WorkSchedule): Promise<void> {
  try {
    const outputs = await gate.pass(() => engine.run(batch));
    outputs.forEach((output, at) => finishWindow(batch[at] as JobWindow, output));
  } catch (error) {
    for (const { job } of batch) {
      if (jobs.has(job.id)) post({ kind: 'failed', id: job.id, problem: messageOf(error) });
      cancel(job.id, schedule);
    }
  }
}

function finishWindow(window: JobWindow, output: Parameters<WindowTask['finish']>[0]): void {
  const { job } = window;
  if (!window.finish(output)) return;
  job.open--;
  if (job.open > 0 || !jobs.delete(job.id)) return;
  const result = job.tasks.map((task) => task.result ?? { vector: null, tokens: null, words: [] });
  post({ kind: 'done', id: job.id, result });
}

function post(message: FromThread): void {
  port.postMessage(message);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
