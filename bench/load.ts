import { randomUUID } from 'node:crypto';
import autocannon from 'autocannon';

export const CONNECTIONS = 32;

export interface Measured {
  perSecond: number;
  p50: number;
  p99: number;
}

export interface LoadRequest {
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Sends the requests from `next` over 32 connections. Any response other than 2xx and 304 is an error. */
export async function load(
  origin: string,
  seconds: number,
  next: () => LoadRequest,
): Promise<Measured> {
  const result = await autocannon({
    url: origin,
    connections: CONNECTIONS,
    duration: seconds,
    requests: [{ setupRequest: (request) => ({ ...request, ...next() }) }],
  });
  const refused = result.non2xx - result['3xx'];
  if (refused > 0 || result.errors > 0) {
    throw new Error(`${refused} responses were not 2xx and ${result.errors} requests failed`);
  }
  return { perSecond: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 };
}

export function createProjectRequest(path: string, keys: readonly string[]): () => LoadRequest {
  let sent = 0;
  return () => {
    const key = keys[sent++ % keys.length] ?? '';
    return {
      method: 'POST',
      path,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({ name: `Project ${randomUUID()}` }),
    };
  };
}

export function getProjectRequest(
  path: string,
  keys: readonly string[],
  ids: readonly string[],
): () => LoadRequest {
  let sent = 0;
  return () => {
    sent++;
    const key = keys[sent % keys.length] ?? '';
    return {
      method: 'GET',
      path: `${path}/${ids[sent % ids.length]}`,
      headers: { authorization: `Bearer ${key}` },
    };
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}
