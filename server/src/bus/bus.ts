import { EventEmitter } from 'node:events';
import type { Logger } from 'pino';
import { createPostgresBus } from './postgres-bus.ts';

export type Channel = 'jobs' | 'live';

/** Carries short lines between the parts of this process and to all others. What it says is a hint: lines get lost. */
export interface Bus {
  /** Here at once, elsewhere some ten milliseconds later. Never throws and never waits: it is called after commits. */
  publish(channel: Channel, line: string): void;
  /** Returns how to stop listening. */
  subscribe(channel: Channel, listener: (line: string) => void): () => void;
  /** Calls when lines of other processes may have been missed. */
  onGap(listener: () => void): () => void;
  /** Sends what is still to be sent, then lets go of the connection. */
  close(): Promise<void>;
}

/** `url` must reach PostgreSQL itself: LISTEN needs a session. Without one there is only this process. */
export function createBus(url: string | undefined, log: Logger): Bus {
  const local = createLocalBus();
  return url === undefined ? local : createPostgresBus(url, local, log);
}

export interface LocalBus extends Bus {
  /** Says that lines may have been missed. */
  gap(): void;
}

/** All that the embedded database needs, which belongs to one process. */
function createLocalBus(): LocalBus {
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
