import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface ProxiedRequest {
  method: string;
  path: string;
  idempotencyKey: string | undefined;
}

/** A response that the provider has sent, and that has not arrived yet. */
export interface HeldAnswer {
  /** Resolves once the provider has responded. */
  arrived: Promise<void>;
  release(): void;
}

/** Stands between the server and its payment provider: records requests and delays responses. */
export interface ProviderProxy {
  url: string;
  requests: ProxiedRequest[];
  /** The next response to a request whose path matches. */
  holdNext(path: RegExp): HeldAnswer;
  /** Responds instead of the provider, or not at all; undefined brings the provider back. */
  fail(how: Failure | undefined): void;
  /** Lets the provider process the next request, and drops its response. */
  loseNext(path: RegExp): void;
  close(): Promise<void>;
}

export type Failure = (request: IncomingMessage, response: ServerResponse) => unknown;

export async function startProviderProxy(target: {
  host: string;
  port: number;
}): Promise<ProviderProxy> {
  const requests: ProxiedRequest[] = [];
  const holds: { path: RegExp; arrive: () => void; released: Promise<void> }[] = [];
  const lost: RegExp[] = [];
  let failure: Failure | undefined;
  const server = createServer((request, response) => {
    const forward = async () => {
      const { method = '', url: path = '' } = request;
      const key = request.headers['idempotency-key'];
      requests.push({ method, path, idempotencyKey: key?.toString() });
      // Requests that a failure passes on are handled as usual.
      if (failure && (await failure(request, response)) !== 'pass') return;
      const at = holds.findIndex((hold) => hold.path.test(path));
      const [hold] = at === -1 ? [] : holds.splice(at, 1);
      const body = await buffer(request);
      const headers = Object.entries(request.headers).filter(([name]) => FORWARDED.test(name));
      const answer = await fetch(`http://${target.host}:${target.port}${path}`, {
        method,
        headers: Object.fromEntries(headers) as Record<string, string>,
        ...(body.length > 0 && { body }),
      });
      const text = await answer.text();
      const lostAt = lost.findIndex((pattern) => pattern.test(path));
      if (lostAt !== -1) {
        lost.splice(lostAt, 1);
        response.destroy();
        return;
      }
      hold?.arrive();
      await hold?.released;
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
    };
    forward().catch(() => response.destroy());
  });
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    requests,
    holdNext(path) {
      const arrived = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      holds.push({ path, arrive: arrived.resolve, released: released.promise });
      return { arrived: arrived.promise, release: released.resolve };
    },
    fail(how) {
      failure = how;
    },
    loseNext: (path) => void lost.push(path),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

const FORWARDED = /^(authorization|content-type|idempotency-key|stripe-version)$/;

export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
