import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Connections on which nothing was asked yet. Browsers open some in advance, and a server that closes
 * waits for them for ever: to Node they are not idle, and it no longer looks for slow senders then.
 */
export function trackUnusedConnections(server: Server): { close(slowAfterMs: number): void } {
  const unused = new Map<Socket, number>();
  server.on('connection', (socket: Socket) => {
    unused.set(socket, performance.now());
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage) => unused.delete(socket));
  return {
    /** Those that sent nothing, and those that take too long over their first request. */
    close(slowAfterMs) {
      for (const [socket, since] of unused) {
        const isSlow = performance.now() - since > slowAfterMs;
        if (socket.bytesRead === 0 || isSlow) socket.destroy();
      }
    },
  };
}
