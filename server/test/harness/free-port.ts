import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** For a process that restarts on the same port, or that cannot let the system choose one. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => void server.close(resolve));
  return port;
}
