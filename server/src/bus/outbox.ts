import { randomUUID } from 'node:crypto';
import type { Channel } from './bus.ts';
import type { LocalBus } from './local-bus.ts';

/** How many lines wait for a connection. Beyond that, other processes only hear that they missed some. */
const MAX_QUEUED = 5_000;
const GAP = '!';

/** The lines for other processes that wait to be sent, and how texts with such lines are written and read. */
export interface Outbox {
  readonly isEmpty: boolean;
  add(channel: Channel, line: string): void;
  /** All that wait. They are no longer here afterwards. */
  take(): string[];
  putBack(lines: readonly string[]): void;
  textOf(lines: readonly string[]): string;
  /** Passes on the lines of another process's text. */
  receive(text: string): void;
}

export function createOutbox(local: LocalBus): Outbox {
  const origin = randomUUID();
  // A set drops a line that is already queued.
  const queued = new Set<string>();

  function enqueue(line: string): void {
    if (queued.size >= MAX_QUEUED) {
      queued.clear();
      queued.add(GAP);
    }
    queued.add(line);
  }

  return {
    get isEmpty() {
      return queued.size === 0;
    },
    add: (channel, line) => enqueue(`${channel} ${line}`),
    take() {
      const lines = [...queued];
      queued.clear();
      return lines;
    },
    putBack(lines) {
      for (const line of lines) enqueue(line);
    },
    textOf: (lines) => [origin, ...lines].join('\n'),
    receive(text) {
      const [from, ...lines] = text.split('\n');
      if (from === origin) return;
      for (const line of lines) {
        const at = line.indexOf(' ');
        if (line === GAP) local.gap();
        else local.publish(line.slice(0, at) as Channel, line.slice(at + 1));
      }
    },
  };
}
