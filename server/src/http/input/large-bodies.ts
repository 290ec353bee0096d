import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { createFairTurns } from '../../core/fair-turns.ts';

/** What a socket delivers at once. Everything that people write fits into it. */
const PIECE_BYTES = 64 * 1024;
/** With this pause a process takes at most about 30 MB a second in large bodies. */
const PAUSE_MS = 2;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its bodies are not parsed, so they hold up nobody. */
    isRaw?: boolean;
  }
}

/**
 * Large bodies arrive piece by piece, and orgs take turns. Otherwise a few senders of large bodies would keep
 * the event loop busy for everyone.
 */
export function paceLargeBodies(app: FastifyInstance): void {
  const turns = createFairTurns();
  app.addHook('preParsing', (request, _reply, payload, done) => {
    // The length is unknown if the body is chunked.
    const { isRaw } = request.routeOptions.config;
    if (!isRaw && !(Number(request.headers['content-length']) <= PIECE_BYTES)) {
      const sender = request.caller?.orgId ?? request.ip;
      payload.pause(); // Listening alone must not start the flow: whoever reads the body starts it.
      payload.on('data', () => {
        payload.pause();
        void turns.take(sender, async () => {
          payload.resume();
          await sleep(PAUSE_MS);
        });
      });
    }
    done(null, payload);
  });
}
