import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** For a process that has to come back on the same port, or that takes none of the system's choice. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => void server.close(resolve));
  return port;
}
