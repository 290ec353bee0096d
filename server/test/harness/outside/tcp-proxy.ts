import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Target {
  host: string;
  port: number;
}

/** A way to another server that a test can cut, slow down, and lead elsewhere. */
export interface TcpProxy {
  port: number;
  /** Ends every connection, and refuses new ones until `open`. */
  cut(): void;
  open(): void;
  /** New connections go there. */
  lead(target: Target): void;
  /** How long the next piece of data waits, in either direction; those behind it wait too. */
  delay(pieceMs: () => number): void;
  close(): Promise<void>;
}

export async function startTcpProxy(first: Target): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let target = first;
  let isOpen = true;
  let delayMs = () => 0;

  function forward(from: Socket, to: Socket): void {
    let last = Promise.resolve();
    const pass = async (before: Promise<void>, piece: Buffer, wait: number) => {
      await before;
      if (wait > 0) await sleep(wait);
      if (!to.destroyed) to.write(piece);
    };
    from.on('data', (piece) => {
      last = pass(last, piece, delayMs());
    });
    from.on('end', () => void last.then(() => to.end()));
    from.on('error', () => {});
    from.on('close', () => {
      sockets.delete(from);
      void last.then(() => to.destroy());
    });
    sockets.add(from);
  }

  const server = createServer((client) => {
    if (!isOpen) {
      client.destroy();
      return;
    }
    const upstream = connect(target);
    forward(client, upstream);
    forward(upstream, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const destroyAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isOpen = false;
      destroyAll();
    },
    open() {
      isOpen = true;
    },
    lead(other) {
      target = other;
    },
    delay(pieceMs) {
      delayMs = pieceMs;
    },
    async close() {
      destroyAll();
      server.close();
      await once(server, 'close');
    },
  };
}
