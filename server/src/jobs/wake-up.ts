import type { Bus } from '../bus/bus.ts';

/** Tells workers, here and in other processes, that a job was committed. It is a hint: workers poll too. */
export interface WakeUp {
  /** Never throws and never waits: it is called after commits. */
  wake(): void;
  /** Returns how to stop listening. */
  onWake(listener: () => void): () => void;
  /** Lets go of the bus, for who has it for this alone. */
  close(): Promise<void>;
}

export function createWakeUp(bus: Bus): WakeUp {
  return {
    close: () => bus.close(),
    wake: () => bus.publish('jobs', 'wake'),
    onWake(listener) {
      const stops = [bus.subscribe('jobs', () => listener()), bus.onGap(listener)];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}
