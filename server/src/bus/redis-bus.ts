import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Bus } from './bus.ts';
import type { LocalBus } from './local-bus.ts';
import { createLineQueue } from './line-queue.ts';

const TIMEOUT_MS = 5_000;
const CHECK_EVERY_MS = 30_000;
const RECONNECT_MS = { step: 200, cap: 5_000 };

/**
 * Delivers to this process at once, and to others through Redis. Unlike LISTEN it needs no connection to
 * PostgreSQL of its own, so it works behind a pooler.
 */
export function createRedisBus(url: string, local: LocalBus, log: Logger): Bus {
  const publisher = connect(url);
  const subscriber = connect(url);
  // Channels are the same in every database of a Redis, unlike keys.
  const channel = `atrium:bus:${publisher.options.db ?? 0}`;
  const queue = createLineQueue(local, {
    isReady: () => publisher.status === 'ready',
    send: (lines) => publisher.publish(channel, queue.textOf(lines)),
  });
  let isOut = false;

  async function listen(): Promise<void> {
    try {
      await subscriber.subscribe(channel);
    } catch {
      return; // The connection is lost again, and the next one will try.
    }
    if (isOut) log.info('reconnected to other processes');
    isOut = false;
    local.gap(); // Lines may have been missed while not listening.
  }

  function noteOutage(error?: unknown): void {
    if (isOut) return;
    isOut = true;
    log.warn(
      { err: error },
      'lost Redis, which connects this process to others; jobs are polled and live updates may be delayed',
    );
  }

  subscriber.on('message', (_channel, text: string) => queue.receive(text));
  subscriber.on('ready', () => void listen());
  publisher.on('ready', () => void queue.sendQueued());
  for (const connection of [subscriber, publisher]) connection.on('error', noteOutage);
  subscriber.on('close', () => noteOutage());
  // A connection that was lost silently is only noticed when it is used.
  const check = setInterval(() => {
    for (const connection of [subscriber, publisher]) {
      if (connection.status !== 'ready') continue;
      connection.ping().catch(() => connection.disconnect(true));
    }
  }, CHECK_EVERY_MS);
  check.unref();

  return {
    ...local,
    publish: queue.publish,
    async close() {
      clearInterval(check);
      isOut = true; // What follows is no outage.
      subscriber.disconnect();
      await queue.sendRest();
      publisher.disconnect();
    },
  };
}

function connect(url: string): Redis {
  return new Redis(url, {
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    enableOfflineQueue: false,
    autoResubscribe: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * RECONNECT_MS.step, RECONNECT_MS.cap),
  });
}
