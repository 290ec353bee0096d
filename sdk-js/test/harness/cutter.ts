import { once } from 'node:events';
import { connect as connectTo, createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

interface Cuts {
  /** How many bytes a connection may send. */
  after: number;
  /** How many connections are cut. */
  times: number;
}

/** Stands between a client and the server, and cuts connections that send much. */
export async function startCutter(
  origin: string,
  { after, times }: Cuts,
): Promise<{ baseURL: string; requests: string[] }> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let left = times;
  const server = createServer((socket) => {
    const { hostname, port } = new URL(origin);
    const target = connectTo(Number(port), hostname);
    let sent = 0;
    for (const one of [socket, target]) {
      sockets.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        socket.destroy();
        target.destroy();
      });
    }
    socket.on('data', (chunk: Buffer) => {
      sent += chunk.length;
      const line = /^(GET|HEAD|POST|PATCH) \S+/.exec(chunk.toString('latin1'))?.[0];
      if (line) requests.push(line);
      const isUpload = sent > after && (after > 0 || line?.startsWith('PATCH') === true);
      if (isUpload && left > 0) {
        left--;
        // A part of the piece arrives, or nothing of any.
        const part = after === 0 ? 0 : chunk.length / 2;
        target.write(chunk.subarray(0, part), () => socket.destroy());
      } else target.write(chunk);
    });
    target.on('data', (chunk) => socket.write(chunk));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`, requests };
}
