import type pg from 'pg';
import { queryOn } from './batch.ts';
import type { Queryable } from '../types.ts';

export interface SharedReads {
  query: Queryable['sharedRead'];
  close(): Promise<void>;
}

interface SharedConnection {
  client: Promise<pg.PoolClient> | undefined;
  inFlight: number;
}

/**
 * Short reads share a few pipelined connections: those of one turn of the event loop travel in one
 * packet, instead of a system call and a process switch each. Results come back in order, so a slow
 * read would hold up everyone's authentication: see `sharedRead` in types.ts.
 */
export function openSharedReads(pool: pg.Pool, count: number): SharedReads {
  const connections = Array.from({ length: count }, (): SharedConnection => ({
    client: undefined,
    inFlight: 0,
  }));

  async function open(connection: SharedConnection): Promise<pg.PoolClient> {
    try {
      const client = await pool.connect();
      const mine = connection.client;
      // A broken client reports it more than once, and a new one may have taken its place by then.
      const leave = (error?: Error) => {
        if (mine === undefined || connection.client !== mine) return;
        connection.client = undefined;
        client.release(true);
        if (error) pool.emit('error', error, client);
      };
      client.once('error', leave);
      client.once('end', leave);
      return client;
    } catch (error) {
      connection.client = undefined;
      throw error;
    }
  }

  return {
    async query<Row extends object>(text: string, values: readonly unknown[] = []) {
      const connection = connections.reduce((best, one) =>
        one.inFlight < best.inFlight ? one : best,
      );
      connection.inFlight++;
      try {
        connection.client ??= open(connection);
        const client = await connection.client;
        return await queryOn<Row>(client, text, values);
      } finally {
        connection.inFlight--;
      }
    },
    async close() {
      for (const connection of connections) {
        const opened = connection.client;
        connection.client = undefined;
        const client = await opened?.catch(() => undefined);
        client?.release();
      }
    },
  };
}
