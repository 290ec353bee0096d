import { CallFailed, type Limits } from './safe-fetch.ts';

export type OutgoingCall = ReturnType<typeof startCall>;

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** One call with its redirects: when it must stop, and what to release then. */
export function startCall(limits: Limits, callerSignal?: AbortSignal | null) {
  const controller = new AbortController();
  const { signal } = controller;
  const releases: (() => void)[] = [];
  let isOver = false;

  /** Also stops what is still running. */
  function end(reason: unknown = new CallFailed('closed', 'the call is over')): void {
    if (isOver) return;
    isOver = true;
    controller.abort(reason);
    for (const release of releases) release();
  }

  const startMs = Math.min(limits.headersMs, limits.totalMs);
  const toStart = timer(startMs, () =>
    end(new CallFailed('timeout', `no response within ${seconds(startMs)}`)),
  );
  const toFinish = timer(limits.totalMs, () =>
    end(
      new CallFailed('timeout', `the response was not complete within ${seconds(limits.totalMs)}`),
    ),
  );
  const onCallerAbort = () => end(callerSignal?.reason);
  releases.push(() => {
    clearTimeout(toStart);
    clearTimeout(toFinish);
    callerSignal?.removeEventListener('abort', onCallerAbort);
  });
  callerSignal?.addEventListener('abort', onCallerAbort);
  if (callerSignal?.aborted) onCallerAbort();

  return {
    limits,
    /** Aborted at the timeout, by the caller, or on close. The caller gets its reason. */
    signal,
    /** Called when the last response's headers have arrived. From then on only `totalMs` counts. */
    headersIn: () => clearTimeout(toStart),
    /** Runs `release` when the call ends for any reason, or at once if it has ended. */
    onEnd(release: () => void): void {
      if (isOver) release();
      else releases.push(release);
    },
    end,
  };
}

function timer(ms: number, onTime: () => void): NodeJS.Timeout | undefined {
  // A longer timer would fire at once.
  return Number.isFinite(ms) ? setTimeout(onTime, Math.min(ms, LONGEST_TIMER_MS)) : undefined;
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
