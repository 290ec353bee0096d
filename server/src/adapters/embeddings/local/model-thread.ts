import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { createExitGate, createGateMemory } from './exit-gate.ts';
import { NATIVE_ADDON } from './load-engine.ts';
import type {
  EncodeRequest,
  Encoded,
  FromThread,
  RerankRequest,
  Request,
  Scores,
  ThreadData,
  ToThread,
} from './messages.ts';

export interface ThreadOptions {
  /** For tests: a module to load instead of the native addon. */
  addon?: string;
  /** For tests: called with each new thread. */
  onStart?: (thread: Worker) => void;
}

interface PendingRequest {
  request: Request;
  resolve(result: Encoded | Scores | undefined): void;
  reject(reason: unknown): void;
  wasRetried: boolean;
}

interface Running {
  worker: Worker;
  ready: PromiseWithResolvers<void>;
  exited: Promise<unknown>;
}

/** Pause after the model failed to load: long enough to be cheap, short enough for an operator fixing it. */
const RELOAD_AFTER_MS = 10_000;
/** A run takes a tenth of a second, on a busy machine several. */
const RUN_ENDS_WITHIN_MS = 5_000;

/**
 * One thread with the model, started by the first request. If it dies, its requests move to a new one, but
 * only once: a text that kills the thread must not kill every later one.
 */
export function createModelThread(log: Logger, options: ThreadOptions = {}) {
  const pending = new Map<number, PendingRequest>();
  let running: Running | undefined;
  let lastId = 0;
  let unloadable: { at: number; problem: string } | undefined;
  let hasWarned = false;
  let isClosed = false;

  function start(): Running {
    // onnxruntime would record its use in the home folder and send it to its makers. The variable is read
    // natively, so a copy of the environment in the thread would not do.
    process.env['ORT_DISABLE_TELEMETRY'] = '1';
    const gate = createGateMemory();
    const data: ThreadData = { addon: options.addon ?? NATIVE_ADDON, gate };
    const worker = new Worker(new URL('worker.ts', import.meta.url), { workerData: data });
    const ready = Promise.withResolvers<void>();
    // Callers of warmUp() see the rejection. Without one, it must not be an unhandled rejection.
    ready.promise.catch(() => {});
    const exited = new Promise((resolve) => void worker.once('exit', resolve));
    const started: Running = { worker, ready, exited };
    worker.on('message', (message: FromThread) => receive(message, started));
    worker.on('error', (error) => log.error({ err: error }, 'embedding thread failed'));
    const onProcessExit = () => createExitGate(gate).shut(RUN_ENDS_WITHIN_MS);
    process.once('exit', onProcessExit);
    worker.once('exit', () => {
      process.off('exit', onProcessExit);
      onExit(started);
    });
    worker.unref();
    options.onStart?.(worker);
    return started;
  }

  function receive(message: FromThread, from: Running): void {
    if (message.kind === 'ready') {
      unloadable = undefined;
      if (message.problem !== undefined && !hasWarned) {
        log.warn(
          { problem: message.problem },
          'onnxruntime could not be loaded; embedding is slow and results are not re-ranked',
        );
        hasWarned = true;
      }
      from.ready.resolve();
    } else if (message.kind === 'unloadable') {
      unloadable = { at: performance.now(), problem: message.problem };
      from.ready.reject(new Error(`could not load the embedding model: ${message.problem}`));
    } else if (message.kind === 'done') {
      settle(message.id, (entry) => entry.resolve(message.result));
    } else {
      log.error({ problem: message.problem }, 'the embedding model failed');
      settle(message.id, (entry) => entry.resolve(undefined));
    }
  }

  function onExit(exited: Running): void {
    exited.ready.reject(new Error('the embedding thread ended'));
    if (running === exited) running = undefined;
    if (isClosed) return;
    for (const [id, entry] of pending) {
      if (entry.wasRetried || unloadable) {
        log.error(
          { problem: unloadable?.problem ?? 'the thread ended twice' },
          'could not encode texts',
        );
        settle(id, () => entry.resolve(undefined));
      } else {
        entry.wasRetried = true;
        send(id, entry.request);
      }
    }
  }

  function send(id: number, request: Request): void {
    running ??= start();
    // Keep the process alive while requests are waiting, but not while the model is idle.
    running.worker.ref();
    running.worker.postMessage({ kind: 'request', id, request } satisfies ToThread, []);
  }

  function settle(id: number, act: (entry: PendingRequest) => void): void {
    const entry = pending.get(id);
    if (!entry) return;
    pending.delete(id);
    if (pending.size === 0) running?.worker.unref();
    act(entry);
  }

  async function submit(request: Request, signal?: AbortSignal): Promise<unknown> {
    if (isClosed) throw new Error('the text encoder is closed');
    signal?.throwIfAborted();
    if (unloadable && performance.now() - unloadable.at < RELOAD_AFTER_MS) return undefined;
    unloadable = undefined;
    const id = ++lastId;
    const { promise, resolve, reject } = Promise.withResolvers<Encoded | Scores | undefined>();
    pending.set(id, { request, resolve, reject, wasRetried: false });
    const onAbort = () =>
      settle(id, () => {
        running?.worker.postMessage({ kind: 'cancel', id } satisfies ToThread, []);
        reject(signal?.reason);
      });
    signal?.addEventListener('abort', onAbort, { once: true });
    send(id, request);
    return promise.finally(() => signal?.removeEventListener('abort', onAbort));
  }

  return {
    /** Undefined if the thread failed, which is logged. Rejects with the signal's reason. */
    encode: (request: EncodeRequest, signal?: AbortSignal) =>
      submit(request, signal) as Promise<Encoded | undefined>,
    rerank: (request: RerankRequest, signal?: AbortSignal) =>
      submit(request, signal) as Promise<Scores | undefined>,
    /** Resolves once the model is loaded. */
    async warmUp() {
      if (isClosed) throw new Error('the text encoder is closed');
      running ??= start();
      const { worker, ready } = running;
      worker.ref();
      await ready.promise.finally(() => pending.size === 0 && worker.unref());
    },
    async close() {
      isClosed = true;
      for (const id of pending.keys()) {
        settle(id, (entry) => entry.reject(new Error('the text encoder is closed')));
      }
      if (!running) return;
      const { worker, exited } = running;
      worker.ref();
      worker.postMessage({ kind: 'close' } satisfies ToThread, []);
      // Not terminate(): during a run it would abort the process.
      const late = sleep(RUN_ENDS_WITHIN_MS, undefined, { ref: false });
      await Promise.race([exited, late]);
      worker.unref();
    },
  };
}
