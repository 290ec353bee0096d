/**
 * The sandbox payment provider: it speaks Stripe's wire format to Stripe's SDK, and no money moves.
 *
 *   const sandbox = await startSandbox({ db, jobs, log, publicUrl, webhookUrl, webhookSecret });
 *   new Stripe('sk_test_sandbox', { host: sandbox.host, port: sandbox.port, protocol: 'http' });
 *
 * The caller mounts `pages` under /sandbox/checkout/{id} and /sandbox/portal/{id} of PUBLIC_URL, runs
 * `deliver` for jobs of the kind SANDBOX_WEBHOOK, and `renew` now and then. All state is in the database:
 * any number of processes may run one, and each opens only short transactions of its own.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { ConfigError } from '../../../config-error.ts';
import type { Database } from '../../../db/database.ts';
import type { JobHandler } from '../../../jobs/handler.ts';
import type { JobQueue } from '../../../jobs/queue.ts';
import { createApiListener } from './api/listener.ts';
import { deliverEvent } from './deliver.ts';
import { createSandboxPages, type SandboxPages } from './pages/pages.ts';
import { renewSubscriptions } from './renew.ts';
import { ensureWebhookSecret } from './store.ts';
import type { SandboxParts } from './work.ts';

export { SANDBOX_WEBHOOK } from './events.ts';
export { SANDBOX_PRICES } from './prices.ts';
export type { PageAnswer, SandboxPages } from './pages/pages.ts';

export interface SandboxOptions {
  db: Database;
  jobs: JobQueue;
  log: Logger;
  /** Functions, as the main server may learn its port later than the SDK needs ours. */
  publicUrl: () => string;
  webhookUrl: () => string;
  /** Left out, one is made and kept in the database; `Sandbox.webhookSecret` tells which. */
  webhookSecret?: string | undefined;
  /** For tests that look into the future. Signatures always go by the real time. */
  now?: () => Date;
}

export interface Sandbox {
  host: string;
  port: number;
  webhookSecret: string;
  pages: SandboxPages;
  /** The handler of SANDBOX_WEBHOOK jobs: it fails, to be tried again, until the webhook answers 2xx. */
  deliver: JobHandler;
  /** Does what has become due; returns how much. Run by many at once it still does each thing once. */
  renew(now?: Date): Promise<number>;
  /** Lets open calls end. */
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const SWEEP_EVERY_MS = 50;

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  refuseProduction(process.env['NODE_ENV']);
  const { db, jobs, log, publicUrl, webhookUrl, now = () => new Date() } = options;
  const parts: SandboxParts = {
    db,
    jobs,
    publicUrl,
    now: () => Math.floor(now().getTime() / 1000),
  };
  const webhookSecret = options.webhookSecret ?? (await ensureWebhookSecret(db));
  const server = createServer(createApiListener(parts, log));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, HOST, resolve);
  });
  const { port } = server.address() as AddressInfo;
  log.info({ port }, 'payments are a sandbox: no money moves');
  return {
    host: HOST,
    port,
    webhookSecret,
    pages: createSandboxPages(parts),
    deliver: (payload, { signal }) =>
      deliverEvent({ db, url: webhookUrl(), secret: webhookSecret }, payload, signal),
    renew: (at) =>
      renewSubscriptions(at ? { ...parts, now: () => Math.floor(at.getTime() / 1000) } : parts),
    async close() {
      const closed = new Promise((resolve) => void server.close(resolve));
      // A connection whose call ends now stays open for the next one.
      const sweeping = setInterval(() => server.closeIdleConnections(), SWEEP_EVERY_MS);
      await closed;
      clearInterval(sweeping);
    },
  };
}

/** A plan that cost nothing would be an expensive mistake. */
export function refuseProduction(nodeEnv: string | undefined): void {
  if (nodeEnv !== 'production') return;
  throw new ConfigError(
    'NODE_ENV',
    'is production, where the sandbox payment provider does not run: set STRIPE_SECRET_KEY',
  );
}
