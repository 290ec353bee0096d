import type { Logger } from 'pino';
import type { ReaderLimits } from './limits.ts';
import type { FromChild, ReadPage, Result, ResultOf, Work } from './protocol.ts';
import { startProcess, type ProcessUse, type ReaderProcess } from './reader-process.ts';

/** The process died at this file, or had to be killed. */
export class ProcessDied extends Error {
  readonly why: 'TIME' | 'STEP' | 'MEMORY' | 'CRASH';
  /** Whether the document had been opened, so that its pages can be tried one by one. */
  readonly wasOpened: boolean;

  constructor(why: ProcessDied['why'], wasOpened: boolean) {
    super(`the process that reads files ended: ${why}`);
    this.name = 'ProcessDied';
    this.why = why;
    this.wasOpened = wasOpened;
  }
}

export interface LaneOptions {
  /** For logs. */
  name: string;
  stepMs: number;
  niceness: number;
  limits: ReaderLimits;
  log: Logger;
  /** For tests: a module to run instead. */
  program?: URL | undefined;
}

export interface RunOptions {
  signal?: AbortSignal | undefined;
  /** How much processor time the work may take. */
  withinMs: number;
  /** Resolves to false if no more pages are wanted. */
  onPage?: (page: ReadPage) => Promise<boolean>;
  onOpened?: (pages: number | null) => void;
  /** How much processor time it took, however it ended. */
  onUsed?: (ms: number) => void;
}

interface Task {
  work: Work;
  options: RunOptions;
  resolve(result: Result): void;
  reject(reason: unknown): void;
}

const CLOSED = new Error('the file reader is closed');

/** Work of one kind, one at a time in the order in which it came, in a process that is replaced when it dies. */
export function createLane(options: LaneOptions) {
  const { name, stepMs, limits, log } = options;
  const waiting: Task[] = [];
  let child: ReaderProcess | undefined;
  let current: Task | undefined;
  let idle: NodeJS.Timeout | undefined;
  let giveUp: ((reason: Error) => void) | undefined;
  let isClosed = false;

  function next(): void {
    if (current) return;
    current = waiting.shift();
    clearTimeout(idle);
    if (current) void perform(current);
    else if (child) idle = setTimeout(stop, limits.idleMs).unref();
  }

  function stop(): void {
    child?.kill();
    child = undefined;
  }

  async function perform(task: Task): Promise<void> {
    try {
      if (!child?.isAlive()) child = startProcess(options);
      // Starting counts neither as reading nor against the file.
      await child.ready;
      if (isClosed) throw CLOSED;
      task.options.signal?.throwIfAborted();
      task.resolve(await converse(child, task));
      // What libraries keep must not count against the next file.
      const left = await child?.use();
      if (left && left.memoryBytes > limits.memoryBytes / 2) stop();
    } catch (error) {
      stop();
      task.reject(isClosed ? CLOSED : error);
    } finally {
      current = undefined;
      next();
    }
  }

  async function converse(process: ReaderProcess, { work, options }: Task): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    promise.catch(() => {});
    giveUp = reject;
    let wasOpened = false;
    let isOver = false;
    const die = (why: ProcessDied['why']) => {
      if (isOver) return;
      log.warn({ lane: name, kind: work.kind, why }, 'file reader process ended, will be replaced');
      reject(new ProcessDied(why, wasOpened));
    };
    const { processorMs: start } = await process.use();
    options.signal?.throwIfAborted();
    let used = start;
    let usedAtStep = start;
    const onUse = (use: ProcessUse) => {
      used = Math.max(used, use.processorMs);
      if (use.memoryBytes > limits.memoryBytes) die('MEMORY');
      else if (used - start > options.withinMs) die('TIME');
      else if (used - usedAtStep > stepMs) die('STEP');
    };
    const stopWatching = process.watch({ onExit: () => die('CRASH'), onUse });
    // For what waits for something that never comes.
    const step = createTimer(stepMs * limits.waitFactor, () => die('STEP'));
    const whole = createTimer(options.withinMs * limits.waitFactor, () => die('TIME'));
    const timers = [step, whole];
    const progressed = () => {
      usedAtStep = used;
      step.restart();
    };
    const onAbort = () => reject(options.signal?.reason);
    options.signal?.addEventListener('abort', onAbort, { once: true });

    async function receive(message: FromChild): Promise<void> {
      if (message.kind === 'ready') return;
      if (message.kind === 'done') resolve(message.result);
      else if (message.kind === 'error') {
        reject(new Error(`could not read a file: ${message.problem}`));
      } else if (message.kind === 'opened') {
        wasOpened = true;
        options.onOpened?.(message.pages);
        progressed();
      } else {
        // The process waits meanwhile, and is not to blame if somebody else takes long.
        for (const timer of timers) timer.pause();
        const isWanted = (await options.onPage?.(message.page)) ?? true;
        // Meanwhile it may have been stopped.
        if (isOver) return;
        for (const timer of timers) timer.resume();
        progressed();
        process.send({ kind: isWanted ? 'stored' : 'stop' });
      }
    }

    process.listen((message) => void receive(message).catch(reject));
    process.send({ kind: 'work', work, limits });
    return promise.finally(() => {
      isOver = true;
      for (const timer of timers) timer.pause();
      stopWatching();
      options.onUsed?.(used - start);
      options.signal?.removeEventListener('abort', onAbort);
    });
  }

  async function run<W extends Work>(work: W, options: RunOptions): Promise<ResultOf<W>> {
    options.signal?.throwIfAborted();
    if (isClosed) throw CLOSED;
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const task: Task = { work, options, resolve, reject };
    const onAbort = () => {
      const at = waiting.indexOf(task);
      if (at === -1) return;
      waiting.splice(at, 1);
      reject(options.signal?.reason);
    };
    options.signal?.addEventListener('abort', onAbort, { once: true });
    waiting.push(task);
    next();
    const result = await promise.finally(() =>
      options.signal?.removeEventListener('abort', onAbort),
    );
    if (result.kind !== work.kind) throw new Error('the file reader answered something else');
    return result as ResultOf<W>;
  }

  return {
    run,
    close() {
      isClosed = true;
      clearTimeout(idle);
      for (const task of waiting.splice(0)) task.reject(CLOSED);
      giveUp?.(CLOSED);
      stop();
    },
  };
}

export type Lane = ReturnType<typeof createLane>;

/** Counts only while it is not paused. */
function createTimer(ms: number, onEnd: () => void) {
  let left = ms;
  let since = 0;
  let timer: NodeJS.Timeout | undefined;
  const resume = () => {
    since = performance.now();
    timer = setTimeout(onEnd, left);
  };
  const pause = () => {
    clearTimeout(timer);
    left = Math.max(0, left - (performance.now() - since));
  };
  resume();
  return {
    pause,
    resume,
    restart() {
      clearTimeout(timer);
      left = ms;
      resume();
    },
  };
}
