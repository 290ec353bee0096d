import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Bus, Channel } from './bus.ts';
import type { LocalBus } from './local-bus.ts';

const NAME = 'atrium_bus';
/** NOTIFY takes a lock on the whole database: however many commits there are, few of these are sent. */
const NOTIFY_EVERY_MS = 10;
/** PostgreSQL takes less than 8,000. */
const MOST_BYTES = 7_900;
/** What waits for a connection. Beyond that the others are told that they missed something, not what. */
const MOST_OWED = 5_000;
const GAP = '!';
const TIMEOUT_MS = 5_000;
const CHECK_EVERY_MS = 30_000;
const RECONNECT_MS = { first: 250, cap: 10_000 };

/**
 * Tells this process at once and the others by NOTIFY, on the one connection that also listens: never
 * in the writing transaction, whose commit would then queue behind every other such commit.
 */
export function createPostgresBus(url: string, local: LocalBus, log: Logger): Bus {
  const origin = randomUUID();
  const closing = new AbortController();
  const owed = new Set<string>();
  let client: pg.Client | undefined;
  let isSending = false;

  function owe(line: string): void {
    if (owed.size >= MOST_OWED) {
      owed.clear();
      owed.add(GAP);
    }
    owed.add(line);
  }

  function notify(lines: readonly string[]): Promise<unknown> | undefined {
    const payloads = packed(lines).map((text) => `${origin}\n${text}`);
    return client?.query(`SELECT pg_notify('${NAME}', text) FROM unnest($1::text[]) AS text`, [
      payloads,
    ]);
  }

  async function sendOwed(): Promise<void> {
    if (isSending) return;
    isSending = true;
    while (owed.size > 0) {
      if (!client) break; // The next connection sends them.
      const lines = [...owed];
      owed.clear();
      try {
        await notify(lines);
      } catch {
        for (const line of lines) owe(line);
        break;
      }
      await sleep(NOTIFY_EVERY_MS);
    }
    isSending = false;
  }

  function receive(payload = ''): void {
    const [from, ...lines] = payload.split('\n');
    if (from === origin) return;
    for (const line of lines) {
      const at = line.indexOf(' ');
      if (line === GAP) local.gap();
      else local.publish(line.slice(0, at) as Channel, line.slice(at + 1));
    }
  }

  async function keepListening(): Promise<void> {
    let failures = 0;
    while (!closing.signal.aborted) {
      const error = await listen(() => {
        failures = 0;
      });
      if (closing.signal.aborted) return;
      log.warn(
        { err: error },
        'not listening to other processes: jobs are found by polling meanwhile, and pages hear late',
      );
      const step = Math.min(RECONNECT_MS.cap, RECONNECT_MS.first * 2 ** failures++);
      const pause = step * (0.5 + Math.random() / 2);
      await sleep(pause, undefined, { signal: closing.signal }).catch(() => {});
    }
  }

  /** Listens on a new connection until it breaks or is closed; returns why. */
  async function listen(onListening: () => void): Promise<unknown> {
    const fresh = connection(url);
    let check: NodeJS.Timeout | undefined;
    let reason: unknown;
    fresh.on('error', (error) => (reason ??= error));
    fresh.on('notification', ({ payload }) => receive(payload));
    try {
      await fresh.connect();
      await fresh.query(`LISTEN ${NAME}`);
      if (closing.signal.aborted) return undefined;
      const ended = once(fresh, 'end');
      client = fresh;
      onListening();
      log.debug('listening to other processes');
      local.gap(); // For what was said while nobody listened.
      void sendOwed();
      // A connection that died without a word, as in a failover, shows only when it is asked something.
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
    publish(channel, line) {
      local.publish(channel, line);
      // Of the same line said twice within ten milliseconds, once is enough.
      owe(`${channel} ${line}`);
      void sendOwed();
    },
    async close() {
      closing.abort();
      if (owed.size > 0) void notify([...owed])?.catch(() => {});
      await client?.end();
    },
  };
}

/** As few texts as the lines fit into. */
function packed(lines: readonly string[]): string[] {
  const texts: string[] = [];
  let size = Infinity;
  for (const line of lines) {
    const bytes = Buffer.byteLength(line) + 1;
    if (size + bytes > MOST_BYTES - 40) {
      texts.push(line);
      size = bytes;
    } else {
      texts.push(`${texts.pop() ?? ''}\n${line}`);
      size += bytes;
    }
  }
  return texts;
}

function connection(url: string): pg.Client {
  // Pipelined, a question that is not answered in time breaks the connection, and we make another.
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
