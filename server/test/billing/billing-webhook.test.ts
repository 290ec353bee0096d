import { gzipSync } from 'node:zlib';
import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  SECRET,
  sign,
  startBillingStage,
  WEBHOOK,
  type BillingStage,
} from '../harness/stages/billing-stage.ts';
import { createCaller, type Reply } from '../harness/clients/client.ts';
import { expectError, problemsOf } from '../harness/clients/envelope.ts';
import type { TestOrg } from '../harness/factories.ts';
import { idOf } from '../harness/clients/id-of.ts';
import { startTestServer } from '../harness/processes/server.ts';

let stage: BillingStage;
let org: TestOrg;
let other: TestOrg;

beforeAll(async () => {
  stage = await startBillingStage();
  org = await stage.newOrg();
  other = await stage.newOrg();
});
afterAll(() => stage.stop());

/** A paid top-up of 500 that the server does not know yet, and the event that reports it. */
async function paidTopup(): Promise<{ id: string; event: Stripe.Event }> {
  await stage.takeEvents();
  const { id } = await stage.buy(org, { pack: 'small' });
  await stage.act(id, 'pay');
  const event = (await stage.takeEvents()).find(
    ({ type }) => type === 'checkout.session.completed',
  );
  if (!event) throw new Error('no event');
  return { id, event };
}

const post = (body: string | Buffer, signature?: string, headers = {}): Promise<Reply> =>
  stage.call('POST', WEBHOOK, {
    body,
    headers: { ...(signature !== undefined && { 'stripe-signature': signature }), ...headers },
  });

const topup = async (whose = org) => (await stage.credits(whose)).topup;
const seconds = (offset = 0) => Math.floor(Date.now() / 1000) + offset;

describe('200', () => {
  it('needs no key, and is an envelope like any other', async () => {
    const { event } = await paidTopup();
    const before = await topup();
    const reply = await stage.send(event);
    expect(reply.status).toBe(200);
    expect(reply.json).toMatchObject({ success: true, data: { received: true } });
    expect(await topup()).toBe(before + 500);
  });

  it('again, for an event that was processed before, which counts once', async () => {
    const { event } = await paidTopup();
    const before = await topup();
    expect((await stage.send(event, { times: 8 })).status).toBe(200);
    expect((await stage.send(event)).status).toBe(200);
    // Another event of the same payment, which still counts once.
    const twin = { ...event, id: 'evt_twin', type: 'checkout.session.async_payment_succeeded' };
    expect((await stage.send(twin)).status).toBe(200);
    expect(await topup()).toBe(before + 500);
  });

  it.each([
    'customer.created',
    'invoice.finalized',
    'checkout.session.expired',
    'charge.refund.updated',
    'no.such.thing',
    'constructor',
    '',
  ])('for an event that we ignore: "%s"', async (type) => {
    const { event } = await paidTopup();
    const before = await topup();
    expect((await stage.send({ ...event, id: `evt_${type}`, type })).status).toBe(200);
    expect(await topup()).toBe(before);
  });

  it('for events that are not ours: nothing is credited, and the provider is not asked about them', async () => {
    const foreign = await stage.stripe.checkout.sessions.create({
      mode: 'payment',
      line_items: [
        {
          price_data: { currency: 'usd', unit_amount: 9_900, product_data: { name: 'Theirs' } },
          quantity: 1,
        },
      ],
      client_reference_id: org.orgId,
      metadata: { orgId: org.orgId },
      success_url: 'https://shop.example',
    });
    await stage.takeEvents();
    await stage.act(foreign.id, 'pay');
    const events = await stage.takeEvents();
    expect(events.map(({ type }) => type)).toContain('checkout.session.completed');
    const { payment_intent: payment } = await stage.stripe.checkout.sessions.retrieve(foreign.id);
    await stage.stripe.refunds.create({ payment_intent: idOf(payment), amount: 100 });
    const before = await stage.entries(org);
    for (const event of [...events, ...(await stage.takeEvents())]) {
      expect((await stage.send(event)).status).toBe(200);
    }
    expect(await stage.entries(org)).toEqual(before);
  });

  it('for a subscription of an unknown customer, or of none', async () => {
    const { id: customer } = await stage.stripe.customers.create({
      metadata: { orgId: org.orgId },
    });
    const checkout = await stage.stripe.checkout.sessions.create({
      mode: 'subscription',
      customer,
      line_items: [{ price: 'sandbox_enterprise_annual', quantity: 1 }],
      subscription_data: { metadata: { orgId: org.orgId } },
      metadata: { orgId: org.orgId },
      success_url: 'https://shop.example',
    });
    await stage.takeEvents();
    await stage.act(checkout.id, 'pay');
    const events = await stage.takeEvents();
    for (const event of events) expect((await stage.send(event)).status).toBe(200);
    const invoice = events.find(({ type }) => type === 'invoice.paid');
    const unknown = JSON.stringify(invoice).replaceAll(/sub_\w+/g, 'sub_unknown');
    const reply = await stage.send({ ...JSON.parse(unknown), id: 'evt_of_nobody' });
    expect(reply.status).toBe(200);
    expect((await stage.account(org))?.['plan']).toBe('free');
  });

  it("never credits whoever the payload names: the checkout's own record decides", async () => {
    const { event } = await paidTopup();
    const before = [await topup(org), await topup(other)];
    const forged = structuredClone(event) as unknown as { data: { object: object } };
    Object.assign(forged.data.object, {
      client_reference_id: other.orgId,
      metadata: { orgId: other.orgId },
      amount_total: 99_999_900,
      customer: 'cus_other',
    });
    expect((await stage.send(forged)).status).toBe(200);
    expect([await topup(org), await topup(other)]).toEqual([before[0]! + 500, before[1]]);
  });

  it('for an unpaid checkout that the payload calls paid: nothing is credited', async () => {
    const { event } = await paidTopup();
    const { id } = await stage.buy(org, { pack: 'large' });
    const before = await topup();
    const forged = JSON.parse(JSON.stringify(event).replaceAll(/cs_test_\w+/g, id));
    expect((await stage.send({ ...forged, id: 'evt_unpaid' })).status).toBe(200);
    expect(await topup()).toBe(before);
  });
});

describe('400: nothing happens', () => {
  const PROBLEM = ['header.stripe-signature invalid_value'];

  it.each([
    ['no signature', () => undefined],
    ['an empty one', () => ''],
    ['nonsense', () => 't=1,v1=zz'],
    ["another endpoint's secret", (body: string) => sign(body, { secret: 'whsec_other' })],
    ['the secret left empty', (body: string) => sign(body, { secret: '' })],
    ['301 s old', (body: string) => sign(body, { time: seconds(-302) })],
    ['301 s in the future', (body: string) => sign(body, { time: seconds(302) })],
    ['of the year 2100', (body: string) => sign(body, { time: 4_102_444_800 })],
    ['no time', (body: string) => sign(body).replace(/t=\d+,/, '')],
    ['two times', (body: string) => `t=${seconds()},${sign(body, { time: seconds(4_000) })}`],
    ['two times, the other way', (body: string) => `${sign(body)},t=${seconds()}`],
    ['another scheme', (body: string) => sign(body).replace('v1=', 'v0=')],
    ['another time than was signed', (body: string) => sign(body).replace(/\d+/, `${seconds(-9)}`)],
    ['a signature that is cut', (body: string) => sign(body).slice(0, -1)],
  ])('%s', async (_, signature) => {
    const { event } = await paidTopup();
    const before = await topup();
    const body = JSON.stringify(event);
    const reply = await post(body, signature(body));
    expect(problemsOf(reply)).toEqual(PROBLEM);
    expect(reply.text).not.toContain(event.id);
    expect(await topup()).toBe(before);
  });

  it('within 300 s in either direction is accepted', async () => {
    const { event } = await paidTopup();
    for (const offset of [-290, 290]) {
      const body = JSON.stringify(event);
      expect((await post(body, sign(body, { time: seconds(offset) }))).status).toBe(200);
    }
  });

  it.each([
    ['written with spaces', (body: string) => JSON.stringify(JSON.parse(body), null, 2)],
    ['with a line break at its end', (body: string) => `${body}\n`],
    ['with its keys in another order', (body: string) => JSON.stringify(reversed(body))],
    ['with another id', (body: string) => body.replace(/evt_\w+/, 'evt_1')],
  ])('a signed body %s', async (_, rewrite) => {
    const { event } = await paidTopup();
    const before = await topup();
    const body = JSON.stringify(event);
    expect(problemsOf(await post(rewrite(body), sign(body)))).toEqual(PROBLEM);
    expect(await topup()).toBe(before);
  });

  function reversed(body: string): object {
    return Object.fromEntries(Object.entries(JSON.parse(body) as object).toReversed());
  }

  it.each(['', 'not json', '{', '\0', '"text', '\ud83d'])(
    'a signed body that is not JSON: %j',
    async (body) => {
      expect(problemsOf(await post(body, sign(body)))).toEqual(PROBLEM);
    },
  );

  it('a body of more than 1 MiB, in another encoding, or none at all', async () => {
    const { event } = await paidTopup();
    const huge = JSON.stringify({ ...event, padding: 'x'.repeat(1_100_000) });
    expectError(await post(huge, sign(huge)), 'VALIDATION_ERROR');
    const zipped = gzipSync(JSON.stringify(event));
    const encoding = { 'content-encoding': 'gzip' };
    expectError(await post(zipped, sign(zipped), encoding), 'VALIDATION_ERROR');
    const none = await stage.call('POST', WEBHOOK, { headers: { 'stripe-signature': sign('') } });
    expectError(none, 'VALIDATION_ERROR');
  });

  it('a large one within the limit is read', async () => {
    const { event } = await paidTopup();
    const big = { ...event, padding: 'x'.repeat(900_000) };
    expect((await stage.send(big)).status).toBe(200);
  });
});

describe('404', () => {
  it.each(['GET', 'PUT', 'DELETE'])('%s: with Allow', async (method) => {
    const reply = await stage.call(method, WEBHOOK);
    expectError(reply, 'NOT_FOUND');
    expect(reply.headers.get('allow')).toContain('POST');
  });
});

describe('409', () => {
  it('without a payment provider, as in production without a key', async () => {
    const server = await startTestServer({ env: { NODE_ENV: 'production' } });
    try {
      const body = '{}';
      const reply = await createCaller(server.origin)('POST', WEBHOOK, {
        body,
        headers: { 'stripe-signature': sign(body) },
      });
      expect(expectError(reply, 'CONFLICT')).toEqual({ reason: 'billing_not_configured' });
    } finally {
      await server.stop();
    }
  });
});

describe('500: the provider sends it again', () => {
  it('if the commit fails, and it counts when it is sent again', async () => {
    const { event } = await paidTopup();
    const before = await topup();
    const { db } = stage.server;
    await db.query(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN RAISE EXCEPTION 'the disk is full'; END $$`,
    );
    // At COMMIT, the last step that can fail.
    await db.query(
      `CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON payment_events
       DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()`,
    );
    try {
      const failed = await stage.send(event);
      expectError(failed, 'INTERNAL_ERROR');
      expect(failed.text).not.toContain('disk');
      expect(await topup()).toBe(before);
    } finally {
      await db.query('DROP TRIGGER refuse ON payment_events');
      await db.query('DROP FUNCTION refuse');
    }
    expect((await stage.send(event)).status).toBe(200);
    expect(await topup()).toBe(before + 500);
  });

  it('if the provider is unreachable', async () => {
    const { event } = await paidTopup();
    const before = await topup();
    const down = await startTestServer({
      shared: { db: stage.server.db, url: undefined, drop: async () => {} },
      env: {
        STRIPE_SECRET_KEY: 'sk_test_x',
        STRIPE_WEBHOOK_SECRET: SECRET,
        STRIPE_API_BASE: 'http://127.0.0.1:9',
      },
    });
    try {
      const body = JSON.stringify(event);
      const reply = await createCaller(down.origin)('POST', WEBHOOK, {
        body,
        headers: { 'stripe-signature': sign(body) },
      });
      expectError(reply, 'INTERNAL_ERROR');
      expect(await topup()).toBe(before);
    } finally {
      await down.stop();
    }
    expect((await stage.send(event)).status).toBe(200);
    expect(await topup()).toBe(before + 500);
  });
});
