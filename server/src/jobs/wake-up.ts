import type { Bus } from '../bus/bus.ts';

/** Tells workers, here and in other processes, that a job was committed. It may get lost; workers also poll. */
export interface WakeUp {
  /** Never throws or waits: it runs after commits. */
  wake(): void;
  /** Returns a function that stops listening. */
  onWake(listener: () => void): () => void;
  /** Closes the bus, if it is used for nothing else. */
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
