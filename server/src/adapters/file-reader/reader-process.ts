import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { setPriority, tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { ReaderLimits } from './limits.ts';
import type { FromChild, ToChild } from './protocol.ts';

/** Zeros if the system doesn't say. */
export interface ProcessUse {
  memoryBytes: number;
  /** Since it was started. */
  processorMs: number;
}

export interface ReaderProcess {
  /** Rejects if it could not be started. */
  ready: Promise<void>;
  isAlive(): boolean;
  /** One listener at a time. */
  listen(onMessage: (message: FromChild) => void): void;
  send(message: ToChild): void;
  /** Until the returned function is called. */
  watch(events: { onExit: () => void; onUse: (use: ProcessUse) => void }): () => void;
  use(): Promise<ProcessUse>;
  kill(): void;
}

const PROGRAM = new URL('child/main.ts', import.meta.url);
const LOOK_EVERY_MS = 100;
const STARTS_WITHIN_MS = 60_000;
const KIBIBYTE = 1024;
/** Linux counts in hundredths of a second, on every architecture. */
const TICK_MS = 10;

export interface ProcessOptions {
  limits: ReaderLimits;
  /** From 0 to 19: how much it yields to others. */
  niceness: number;
  program?: URL | undefined;
}

export function startProcess({ limits, niceness, program }: ProcessOptions): ReaderProcess {
  const flags = [
    `--max-old-space-size=${limits.heapMegabytes}`,
    '--disallow-code-generation-from-strings',
  ];
  // No environment: it contains the server's secrets, and NODE_OPTIONS.
  const child = spawn(process.execPath, [...flags, fileURLToPath(program ?? PROGRAM)], {
    env: {},
    cwd: tmpdir(),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
  let listener: ((message: FromChild) => void) | undefined;
  let hasExited = false;
  const ready = Promise.withResolvers<void>();
  // Whoever waits for it sees the rejection.
  ready.promise.catch(() => {});
  const late = setTimeout(() => child.kill('SIGKILL'), STARTS_WITHIN_MS);
  const watchers = new Set<() => void>();
  const onEnd = () => {
    hasExited = true;
    clearTimeout(late);
    ready.reject(new Error('the process that reads files could not be started'));
    for (const onExit of watchers) onExit();
  };
  child.on('message', (message: FromChild) => {
    if (message.kind !== 'ready') return listener?.(message);
    clearTimeout(late);
    ready.resolve();
  });
  child.on('exit', onEnd);
  child.on('error', onEnd);
  yieldToOthers(child.pid, niceness);

  async function use(): Promise<ProcessUse> {
    const [status = '', stat = ''] = await Promise.all(
      ['status', 'stat'].map((name) =>
        readFile(`/proc/${child.pid}/${name}`, 'utf8').catch(() => ''),
      ),
    );
    const memoryBytes = Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) * KIBIBYTE;
    // Behind the name, which may contain anything. Its own ticks and the kernel's for it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
    return { memoryBytes, processorMs: ticks * TICK_MS };
  }

  return {
    ready: ready.promise,
    isAlive: () => !hasExited,
    listen: (onMessage) => void (listener = onMessage),
    send: (message) => void (child.connected && child.send(message, () => {})),
    watch({ onExit, onUse }) {
      // While there is work, its result keeps the server alive.
      child.ref();
      child.channel?.ref();
      watchers.add(onExit);
      const timer = setInterval(() => void use().then(onUse), LOOK_EVERY_MS);
      if (hasExited) onExit();
      return () => {
        clearInterval(timer);
        watchers.delete(onExit);
        child.unref();
        child.channel?.unref();
      };
    },
    use,
    kill: () => void child.kill('SIGKILL'),
  };
}

/** Files are never worth a slow answer, or the server's life when memory runs out. */
function yieldToOthers(pid: number | undefined, niceness: number): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, niceness);
  } catch {
    // It has ended already.
  }
  writeFile(`/proc/${pid}/oom_score_adj`, '1000').catch(() => {});
}
