import type pg from 'pg';
import { gatherWrites, prepared } from './statement.ts';

export interface Lanes {
  query<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

interface Lane {
  client: Promise<pg.PoolClient> | undefined;
  inFlight: number;
}

/**
 * Reads outside transactions share a few pipelined connections: those of one turn of the event loop
 * travel together, where a connection each would cost a system call and a process switch each. They
 * answer in order, so what may wait for a lock stays out: everybody's authentication would wait too.
 */
export function createLanes(pool: pg.Pool, count: number): Lanes {
  const lanes = Array.from({ length: count }, (): Lane => ({ client: undefined, inFlight: 0 }));

  async function open(lane: Lane): Promise<pg.PoolClient> {
    try {
      const client = await pool.connect();
      const mine = lane.client;
      // A broken connection says so more than once, and by then the lane may have the next one.
      const leave = (error?: Error) => {
        if (mine === undefined || lane.client !== mine) return;
        lane.client = undefined;
        client.release(true);
        if (error) pool.emit('error', error, client);
      };
      client.once('error', leave);
      client.once('end', leave);
      return client;
    } catch (error) {
      lane.client = undefined;
      throw error;
    }
  }

  return {
    async query<Row extends object>(text: string, values: readonly unknown[]) {
      const lane = lanes.reduce((best, one) => (one.inFlight < best.inFlight ? one : best));
      lane.inFlight++;
      try {
        lane.client ??= open(lane);
        const client = await lane.client;
        gatherWrites(client);
        const { rows } = await client.query<Row>(prepared(text, values));
        return rows;
      } finally {
        lane.inFlight--;
      }
    },
    async close() {
      for (const lane of lanes) {
        const opened = lane.client;
        lane.client = undefined;
        const client = await opened?.catch(() => undefined);
        client?.release();
      }
    },
  };
}
