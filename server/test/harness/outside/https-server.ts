import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import type { Authority, Certificate } from './certificates.ts';

export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
  /** The same as it was sent. */
  bytes: Buffer;
  /** The server name in the handshake (SNI); false if there was none. */
  serverName: string | false;
}

export interface HttpsServer {
  port: number;
  /** In order of arrival, with bodies. */
  requests: SeenRequest[];
  /** The number of connections, with or without a handshake. */
  connections(): number;
  /** On all connections, encrypted. */
  bytesSent(): number;
  close(): Promise<void>;
}

export interface HttpsServerOptions {
  authority: Authority;
  /** The name in the certificate, unless `certificate` is given. */
  names?: readonly string[];
  certificate?: Certificate;
  host?: string;
  port?: number;
  /** For WebSockets. */
  onUpgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

/** A real HTTPS server on loopback, with a certificate from the given authority. */
export async function startHttpsServer(
  { authority, names = ['localhost', '127.0.0.1'], ...options }: HttpsServerOptions,
  handle: RequestListener,
): Promise<HttpsServer> {
  const requests: SeenRequest[] = [];
  const sockets: Socket[] = [];
  const server = createServer(
    options.certificate ?? authority.issue(names),
    (request, response) => {
      response.on('error', () => {});
      void remember(request, requests).then(
        () => handle(request, response),
        () => response.destroy(),
      );
    },
  );
  server.on('connection', (socket) => sockets.push(socket as Socket));
  server.on('tlsClientError', () => {});
  if (options.onUpgrade) server.on('upgrade', options.onUpgrade);
  server.listen(options.port ?? 0, options.host ?? '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    connections: () => sockets.length,
    bytesSent: () => sockets.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0),
    close: () => closeServer(server),
  };
}

async function remember(request: IncomingMessage, requests: SeenRequest[]): Promise<void> {
  const { method = '', url: path = '', headers } = request;
  const { servername } = request.socket as TLSSocket & { servername: string | false };
  const bytes = await buffer(request);
  const body = bytes.toString();
  requests.push({ method, path, headers, body, bytes, serverName: servername });
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => void server.close(resolve));
}
