import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { UserContext } from '../core/context.ts';
import { createContext, type PipelineParts } from '../http/pipeline.ts';

/** The caller whose message is answered. Each step uses the caller's current rights. */
export interface Asker {
  requestId: string;
  log: Logger;
  /** Checks each result against its schema. On in tests. */
  checkResponses: boolean;
  current(): Promise<UserContext>;
  /** Like those of a request's authority. */
  prepare<T>(work: (ctx: UserContext) => Promise<T>): Promise<T>;
  run<T>(work: (ctx: UserContext) => Promise<T>): Promise<T>;
}

export function askerOf(parts: PipelineParts, { id, authority }: FastifyRequest): Asker {
  const { db, checkResponses } = parts;
  const contextOf = (caller: Parameters<typeof createContext>[2]) =>
    createContext(parts, id, caller) as UserContext;
  return {
    requestId: id,
    log: parts.log.child({ requestId: id }),
    checkResponses,
    current: async () => contextOf(await authority.current(db)),
    prepare: (work) => authority.prepare(db, (caller) => work(contextOf(caller))),
    run: (work) =>
      authority.run(db, (caller, guarded) => work({ ...contextOf(caller), db: guarded })),
  };
}
