import type { RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import { createSafeFetch } from '../../../src/adapters/safe-fetch/create-safe-fetch.ts';
import type { SafeFetch, SafeFetchOptions } from '../../../src/adapters/safe-fetch/safe-fetch.ts';
import { createAuthority } from '../outside/certificates.ts';
import { startHttpsServer, type HttpsServerOptions } from '../outside/https-server.ts';

/** The one that the guards and servers of this file trust and use. */
export const authority = createAuthority();

/** A guard until the end of the test, which may call these hosts. A number is a port on localhost. */
export function createGuard(
  allowHosts: readonly (string | number)[],
  options: Partial<SafeFetchOptions> = {},
): SafeFetch {
  const guard = createSafeFetch({
    allowHosts: allowHosts.map((host) => (typeof host === 'number' ? `localhost:${host}` : host)),
    dnsServers: [],
    ownOrigin: 'http://127.0.0.1:3000',
    ca: authority.certificate,
    ...options,
  });
  onTestFinished(() => guard.close());
  return guard;
}

/** A server on localhost until the end of the test. */
export async function startServer(
  handle: RequestListener,
  options: Partial<HttpsServerOptions> = {},
) {
  const server = await startHttpsServer({ authority, ...options }, handle);
  onTestFinished(() => server.close());
  return { ...server, url: `https://localhost:${server.port}` };
}
