const IS_SHUT = 0;
const IS_BUSY = 1;

/**
 * onnxruntime aborts the whole process if its thread is ended during a run. So the thread passes this
 * gate before each run, and the main thread shuts it on exit and waits for the current run.
 */
export function createExitGate(shared: SharedArrayBuffer) {
  const state = new Int32Array(shared);

  function leave(): void {
    Atomics.store(state, IS_BUSY, 0);
    Atomics.notify(state, IS_BUSY);
  }

  return {
    /** For the thread, around work that must not be interrupted. Never resolves once the gate is shut. */
    async pass<T>(work: () => Promise<T>): Promise<T> {
      Atomics.store(state, IS_BUSY, 1);
      try {
        if (Atomics.load(state, IS_SHUT) === 1) return await new Promise<never>(leave);
        return await work();
      } finally {
        leave();
      }
    },
    /** For the main thread, on exit only: it blocks the thread. */
    shut(maxMs: number): void {
      Atomics.store(state, IS_SHUT, 1);
      Atomics.wait(state, IS_BUSY, 1, maxMs);
    },
  };
}

export function createGateMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
}
