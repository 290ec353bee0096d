import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ProviderCall {
  /** The idempotency key the caller sent. */
  key: string;
  answer(status?: number): void;
}

/** An external service that records its callers, and responds when the test says so. */
export interface Provider {
  url: string;
  calls: readonly ProviderCall[];
  /** The nth call, counted from 1, past or future. */
  waitForCall(number: number): Promise<ProviderCall>;
  /** Starts counting again from zero. */
  forgetCalls(): void;
  stop(): Promise<void>;
}

export async function startProvider(): Promise<Provider> {
  const calls: ProviderCall[] = [];
  const watchers = new Set<() => void>();
  const server = createServer((request, response) => {
    calls.push({
      key: String(request.headers['idempotency-key']),
      answer: (status = 200) => answer(response, status),
    });
    for (const watch of watchers) watch();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    waitForCall: (number) =>
      new Promise((resolve) => {
        const watch = () => {
          const call = calls[number - 1];
          if (!call) return;
          watchers.delete(watch);
          resolve(call);
        };
        watchers.add(watch);
        watch();
      }),
    forgetCalls() {
      calls.length = 0;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function answer(response: ServerResponse, status: number): void {
  response.writeHead(status).end(status === 200 ? 'done' : 'failed');
}
