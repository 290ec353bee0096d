import type { Socket } from 'node:net';
import { callbackify } from 'node:util';
import { Agent, type Dispatcher } from 'undici';

const CONNECT_MS = 10_000;

interface SocketDispatcherOptions {
  signal: AbortSignal;
  maxMessageBytes: number;
  /** Connects to a checked address of this URL. */
  open: (url: string, within: AbortSignal) => Promise<Socket>;
}

/** The sockets are kept here, because undici forgets a connection that has become a WebSocket. */
export function openSocketDispatcher(options: SocketDispatcherOptions): Dispatcher {
  const { signal, maxMessageBytes } = options;
  const sockets = new Set<Socket>();

  const connect = callbackify(async (host: string, port: string) => {
    const within = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS)]);
    const socket = await options.open(`https://${host}${port === '' ? '' : `:${port}`}/`, within);
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    return socket;
  });

  const agent = new Agent({
    connect: ({ hostname, port }, callback) =>
      connect(hostname, port, (error, socket) =>
        error ? callback(error, null) : callback(null, socket),
      ),
    allowH2: false,
    webSocket: { maxPayloadSize: maxMessageBytes },
  });
  const cut = () => {
    for (const socket of sockets) socket.destroy();
    void agent.destroy().catch(() => {});
  };
  signal.addEventListener('abort', cut, { once: true });
  if (signal.aborted) cut();
  return agent;
}
