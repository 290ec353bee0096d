import type { Server } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { READER_LIMITS, watchUnreadResponses, type ReaderLimits } from './unread-responses.ts';
import { trackUnusedConnections, type UnusedConnections } from './unused-connections.ts';

export interface ConnectionLimits extends ReaderLimits {
  /** How long a connection may be open before its first request. */
  unusedMs: number;
  checkEveryMs: number;
}

const CONNECTION_LIMITS: ConnectionLimits = {
  ...READER_LIMITS,
  // Browsers give up a connection that they opened in advance after a minute.
  unusedMs: 75_000,
  checkEveryMs: 1_000,
};

/** Closes connections that nobody uses, and ends responses that nobody reads. */
export function watchConnections(changed: Partial<ConnectionLimits> | undefined, log: Logger) {
  const { checkEveryMs, unusedMs, ...limits } = { ...CONNECTION_LIMITS, ...changed };
  const unread = watchUnreadResponses(limits);
  return {
    noteRequest: (request: FastifyRequest, reply: FastifyReply) => unread.note(request, reply),
    watch(server: Server): UnusedConnections {
      const unused = trackUnusedConnections(server);
      const timer = setInterval(() => {
        unused.closeOlderThan(unusedMs);
        const ended = unread.check();
        if (ended > 0) log.info({ responses: ended }, 'ended responses that nobody reads');
      }, checkEveryMs).unref();
      server.once('close', () => clearInterval(timer));
      return unused;
    },
  };
}
