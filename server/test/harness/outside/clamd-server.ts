import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

type Behaviour = 'scan' | 'hang' | 'close' | 'garbage' | 'endless';

export interface ClamdServer {
  port: number;
  /** All bytes of the last file. */
  received(): Buffer;
  behave(how: Behaviour): void;
  close(): Promise<void>;
}

/** Speaks clamd's PING and INSTREAM. It finds one signature, and refuses what is longer than `maxBytes`. */
export async function startClamd(options: {
  signature: string;
  maxBytes: number;
}): Promise<ClamdServer> {
  const sockets = new Set<Socket>();
  let behaviour: Behaviour = 'scan';
  let received: Buffer = Buffer.alloc(0);

  function answer(socket: Socket, text: string): void {
    if (behaviour === 'scan') socket.end(`${text}\0`);
    else if (behaviour === 'close') socket.destroy();
    else if (behaviour === 'garbage') socket.end('stream: something else\0');
    else if (behaviour === 'endless') socket.write('x'.repeat(100_000));
  }

  async function serve(socket: Socket): Promise<void> {
    let rest = Buffer.alloc(0);
    const chunks = socket[Symbol.asyncIterator]();
    const take = async (bytes: number): Promise<Buffer> => {
      while (rest.length < bytes) {
        const next = await chunks.next();
        if (next.done) throw new Error('the client has gone');
        rest = Buffer.concat([rest, next.value as Buffer]);
      }
      const taken = rest.subarray(0, bytes);
      rest = rest.subarray(bytes);
      return taken;
    };
    let command = '';
    for (let byte = await take(1); byte[0] !== 0; byte = await take(1)) command += byte.toString();
    if (command === 'zPING') return answer(socket, 'PONG');
    if (command !== 'zINSTREAM') return answer(socket, 'UNKNOWN COMMAND');
    const parts: Buffer[] = [];
    for (let length = 0, total = 0; ; total += length) {
      length = (await take(4)).readUInt32BE();
      if (length === 0) break;
      if (total + length > options.maxBytes) {
        return answer(socket, 'INSTREAM size limit exceeded. ERROR');
      }
      parts.push(await take(length));
    }
    received = Buffer.concat(parts);
    const isFound = received.includes(options.signature);
    answer(socket, isFound ? 'stream: Atrium.Test-1 FOUND' : 'stream: OK');
  }

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    serve(socket).catch(() => socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    received: () => received,
    behave(how) {
      behaviour = how;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}
