import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { format, type RawRequest } from './raw-http.ts';

export interface DeafClient {
  socket: Socket;
  /** Starts to read. Settles with the number of bytes when the connection is closed. */
  readOn(): Promise<number>;
}

/** Sends requests and reads no response, except for what Node reads in advance. */
export async function askAndIgnore(origin: string, ...requests: RawRequest[]): Promise<DeafClient> {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => {}); // A reset also closes the connection.
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await once(socket, 'connect');
  for (const request of requests) socket.write(format(request));
  return {
    socket,
    async readOn() {
      let bytes = 0;
      socket.on('data', (chunk) => (bytes += chunk.length));
      await closed;
      return bytes;
    },
  };
}
