import { EventEmitter } from 'node:events';
import type { Bus } from './bus.ts';

export interface LocalBus extends Bus {
  /** Reports that lines may have been missed. */
  gap(): void;
}

/** Enough for the embedded database, which belongs to one process. */
export function createLocalBus(): LocalBus {
  const emitter = new EventEmitter().setMaxListeners(0);
  const on = (name: string, listener: (line: string) => void) => {
    emitter.on(name, listener);
    return () => void emitter.off(name, listener);
  };
  return {
    publish: (channel, line) => void emitter.emit(channel, line),
    subscribe: on,
    gap: () => void emitter.emit('gap'),
    onGap: (listener) => on('gap', listener),
    close: async () => {},
  };
}
