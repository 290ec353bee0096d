import { expect } from 'vitest';
import type { Database } from '../../src/db/types.ts';
import type { Reply } from '../harness/clients/client.ts';
import { createTestDatabase } from '../harness/databases/database.ts';
import { createTestOrg, type TestOrg } from '../harness/factories.ts';
import type { ServerProcess } from './processes.ts';

/** One database for several server processes, with an org in it. */
export interface Shared {
  url: string;
  db: Database;
  org: TestOrg;
  drop(): Promise<void>;
}

export async function createShared(): Promise<Shared> {
  const database = await createTestDatabase();
  const { url, db } = database;
  if (url === undefined) throw new Error('the race suite runs on PostgreSQL');
  return { url, db, org: await createTestOrg(db), drop: () => database.drop() };
}

export async function countProjects(db: Database, name: string): Promise<number> {
  const [row] = await db.query<{ count: number }>('SELECT count(*) FROM projects WHERE name = $1', [
    name,
  ]);
  return row?.count ?? 0;
}

export interface Post {
  key: string;
  idempotencyKey: string;
  body: unknown;
  path?: string;
}

export function post(server: ServerProcess, request: Post): Promise<Reply> {
  const { key, idempotencyKey, body, path = '/api/projects' } = request;
  return server.call('POST', path, {
    key,
    body,
    headers: { 'idempotency-key': idempotencyKey },
  });
}

/** A careful client: if the connection breaks, it sends the same request to another server. */
export async function postUntilAnswered(
  servers: readonly ServerProcess[],
  request: Post,
): Promise<Reply> {
  for (const server of servers) {
    try {
      return await post(server, request);
    } catch (error) {
      if (!isBrokenConnection(error)) throw error;
    }
  }
  throw new Error('no server answered');
}

/** Sends `count` requests at once, spread evenly over the servers. */
export function spread<T>(
  servers: readonly ServerProcess[],
  count: number,
  send: (server: ServerProcess) => Promise<T>,
): Promise<T[]> {
  return Promise.all(
    Array.from({ length: count }, (_, at) => send(servers[at % servers.length] as ServerProcess)),
  );
}

export function isReplay(reply: Reply): boolean {
  return reply.headers.get('idempotency-replayed') === 'true';
}

/** Every response has this status, and all are the same byte for byte. */
export function expectOneAnswer(replies: readonly Reply[], status: number): void {
  expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([status]));
  expect(new Set(replies.map((reply) => reply.text)).size).toBe(1);
}

function isBrokenConnection(error: unknown): boolean {
  return error instanceof TypeError && /fetch failed|terminated/.test(error.message);
}
