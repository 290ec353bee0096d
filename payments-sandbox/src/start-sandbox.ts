import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApiListener } from './api/listener.ts';
import { deliverEvent } from './deliver.ts';
import type { SandboxHost } from './host.ts';
import { createSandboxPages, type SandboxPages } from './pages/pages.ts';
import { renewSubscriptions } from './renew.ts';
import { ensureWebhookSecret } from './store.ts';

export interface Sandbox {
  /** Where the API listens, for Stripe's SDK. */
  host: string;
  port: number;
  webhookSecret: string;
  /** To be served under /sandbox/checkout/{id} and /sandbox/portal/{id} of the public URL. */
  pages: SandboxPages;
  /** Sends an event to the webhook; rejects unless it responds with 2xx. False if there is no such event. */
  deliver(eventId: string, signal: AbortSignal): Promise<boolean>;
  /** Renews what is due and returns how many. Any number of processes may call it. */
  renew(): Promise<number>;
  /** Waits for open requests. */
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

/** All state is in the database, so any number of processes may run one. */
export async function startSandbox(host: SandboxHost): Promise<Sandbox> {
  // Free plans in production would be an expensive mistake.
  if (process.env['NODE_ENV'] === 'production') {
    throw new Error('The payments sandbox does not run in production. Set STRIPE_SECRET_KEY.');
  }
  const secret = host.webhookSecret ?? (await ensureWebhookSecret(host.db));
  const server = createServer(createApiListener(host));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, HOST, resolve);
  });
  const { port } = server.address() as AddressInfo;
  host.log.info({ port }, 'payments use the sandbox: no money moves');
  return {
    host: HOST,
    port,
    webhookSecret: secret,
    pages: createSandboxPages(host),
    deliver: (eventId, signal) =>
      deliverEvent(host.db, eventId, { url: host.webhookUrl(), secret }, signal),
    renew: () => renewSubscriptions(host),
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}
