import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Stripe } from 'stripe';
import {
  createLazySandbox,
  SANDBOX_WEBHOOK,
} from '../../server/src/adapters/payments/lazy-sandbox.ts';
import { createBus } from '../../server/src/bus/create-bus.ts';
import { createJobQueue } from '../../server/src/jobs/queue.ts';
import { createWakeUp } from '../../server/src/jobs/wake-up.ts';
import { startWorker } from '../../server/src/jobs/worker.ts';
import { createLogger } from '../../server/src/core/logger.ts';
import { until } from '../../server/test/harness/stages/agent-stage.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../server/test/harness/databases/database.ts';
import { idOf } from '../../server/test/harness/clients/id-of.ts';
import type { Sandbox, SandboxHost } from '../src/index.ts';

export interface Delivery {
  body: string;
  signature: string;
  event: Stripe.Event;
}

export interface SandboxStage {
  sandbox: Sandbox;
  host: SandboxHost;
  stripe: Stripe;
  database: TestDatabase;
  /** Serves the pages, and says "thanks" on any other path. */
  origin: string;
  /** Everything the webhook received, in order. `refuse` makes it respond to the next ones with 500. */
  deliveries: Delivery[];
  refuse(count: number): void;
  /** Types of the events about this object or its subscription, oldest first. */
  eventsOf(id: string): Promise<string[]>;
  /** Nothing is left to deliver. */
  settled(): Promise<void>;
  post(url: string, form: Record<string, string>): Promise<Response>;
  newCustomer(): Promise<Stripe.Customer>;
  /** An open checkout. Default: for credits. */
  newTopup(more?: Partial<Stripe.Checkout.SessionCreateParams>): Promise<Stripe.Checkout.Session>;
  /** Presses a button of a checkout's page. */
  pay(checkout: Stripe.Checkout.Session, action?: string): Promise<Response>;
  paidTopup(): Promise<{ checkout: Stripe.Checkout.Session; intent: string; charge: string }>;
  subscribe(price?: string): Promise<{ subscription: string; invoice: string }>;
  /** Presses a button of the portal of this subscription's customer. */
  actOnPortal(subscription: string, action: string, price?: string): Promise<Response>;
  /** Moves the sandbox's clock; it stays still. */
  setNow(date: Date | undefined): void;
  /** Another process's sandbox on the same database. */
  newSandbox(): Promise<Sandbox>;
  stop(): Promise<void>;
}

export const SECRET = 'whsec_of_this_test';

export const TOPUP = {
  price_data: { currency: 'usd', unit_amount: 2_500, product_data: { name: '2,500 credits' } },
  quantity: 1,
};

/** The sandbox as the server loads it, with the server's database and jobs, called by Stripe's own SDK. */
export async function startSandboxStage(): Promise<SandboxStage> {
  const database = await createTestDatabase();
  const { db } = database;
  const log = createLogger('silent');
  const wakeUp = createWakeUp(createBus({ postgres: database.url }, log));
  const jobs = createJobQueue(wakeUp);
  const deliveries: Delivery[] = [];
  let refusals = 0;
  let now: Date | undefined;

  const web = createServer((request, response) => {
    const answer = async () => {
      const [, kind, id = ''] =
        /^\/sandbox\/(checkout|portal)\/(.+)$/.exec(request.url ?? '') ?? [];
      const body = await text(request);
      if (kind === 'checkout' || kind === 'portal') {
        const form = request.method === 'POST' ? body : undefined;
        const page = await sandbox.pages[kind](decodeURIComponent(id), form);
        response.writeHead(page.status, page.headers).end(page.body);
      } else if (request.url === '/api/webhooks/stripe') {
        const signature = String(request.headers['stripe-signature']);
        deliveries.push({ body, signature, event: JSON.parse(body) as Stripe.Event });
        response.writeHead(refusals-- > 0 ? 500 : 200).end();
      } else response.writeHead(200, { 'content-type': 'text/plain' }).end('thanks');
    };
    answer().catch(() => response.destroy());
  });
  const origin = `http://127.0.0.1:${await listen(web)}`;

  const host = {
    db,
    log,
    enqueueDelivery() {},
    publicUrl: () => origin,
    webhookUrl: () => `${origin}/api/webhooks/stripe`,
    webhookSecret: SECRET,
    now: () => now ?? new Date(),
  };
  const newSandbox = () => createLazySandbox({ ...host, jobs });
  const lazy = newSandbox();
  const sandbox = await lazy.get();
  const worker = startWorker({
    db,
    wakeUp,
    log,
    handlers: { [SANDBOX_WEBHOOK]: lazy.deliver },
    random: () => 0,
  });
  const stripe = new Stripe('sk_test_sandbox', {
    host: sandbox.host,
    port: sandbox.port,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
  });

  const stage: SandboxStage = {
    sandbox,
    host,
    stripe,
    database,
    origin,
    deliveries,
    refuse: (count) => {
      refusals = count;
    },
    async eventsOf(id) {
      const rows = await db.query<{ type: string }>(
        `SELECT data->>'type' AS type FROM sandbox_objects
         WHERE type = 'event' AND data->'data'->'object' @> ANY (ARRAY[jsonb_build_object('id', $1::text),
           jsonb_build_object('subscription', $1::text), jsonb_build_object('payment_intent', $1::text),
           jsonb_build_object('parent', jsonb_build_object('subscription_details',
             jsonb_build_object('subscription', $1::text)))])
         ORDER BY position`,
        [id],
      );
      return rows.map((row) => row.type);
    },
    settled: () =>
      until(async () => {
        const [row] = await db.query<{ count: number }>('SELECT count(*) FROM jobs');
        return row?.count === 0;
      }),
    post: (url, form) =>
      fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' }),
    newCustomer: () => stripe.customers.create({ name: 'Acme', email: 'owner@example.org' }),
    newTopup: async (more = {}) =>
      stripe.checkout.sessions.create({
        mode: 'payment',
        line_items: [TOPUP],
        customer: (await stage.newCustomer()).id,
        client_reference_id: 'checkout-1',
        metadata: { org: 'org-1' },
        success_url: `${origin}/thanks?session={CHECKOUT_SESSION_ID}`,
        cancel_url: `${origin}/cancelled`,
        ...more,
      }),
    pay: (checkout, action = 'pay') => stage.post(checkout.url ?? '', { action }),
    async paidTopup() {
      const checkout = await stage.newTopup();
      await stage.pay(checkout);
      const paid = await stripe.checkout.sessions.retrieve(checkout.id);
      const intent = await stripe.paymentIntents.retrieve(idOf(paid.payment_intent));
      return { checkout, intent: intent.id, charge: idOf(intent.latest_charge) };
    },
    async subscribe(price = 'sandbox_team_monthly') {
      const checkout = await stage.newTopup({
        mode: 'subscription',
        line_items: [{ price, quantity: 1 }],
      });
      await stage.pay(checkout);
      const { subscription, invoice } = await stripe.checkout.sessions.retrieve(checkout.id);
      return { subscription: idOf(subscription), invoice: idOf(invoice) };
    },
    async actOnPortal(subscription, action, price = '') {
      const customer = idOf((await stripe.subscriptions.retrieve(subscription)).customer);
      const { url } = await stripe.billingPortal.sessions.create({ customer });
      return stage.post(url, { subscription, action, price });
    },
    setNow: (date) => {
      now = date;
    },
    newSandbox: () => newSandbox().get(),
    async stop() {
      await worker.stop();
      await sandbox.close();
      web.closeAllConnections();
      await new Promise((resolve) => void web.close(resolve));
      await wakeUp.close();
      await database.drop();
    },
  };
  return stage;
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
