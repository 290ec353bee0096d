import { setTimeout as sleep } from 'node:timers/promises';
import type Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox, type Sandbox } from '@atrium/payments-sandbox';
import { createLogger } from '../../src/core/logger.ts';
import { createBank, type Bank } from '../harness/models/bank.ts';
import { SECRET, sign, stripeEnv, WEBHOOK } from '../harness/stages/billing-stage.ts';
import { createTestOrg, type TestOrg } from '../harness/factories.ts';
import { createShared, type Shared } from './cluster.ts';
import { killAll, startServer, type ServerProcess } from './processes.ts';

const ORGS = 4;
const TIMES = 50;
const AT_ONCE = 24;

let shared: Shared;
let sandbox: Sandbox;
let bank: Bank;
let servers: ServerProcess[];

beforeAll(async () => {
  shared = await createShared();
  const host = {
    db: shared.db,
    enqueueDelivery() {},
    log: createLogger('silent'),
    publicUrl: () => 'http://sandbox.example',
    webhookUrl: () => 'http://sandbox.example',
    webhookSecret: SECRET,
  };
  sandbox = await startSandbox(host);
  bank = createBank(host);
});
afterEach(killAll);
afterAll(async () => {
  await sandbox.close();
  await shared.drop();
});

const start = () =>
  startServer(
    { DATABASE_URL: shared.url, ...stripeEnv(`http://${sandbox.host}:${sandbox.port}`) },
    ['--no-worker'],
  );

async function buy(org: TestOrg, path: string, body: object): Promise<string> {
  const reply = await servers[0]!.call('POST', `/api/billing/${path}`, {
    key: org.owner.key,
    body,
  });
  expect(reply.status, reply.text).toBe(200);
  const { id } = reply.json.data;
  await sandbox.pages.checkout(id, 'action=pay');
  return id;
}

let taken = 0;
async function takeEvents(): Promise<Stripe.Event[]> {
  const rows = await shared.db.query<{ data: Stripe.Event; position: number }>(
    `SELECT data, position FROM sandbox_objects WHERE type = 'event' AND position > $1
     ORDER BY position`,
    [taken],
  );
  taken = rows.at(-1)?.position ?? taken;
  return rows.map((row) => row.data);
}

/** One delivery; false if it was not accepted, for any reason. */
async function deliver(event: Stripe.Event): Promise<boolean> {
  const body = JSON.stringify(event);
  const server = servers[Math.floor(Math.random() * servers.length)];
  try {
    const reply = await server?.call('POST', WEBHOOK, {
      body,
      headers: { 'stripe-signature': sign(body) },
    });
    return reply?.status === 200;
  } catch {
    return false;
  }
}

/** Each of them fifty times, shuffled; then those that were not accepted, as a provider would. */
async function deliverAll(events: readonly Stripe.Event[]): Promise<{ refused: number }> {
  const queue = Array.from({ length: TIMES }, () => events)
    .flat()
    .map((event) => ({ event, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ event }) => event);
  const open = new Map(events.map((event) => [event.id, event]));
  let refused = 0;
  const send = async () => {
    for (let event = queue.pop(); event; event = queue.pop()) {
      if (await deliver(event)) open.delete(event.id);
      else refused++;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, send));
  while (open.size > 0) {
    for (const [id, event] of open) if (await deliver(event)) open.delete(id);
    await sleep(50);
  }
  return { refused };
}

async function paymentOf(checkoutId: string): Promise<{ payment: string; charge: string }> {
  const [row] = await shared.db.query<{ payment: string; charge: string }>(
    `SELECT p.id AS payment, p.data->>'latest_charge' AS charge FROM sandbox_objects s
     JOIN sandbox_objects p ON p.id = s.data->>'payment_intent' WHERE s.id = $1`,
    [checkoutId],
  );
  if (!row) throw new Error('not paid');
  return row;
}

/** What the operator and the bank do while earlier events are still being delivered. */
async function takeMoneyBack(bought: readonly Bought[]): Promise<void> {
  const { default: StripeClient } = await import('stripe');
  const { host, port } = sandbox;
  const stripe = new StripeClient('sk_test', { host, port, protocol: 'http', telemetry: false });
  for (const { medium, large } of bought) {
    const { payment } = await paymentOf(medium);
    for (const amount of [100, 150, 250]) {
      await stripe.refunds.create({ payment_intent: payment, amount });
      await sleep(100);
    }
    const { charge } = await paymentOf(large);
    await bank.dispute(charge);
    await bank.closeDispute(charge, 'lost');
  }
}

interface Bought {
  org: TestOrg;
  medium: string;
  large: string;
}

async function buyAll(): Promise<Bought> {
  const org = await createTestOrg(shared.db);
  await buy(org, 'topup', { pack: 'small' });
  const medium = await buy(org, 'topup', { pack: 'medium' });
  const large = await buy(org, 'topup', { pack: 'large' });
  await buy(org, 'checkout', { plan: 'pro' });
  return { org, medium, large };
}

describe('payment events, on three processes', () => {
  it('each 50 times, shuffled, with kill -9 in between: each payment counts once', async () => {
    servers = await Promise.all([start(), start(), start()]);
    const bought: Bought[] = [];
    for (let at = 0; at < ORGS; at++) bought.push(await buyAll());

    const over = new AbortController();
    let killed = 0;
    const killing = (async () => {
      while (!over.signal.aborted) {
        await sleep(1_000);
        const [victim] = servers;
        await victim?.kill('SIGKILL');
        killed++;
        servers = [...servers.slice(1), await start()];
      }
    })();
    const first = await takeEvents();
    const [{ refused }] = await Promise.all([deliverAll(first), takeMoneyBack(bought)]);
    const second = await takeEvents();
    await deliverAll([...first, ...second]);
    over.abort();
    await killing;
    expect(killed).toBeGreaterThan(0);
    expect(second.length).toBeGreaterThanOrEqual(ORGS * 5);
    expect(refused).toBeLessThan(first.length * TIMES);

    for (const { org } of bought) {
      const reply = await servers[0]!.call('GET', '/api/billing/credits', org.member);
      // 500, plus 2,500 minus the 500 refunded, and none of the disputed 10,000.
      expect(reply.json.data).toMatchObject({
        balance: 4_500,
        included: 2_000,
        topup: 2_500,
        plan: 'pro',
      });
      const entries = await shared.db.query<{ kind: string; count: number; sum: number }>(
        `SELECT kind, count(*), sum(credits)::int AS sum FROM ledger_entries WHERE org_id = $1
         GROUP BY kind ORDER BY kind`,
        [org.orgId],
      );
      expect(entries).toEqual([
        { kind: 'GRANT', count: 1, sum: 2_000 },
        { kind: 'REFUND', count: expect.any(Number), sum: -10_500 },
        { kind: 'TOPUP', count: 3, sum: 13_000 },
      ]);
    }
    const [events] = await shared.db.query<{ count: number }>(
      'SELECT count(*) FROM payment_events',
    );
    expect(events?.count).toBe(first.length + second.length);
  });
});
