import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerProcess } from '../race/processes.ts';
import type { Place } from './places.ts';

/** A client gives up on a response after this, and asks again. */
const PATIENCE_MS = 10_000;
const PAUSE_MS = 20;

export interface Acknowledged {
  id: string;
  body: string;
  isQuestion: boolean;
}

/** People who write all the time, and repeat what was not acknowledged, at any server, until it is. */
export interface Load {
  /** Every write that a server has confirmed. */
  acknowledged: readonly Acknowledged[];
  /** What no client should ever get. */
  refused: readonly string[];
  stop(): Promise<void>;
}

export function startLoad(
  servers: readonly (ServerProcess | undefined)[],
  places: readonly Place[],
  people: number,
): Load {
  const acknowledged: Acknowledged[] = [];
  const refused: string[] = [];
  const stopping = new AbortController();

  async function attempt(path: string, key: string, id: string, body: string) {
    const up = servers.filter((server) => server !== undefined);
    const server = up[Math.floor(Math.random() * up.length)];
    if (!server) return undefined;
    const response = await fetch(server.origin + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': id,
      },
      body: JSON.stringify({ body }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await response.text();
    if (response.status === 201) return (JSON.parse(text) as { data: { id: string } }).data.id;
    // Another process may still be running the same request.
    const mayRepeat = response.status >= 500 || response.status === 409;
    if (!mayRepeat) refused.push(`${response.status} ${text}`);
    return undefined;
  }

  async function write(number: number): Promise<void> {
    for (let nth = 0; !stopping.signal.aborted; nth++) {
      const place = places[(number + nth) % places.length] as Place;
      const isQuestion = nth % 8 === 0;
      const key = randomUUID();
      const body = `${isQuestion ? '@ada ' : ''}${key}`;
      // Whatever was begun is repeated until it is done, also while the load ends.
      for (;;) {
        const id = await attempt(place.messages, place.key, key, body).catch(() => undefined);
        if (id !== undefined) {
          acknowledged.push({ id, body, isQuestion });
          break;
        }
        await sleep(PAUSE_MS * 5);
      }
      await sleep(PAUSE_MS);
    }
  }

  const writing = Promise.all(Array.from({ length: people }, (_, number) => write(number)));
  return {
    acknowledged,
    refused,
    async stop() {
      stopping.abort();
      await writing;
    },
  };
}
