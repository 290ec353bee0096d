import { inject } from 'vitest';
import { Atrium, type AtriumOptions } from '../../src/index.ts';

const server = inject('server');

/** A client for the real server, signed in as its owner. */
export function connect(options: AtriumOptions = {}): Atrium {
  return new Atrium({ apiKey: server.key, baseURL: `${server.origin}/api`, ...options });
}

let count = 0;

/** Creates a Project with a session. */
export async function openSession(
  client: Atrium,
): Promise<{ slug: string; sessionId: string; projectId: string }> {
  const project = await client.projects.create({ name: `Room ${process.pid} ${++count}` });
  const session = await client.sessions.create(project.slug, { name: 'Talk' });
  return { slug: project.slug, sessionId: session.id, projectId: project.id };
}

/** Returns the error that a promise rejects with, and checks its class. */
export async function failure<E extends Error>(
  promise: PromiseLike<unknown>,
  ErrorClass: abstract new (...args: never[]) => E,
): Promise<E> {
  const settled = await Promise.resolve(promise).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (settled instanceof ErrorClass) return settled;
  throw new Error(`expected ${ErrorClass.name}, not ${String(settled)}`, { cause: settled });
}
