/**
 * onnxruntime aborts the whole process where its thread is ended in the middle of a run. So the thread
 * passes this gate before each, and who ends the process shuts it and waits for the run under way.
 */
export interface ExitGate {
  /** For the thread, around what must not be interrupted. Never resolves once the gate is shut. */
  pass<T>(work: () => Promise<T>): Promise<T>;
  /** For the main thread, which it blocks: only for the very end. */
  shut(maxMs: number): void;
}

const IS_SHUT = 0;
const IS_BUSY = 1;

export function createExitGate(shared: SharedArrayBuffer): ExitGate {
  const state = new Int32Array(shared);

  function leave(): void {
    Atomics.store(state, IS_BUSY, 0);
    Atomics.notify(state, IS_BUSY);
  }

  return {
    async pass(work) {
      Atomics.store(state, IS_BUSY, 1);
      try {
        if (Atomics.load(state, IS_SHUT) === 1) return await new Promise<never>(leave);
        return await work();
      } finally {
        leave();
      }
    },
    shut(maxMs) {
      Atomics.store(state, IS_SHUT, 1);
      Atomics.wait(state, IS_BUSY, 1, maxMs);
    },
  };
}

export function createGateMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
}
