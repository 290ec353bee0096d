import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus, Channel } from './bus.ts';
import type { LocalBus } from './local-bus.ts';

/** How many lines wait for a connection. Beyond that, other processes only hear that they missed some. */
const MAX_QUEUED = 5_000;
/** Lines are collected and sent together. */
const SEND_EVERY_MS = 10;
const GAP = '!';

/** A connection to other processes. */
export interface Sender {
  isReady: () => boolean;
  send: (lines: readonly string[]) => Promise<unknown>;
}

/** The lines for other processes that wait to be sent, and how texts with such lines are written and read. */
export interface LineQueue {
  /** Delivers to this process at once, and to others soon. */
  publish: Bus['publish'];
  /** For a connection that has become ready. */
  sendQueued(): Promise<void>;
  /** For a connection that is about to close: once, and without an error. */
  sendRest(): Promise<void>;
  textOf(lines: readonly string[]): string;
  /** Passes on the lines of another process's text. */
  receive(text: string): void;
}

export function createLineQueue(local: LocalBus, { isReady, send }: Sender): LineQueue {
  const origin = randomUUID();
  // A set drops a line that is already queued.
  const queued = new Set<string>();
  let isSending = false;

  function enqueue(line: string): void {
    if (queued.size >= MAX_QUEUED) {
      queued.clear();
      queued.add(GAP);
    }
    queued.add(line);
  }

  function takeAll(): string[] {
    const lines = [...queued];
    queued.clear();
    return lines;
  }

  async function sendQueued(): Promise<void> {
    if (isSending) return;
    isSending = true;
    while (queued.size > 0 && isReady()) {
      const lines = takeAll();
      try {
        await send(lines);
      } catch {
        lines.forEach(enqueue); // The next connection will send them.
        break;
      }
      await sleep(SEND_EVERY_MS);
    }
    isSending = false;
  }

  return {
    publish(channel, line) {
      local.publish(channel, line);
      enqueue(`${channel} ${line}`);
      void sendQueued();
    },
    sendQueued,
    async sendRest() {
      if (queued.size > 0 && isReady()) await send(takeAll()).catch(() => {});
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
