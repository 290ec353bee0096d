import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Bus } from './bus.ts';
import type { LocalBus } from './local-bus.ts';
import { createLineQueue } from './line-queue.ts';

const NAME = 'atrium_bus';
/** PostgreSQL's limit is 8,000. */
const MAX_BYTES = 7_900;
const TIMEOUT_MS = 5_000;
const CHECK_EVERY_MS = 30_000;
const RECONNECT_MS = { first: 250, cap: 10_000 };

/**
 * Delivers to this process at once, and to others by NOTIFY on the connection that also listens. Never in
 * the writing transaction, whose commit would then wait for every other such commit.
 */
export function createPostgresBus(url: string, local: LocalBus, log: Logger): Bus {
  const closing = new AbortController();
  let client: pg.Client | undefined;
  // NOTIFY locks the whole database: one statement carries all lines that wait.
  const queue = createLineQueue(local, {
    isReady: () => client !== undefined,
    async send(lines) {
      const payloads = packed(lines).map((some) => queue.textOf(some));
      const statement = `SELECT pg_notify('${NAME}', text) FROM unnest($1::text[]) AS text`;
      await client?.query(statement, [payloads]);
    },
  });

  async function keepListening(): Promise<void> {
    let failures = 0;
    while (!closing.signal.aborted) {
      const error = await listen(() => {
        failures = 0;
      });
      if (closing.signal.aborted) return;
      log.warn(
        { err: error },
        'lost the connection to other processes; jobs are polled and live updates may be delayed',
      );
      const step = Math.min(RECONNECT_MS.cap, RECONNECT_MS.first * 2 ** failures++);
      const pause = step * (0.5 + Math.random() / 2);
      await sleep(pause, undefined, { signal: closing.signal }).catch(() => {});
    }
  }

  /** Listens on a new connection until it ends; returns the reason. */
  async function listen(onListening: () => void): Promise<unknown> {
    const fresh = connection(url);
    let check: NodeJS.Timeout | undefined;
    let reason: unknown;
    fresh.on('error', (error) => (reason ??= error));
    fresh.on('notification', ({ payload = '' }) => queue.receive(payload));
    try {
      await fresh.connect();
      await fresh.query(`LISTEN ${NAME}`);
      if (closing.signal.aborted) return undefined;
      const ended = once(fresh, 'end');
      client = fresh;
      onListening();
      log.debug('listening to other processes');
      local.gap(); // Lines may have been missed while not listening.
      void queue.sendQueued();
      // A connection that was lost silently, as in a failover, is only noticed when it is used.
      check = setInterval(() => void fresh.query('SELECT 1').catch(() => {}), CHECK_EVERY_MS);
      await ended;
      return reason;
    } catch (error) {
      return error;
    } finally {
      clearInterval(check);
      client = undefined;
      void fresh.end().catch(() => {});
    }
  }

  void keepListening();
  return {
    ...local,
    publish: queue.publish,
    async close() {
      closing.abort();
      void queue.sendRest(); // It is ahead of the connection's end.
      await client?.end();
    },
  };
}

/** Packs the lines into as few texts as possible. */
function packed(lines: readonly string[]): string[][] {
  const texts: string[][] = [];
  let size = Infinity;
  for (const line of lines) {
    const bytes = Buffer.byteLength(line) + 1;
    if (size + bytes > MAX_BYTES - 40) {
      texts.push([line]);
      size = bytes;
    } else {
      texts.at(-1)?.push(line);
      size += bytes;
    }
  }
  return texts;
}

function connection(url: string): pg.Client {
  // With pipelining, a query that times out ends the connection, and a new one is opened.
  const config: pg.ClientConfig & { pipeline: boolean } = {
    connectionString: url,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    keepAlive: true,
    pipeline: true,
    application_name: 'atrium bus',
  };
  return new pg.Client(config);
}
