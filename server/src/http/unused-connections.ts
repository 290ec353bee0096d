import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Connections without a request so far. Browsers open some in advance, and a closing server would wait
 * for them forever: Node does not count them as idle, and no longer checks for slow senders by then.
 */
export function trackUnusedConnections(server: Server): { close(slowAfterMs: number): void } {
  const unused = new Map<Socket, number>();
  server.on('connection', (socket: Socket) => {
    unused.set(socket, performance.now());
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage) => unused.delete(socket));
  return {
    /** Closes those that sent nothing, and those that are too slow with their first request. */
    close(slowAfterMs) {
      for (const [socket, since] of unused) {
        const isSlow = performance.now() - since > slowAfterMs;
        if (socket.bytesRead === 0 || isSlow) socket.destroy();
      }
    },
  };
}
