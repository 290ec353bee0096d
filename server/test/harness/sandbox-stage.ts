import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Stripe } from 'stripe';
import {
  SANDBOX_WEBHOOK,
  startSandbox,
  type Sandbox,
} from '../../src/adapters/payments/sandbox/start-sandbox.ts';
import { idOf } from '../../src/adapters/payments/sandbox/store.ts';
import { createJobQueue } from '../../src/jobs/queue.ts';
import { createBus } from '../../src/bus/bus.ts';
import { createWakeUp } from '../../src/jobs/wake-up.ts';
import { startWorker } from '../../src/jobs/worker.ts';
import { createLogger } from '../../src/logger.ts';
import { until } from './agent-stage.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

export interface Delivery {
  body: string;
  signature: string;
  event: Stripe.Event;
}

export interface SandboxStage {
  sandbox: Sandbox;
  stripe: Stripe;
  database: TestDatabase;
  /** Serves the pages, and answers "thanks" on any other path. */
  origin: string;
  /** All that the webhook got, in order; `refuse` makes it answer the next ones with 500. */
  deliveries: Delivery[];
  refuse(count: number): void;
  /** Types of the events that came about this object or its subscription, oldest first. */
  eventsOf(id: string): Promise<string[]>;
  /** Nothing is left to deliver. */
  settled(): Promise<void>;
  post(url: string, form: Record<string, string>): Promise<Response>;
  newCustomer(): Promise<Stripe.Customer>;
  /** An open checkout; for credits unless told. */
  newTopup(more?: Partial<Stripe.Checkout.SessionCreateParams>): Promise<Stripe.Checkout.Session>;
  /** Presses a button of a checkout's page. */
  pay(checkout: Stripe.Checkout.Session, action?: string): Promise<Response>;
  paidTopup(): Promise<{ checkout: Stripe.Checkout.Session; intent: string; charge: string }>;
  subscribe(price?: string): Promise<{ subscription: string; invoice: string }>;
  /** Moves the sandbox's clock; it stays still. */
  setNow(date: Date | undefined): void;
  newSandbox(): Promise<Sandbox>;
  stop(): Promise<void>;
}

export const SECRET = 'whsec_of_this_test';

export const TOPUP = {
  price_data: { currency: 'usd', unit_amount: 2_500, product_data: { name: '2,500 credits' } },
  quantity: 1,
};

/** The sandbox with all that it needs of the main server, and Stripe's own SDK to call it. */
export async function startSandboxStage(): Promise<SandboxStage> {
  const database = await createTestDatabase();
  const { db } = database;
  const log = createLogger('silent');
  const wakeUp = createWakeUp(createBus(database.url, log));
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

  const newSandbox = () =>
    startSandbox({
      db,
      jobs,
      log,
      publicUrl: () => origin,
      webhookUrl: () => `${origin}/api/webhooks/stripe`,
      webhookSecret: SECRET,
      now: () => now ?? new Date(),
    });
  const sandbox = await newSandbox();
  const worker = startWorker({
    db,
    wakeUp,
    log,
    handlers: { [SANDBOX_WEBHOOK]: sandbox.deliver },
    random: () => 0,
  });
  const { host, port } = sandbox;
  const stripe = new Stripe('sk_test_sandbox', {
    host,
    port,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
  });

  const stage: SandboxStage = {
    sandbox,
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
        subscription_data: { metadata: { org: 'org-1' } },
      });
      await stage.pay(checkout);
      const { subscription, invoice } = await stripe.checkout.sessions.retrieve(checkout.id);
      return { subscription: idOf(subscription), invoice: idOf(invoice) };
    },
    setNow: (date) => {
      now = date;
    },
    newSandbox,
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
