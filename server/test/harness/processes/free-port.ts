import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * For a process that restarts on the same port, or that cannot let the system choose one. It is below
 * the system's own range, so no other test gets it in between.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue;
    }
    await new Promise((resolve) => void server.close(resolve));
    return port;
  }
}
