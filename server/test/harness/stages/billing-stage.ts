import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import type Stripe from 'stripe';
import { startSandbox, type Sandbox } from '@atrium/payments-sandbox';
import { createLogger } from '../../../src/core/logger.ts';
import { until } from './agent-stage.ts';
import { createBank, type Bank } from '../models/bank.ts';
import { createCaller, type Call, type Reply } from '../clients/client.ts';
import { createTestDatabase } from '../databases/database.ts';
import { createTestOrg, type TestOrg } from '../factories.ts';
import { idOf } from '../clients/id-of.ts';
import { startProviderProxy, type ProviderProxy } from '../outside/provider-proxy.ts';
import { startTestServer, type TestServer } from '../processes/server.ts';

export const WEBHOOK = '/api/webhooks/stripe';
export const SECRET = 'whsec_of_the_billing_stage';

export interface ShownCredits {
  balance: number;
  reserved: number;
  included: number;
  topup: number;
  plan: string;
  renewsAt: string | null;
}

/**
 * A server configured for Stripe. The sandbox stands in for it on its own listener behind a proxy. Events
 * wait until a test delivers them: in order, out of order, or repeatedly.
 */
export interface BillingStage {
  server: TestServer;
  call: Call;
  sandbox: Sandbox;
  bank: Bank;
  stripe: Stripe;
  proxy: ProviderProxy;
  newOrg(): Promise<TestOrg>;
  /** Opens a checkout by our API and acts on its page, as a person would. */
  buy(
    org: TestOrg,
    bought: { pack: string } | { plan: string; interval?: string },
  ): Promise<Bought>;
  /** The same, and presses a button there (default: pays). Returns the checkout's id. */
  pay(org: TestOrg, bought: Parameters<BillingStage['buy']>[1], action?: string): Promise<string>;
  act(checkoutId: string, action: string): Promise<number>;
  /** The ids of the payment for a checkout of credits. */
  paymentOf(checkoutId: string): Promise<{ payment: string; charge: string }>;
  subscriptionOf(checkoutId: string): Promise<string>;
  actOnPortal(org: TestOrg, form: Record<string, string>): Promise<number>;
  /** Events that were not accepted yet, oldest first. */
  takeEvents(): Promise<Stripe.Event[]>;
  send(event: object, more?: { times?: number }): Promise<Reply>;
  /** Sends the events that were not accepted yet, in order, and runs the jobs they cause. */
  deliver(): Promise<Stripe.Event[]>;
  settled(): Promise<void>;
  credits(org: TestOrg): Promise<ShownCredits>;
  /** `KIND credits` of all entries, oldest first. */
  entries(org: TestOrg): Promise<string[]>;
  account(org: TestOrg): Promise<Record<string, unknown> | undefined>;
  /** Sets the provider's clock, which does not advance by itself. */
  setNow(date: Date | undefined): void;
  now(): Date;
  stop(): Promise<void>;
}

export interface Bought {
  id: string;
  url: string;
}

export async function startBillingStage(
  options: { worker?: boolean; env?: Record<string, string> } = {},
): Promise<BillingStage> {
  const database = await createTestDatabase();
  const { db } = database;
  let now: Date | undefined;
  const host = {
    db,
    enqueueDelivery() {},
    log: createLogger('silent'),
    publicUrl: () => 'http://sandbox.example',
    webhookUrl: () => 'http://sandbox.example',
    webhookSecret: SECRET,
    now: () => now ?? new Date(),
  };
  const sandbox = await startSandbox(host);
  const proxy = await startProviderProxy(sandbox);
  const server = await startTestServer({
    shared: database,
    worker: options.worker ?? true,
    env: { ...stripeEnv(proxy.url), ...options.env },
  });
  const call = createCaller(server.origin);
  const stripe = await createStripe(sandbox);
  let taken = 0;

  const stage: BillingStage = {
    server,
    call,
    sandbox,
    bank: createBank(host),
    stripe,
    proxy,
    newOrg: () => createTestOrg(db),
    async buy({ owner }, bought) {
      const path = 'plan' in bought ? '/api/billing/checkout' : '/api/billing/topup';
      const reply = await call('POST', path, { key: owner.key, body: bought });
      expect(reply.status, reply.text).toBe(200);
      return reply.json.data;
    },
    async pay(org, bought, action = 'pay') {
      const { id } = await stage.buy(org, bought);
      await stage.act(id, action);
      return id;
    },
    async paymentOf(checkoutId) {
      const { payment_intent: payment } = await stripe.checkout.sessions.retrieve(checkoutId);
      const { latest_charge: charge } = await stripe.paymentIntents.retrieve(idOf(payment));
      return { payment: idOf(payment), charge: idOf(charge) };
    },
    subscriptionOf: async (checkoutId) =>
      idOf((await stripe.checkout.sessions.retrieve(checkoutId)).subscription),
    act: async (id, action) => (await sandbox.pages.checkout(id, `action=${action}`)).status,
    async actOnPortal({ owner }, form) {
      const reply = await call('POST', '/api/billing/portal', { key: owner.key, body: {} });
      const { id } = reply.json.data;
      return (await sandbox.pages.portal(id, String(new URLSearchParams(form)))).status;
    },
    async takeEvents() {
      const rows = await db.query<{ data: Stripe.Event; position: number }>(
        `SELECT data, position FROM sandbox_objects WHERE type = 'event' AND position > $1
         ORDER BY position`,
        [taken],
      );
      taken = rows.at(-1)?.position ?? taken;
      return rows.map((row) => row.data);
    },
    async send(event, { times = 1 } = {}) {
      const body = JSON.stringify(event);
      const replies = await Promise.all(
        Array.from({ length: times }, () =>
          call('POST', WEBHOOK, { body, headers: { 'stripe-signature': sign(body) } }),
        ),
      );
      for (const reply of replies) expect(reply.status).toBe(replies[0]?.status);
      return replies[0] as Reply;
    },
    async deliver() {
      const events = await stage.takeEvents();
      for (const event of events) {
        const reply = await stage.send(event);
        expect(reply.status, `${event.type}: ${reply.text}`).toBe(200);
      }
      await stage.settled();
      return events;
    },
    settled: () =>
      until(async () => {
        const [row] = await db.query<{ count: number }>('SELECT count(*) FROM jobs');
        return row?.count === 0;
      }),
    async credits({ member }) {
      const reply = await call('GET', '/api/billing/credits', { key: member.key });
      expect(reply.status, reply.text).toBe(200);
      const { balance, included, topup } = reply.json.data;
      expect(topup).toBe(balance - included);
      return reply.json.data;
    },
    async entries({ orgId }) {
      const rows = await db.query<{ kind: string; credits: number }>(
        'SELECT kind, credits FROM ledger_entries WHERE org_id = $1 ORDER BY position',
        [orgId],
      );
      return rows.map(({ kind, credits }) => `${kind} ${credits}`);
    },
    async account({ orgId }) {
      const [row] = await db.query<Record<string, unknown>>(
        `SELECT plan, subscription_id AS "subscriptionId", is_paid AS "isPaid",
           ends_with_period AS "endsWithPeriod" FROM credit_accounts WHERE org_id = $1`,
        [orgId],
      );
      return row;
    },
    setNow(date) {
      now = date;
    },
    now: () => now ?? new Date(),
    async stop() {
      await server.stop();
      await proxy.close();
      await sandbox.close();
      await database.drop();
    },
  };
  return stage;
}

/** As an operator would configure it, with the sandbox's prices. */
export function stripeEnv(apiBase: string): Record<string, string> {
  const env: Record<string, string> = {
    STRIPE_SECRET_KEY: 'sk_test_stage',
    STRIPE_WEBHOOK_SECRET: SECRET,
    STRIPE_API_BASE: apiBase,
  };
  for (const plan of ['pro', 'team', 'enterprise']) {
    for (const interval of ['monthly', 'annual']) {
      env[`STRIPE_PRICE_${plan}_${interval}`.toUpperCase()] = `sandbox_${plan}_${interval}`;
    }
  }
  return env;
}

/** The signature header, as Stripe computes it. */
export function sign(
  body: string | Buffer,
  { secret = SECRET, time = Math.floor(Date.now() / 1000) } = {},
): string {
  const signature = createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex');
  return `t=${time},v1=${signature}`;
}

async function createStripe({ host, port }: Sandbox): Promise<Stripe> {
  const { default: StripeClient } = await import('stripe');
  return new StripeClient('sk_test_test', { host, port, protocol: 'http', telemetry: false });
}
