import type pg from 'pg';

/** More would wait long for each other, and save little. */
const MOST_TOGETHER = 8;

export interface SharedCommits {
  /** Calls `commit` with the next free connection. Others may use it at the same time. */
  run<T>(commit: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  /** How many wait, beside those that the pool knows of. */
  waiting(): number;
}

export interface SharedCommitsOptions {
  pool: pg.Pool;
  /** How many of the pool's connections can be asked for at a time. */
  connections: number;
  /** Whether each packet on this connection is a transaction of its own. */
  mayShare: (client: pg.PoolClient) => boolean;
}

interface Waiting {
  run: (client: pg.PoolClient) => Promise<void>;
  fail: (error: unknown) => void;
}

/**
 * Transactions that are one packet each. Those that have to wait for a connection travel together on the next free
 * one, instead of a system call and a process switch each. While there are free ones, each has its own.
 */
export function createSharedCommits(options: SharedCommitsOptions): SharedCommits {
  const { pool, connections, mayShare } = options;
  const waiting: Waiting[] = [];
  let asked = 0;

  function askForConnections(): void {
    while (asked < Math.min(waiting.length, connections)) {
      asked++;
      void serve();
    }
  }

  async function serve(): Promise<void> {
    let client: pg.PoolClient;
    try {
      client = await pool.connect();
    } catch (error) {
      for (const { fail } of takeShare()) fail(error);
      return;
    }
    const together = takeShare(mayShare(client) ? MOST_TOGETHER : 1);
    await Promise.all(together.map(({ run }) => run(client)));
    // A failed packet leaves the connection usable; the pool itself drops a broken one.
    client.release();
  }

  /** Those who have waited longest: as many as each connection has to serve. */
  function takeShare(most = Infinity): Waiting[] {
    const share = Math.ceil(waiting.length / asked);
    asked--;
    const taken = waiting.splice(0, Math.min(share, most));
    askForConnections();
    return taken;
  }

  return {
    run: (commit) =>
      new Promise((resolve, reject) => {
        waiting.push({ run: (client) => commit(client).then(resolve, reject), fail: reject });
        askForConnections();
      }),
    waiting: () => waiting.length - Math.min(waiting.length, asked),
  };
}
