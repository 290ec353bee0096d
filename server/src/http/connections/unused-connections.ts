import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

export interface UnusedConnections {
  /** Closes those that have sent nothing for this long. They get no response: they asked for nothing. */
  closeOlderThan(ms: number): void;
  /** For a server that stops: closes those that sent nothing, and those whose first request is too slow. */
  closeAll(slowAfterMs: number): void;
}

/**
 * Connections without a request so far. Browsers open some in advance. Node does not count them as idle,
 * and no longer checks for slow senders in a server that stops, which would wait for them forever.
 */
export function trackUnusedConnections(server: Server): UnusedConnections {
  const unused = new Map<Socket, number>();
  server.on('connection', (socket: Socket) => {
    unused.set(socket, performance.now());
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage) => unused.delete(socket));
  return {
    closeOlderThan(ms) {
      for (const [socket, since] of unused) {
        if (performance.now() - since < ms) return; // The rest is newer.
        if (socket.bytesRead === 0) socket.destroy();
      }
    },
    closeAll(slowAfterMs) {
      for (const [socket, since] of unused) {
        const isSlow = performance.now() - since > slowAfterMs;
        if (socket.bytesRead === 0 || isSlow) socket.destroy();
      }
    },
  };
}
