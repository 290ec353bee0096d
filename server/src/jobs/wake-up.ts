import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';

/** Tells workers, here and in other processes, that a job was committed. It is a hint: workers poll too. */
export interface WakeUp {
  /** Never throws and never waits: it is called after commits. */
  wake(): void;
  /** Returns how to stop listening. */
  onWake(listener: () => void): () => void;
  /** Sends what is still to be sent, then lets go of the connection. */
  close(): Promise<void>;
}

/** `url` must reach PostgreSQL itself: LISTEN needs a session. Without one there is only this process to wake. */
export function createWakeUp(url: string | undefined, log: Logger): WakeUp {
  return url === undefined ? createLocalWakeUp() : createPostgresWakeUp(url, log);
}

/** For the embedded database, which belongs to one process. */
function createLocalWakeUp(): WakeUp {
  const emitter = new EventEmitter();
  return {
    wake: () => void emitter.emit('wake'),
    onWake(listener) {
      emitter.on('wake', listener);
      return () => void emitter.off('wake', listener);
    },
    close: async () => {},
  };
}

const CHANNEL = 'atrium_jobs';
/** NOTIFY takes a lock on the whole database: however many commits there are, few of these are sent. */
const NOTIFY_EVERY_MS = 10;
const TIMEOUT_MS = 5_000;
const CHECK_EVERY_MS = 30_000;
const RECONNECT_MS = { first: 250, cap: 10_000 };

/**
 * Wakes this process at once and the others by NOTIFY, on the one connection that also listens: never
 * in the writing transaction, whose commit would then queue behind every other such commit.
 */
function createPostgresWakeUp(url: string, log: Logger): WakeUp {
  const local = createLocalWakeUp();
  const origin = randomUUID();
  const closing = new AbortController();
  let client: pg.Client | undefined;
  let isOwed = false;
  let isSending = false;

  const notify = () => client?.query(`SELECT pg_notify('${CHANNEL}', $1)`, [origin]);

  async function sendOwed(): Promise<void> {
    if (isSending) return;
    isSending = true;
    try {
      while (isOwed) {
        if (!client) break; // The next connection sends it.
        isOwed = false;
        await notify();
        await sleep(NOTIFY_EVERY_MS);
      }
    } catch {
      isOwed = true;
    }
    isSending = false;
  }

  async function keepListening(): Promise<void> {
    let failures = 0;
    while (!closing.signal.aborted) {
      const error = await listen(() => {
        failures = 0;
      });
      if (closing.signal.aborted) return;
      log.warn({ err: error }, 'not listening for jobs: they are found by polling meanwhile');
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
    fresh.on('notification', ({ payload }) => {
      if (payload !== origin) local.wake();
    });
    try {
      await fresh.connect();
      await fresh.query(`LISTEN ${CHANNEL}`);
      if (closing.signal.aborted) return undefined;
      const ended = once(fresh, 'end');
      client = fresh;
      onListening();
      log.debug('listening for jobs');
      local.wake(); // For what was committed while nobody listened.
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
    wake() {
      local.wake();
      isOwed = true;
      void sendOwed();
    },
    async close() {
      closing.abort();
      if (isOwed) void notify()?.catch(() => {});
      await client?.end();
    },
  };
}

function connection(url: string): pg.Client {
  // Pipelined, a question that is not answered in time breaks the connection, and we make another.
  const config: pg.ClientConfig & { pipeline: boolean } = {
    connectionString: url,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    keepAlive: true,
    pipeline: true,
    application_name: 'atrium wake-up',
  };
  return new pg.Client(config);
}
