import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls';
import { callbackify } from 'node:util';
import type { buildConnector } from 'undici';
import { describeTlsFailure } from './failure.ts';
import type { Target } from './target.ts';

const MAX_ATTEMPTS = 4;
const ATTEMPT_MS = 3_000;

interface Connection {
  target: Target;
  /** Just checked. */
  addresses: readonly string[];
  secureContext: SecureContext;
  signal: AbortSignal;
}

/** Always connects to the given addresses, so that no name is resolved a second time. */
export function pinnedConnector(connection: Connection): buildConnector.connector {
  const open = callbackify(() => openConnection(connection));
  return (_options, callback) =>
    open((error, socket) => (error ? callback(error, null) : callback(null, socket)));
}

export async function openConnection(connection: Connection): Promise<Socket> {
  const socket = await openSocket(connection);
  return connection.target.url.protocol === 'http:' ? socket : await secure(socket, connection);
}

async function openSocket({ target, addresses, signal }: Connection): Promise<Socket> {
  let failure: unknown;
  for (const address of addresses.slice(0, MAX_ATTEMPTS)) {
    const socket = connectTcp({ host: address, port: target.port, noDelay: true });
    try {
      const stop = AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MS)]);
      await once(socket, 'connect', { signal: stop });
      return socket;
    } catch (error) {
      socket.destroy();
      signal.throwIfAborted();
      failure = error;
    }
  }
  throw failure;
}

async function secure(
  socket: Socket,
  { target: { host }, secureContext, signal }: Connection,
): Promise<TLSSocket> {
  const secured = connectTls({
    socket,
    secureContext,
    // The certificate is checked against this name, not against the address.
    host,
    servername: isIP(host) ? '' : host,
    ALPNProtocols: ['http/1.1'],
    // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED=0 would otherwise turn the check off.
    rejectUnauthorized: true,
  });
  try {
    await once(secured, 'secureConnect', { signal });
    return secured;
  } catch (error) {
    secured.destroy();
    signal.throwIfAborted();
    throw describeTlsFailure(error);
  }
}
