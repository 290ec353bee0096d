import { Stripe } from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox } from '../src/index.ts';
import { SECRET, startSandboxStage, TOPUP, type SandboxStage } from './stage.ts';

let stage: SandboxStage;
let stripe: Stripe;

beforeAll(async () => {
  stage = await startSandboxStage();
  ({ stripe } = stage);
});
afterAll(() => stage.stop());

describe('idempotency keys', () => {
  it('return the same response to the same call, also concurrently and from another process', async () => {
    const call = (client: Stripe, name: string) =>
      client.customers.create({ name }, { idempotencyKey: 'create-acme' });
    const made = await Promise.all(Array.from({ length: 10 }, () => call(stripe, 'Acme')));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    const other = await stage.newSandbox();
    const { host, port } = other;
    const again = await call(new Stripe('sk_test_other', { host, port, protocol: 'http' }), 'Acme');
    expect(again.id).toBe(made[0]?.id);
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
    await other.close();
    await expect(call(stripe, 'Other')).rejects.toMatchObject({
      type: 'StripeIdempotencyError',
      statusCode: 400,
    });
  });

  it('can be used again after a call that failed', async () => {
    const options = { idempotencyKey: 'portal-1' };
    await expect(
      stripe.billingPortal.sessions.create({ customer: 'cus_none' }, options),
    ).rejects.toMatchObject({ code: 'resource_missing', param: 'customer', statusCode: 400 });
    const { id: customer } = await stage.newCustomer();
    const portal = await stripe.billingPortal.sessions.create({ customer }, options);
    expect(portal.url).toBe(`${stage.origin}/sandbox/portal/${portal.id}`);
  });
});

describe('errors', () => {
  it.each([
    ['an unknown object', () => stripe.charges.retrieve('ch_none'), 404, 'resource_missing'],
    [
      'an unknown price',
      () => stage.newTopup({ mode: 'subscription', line_items: [{ price: 'x' }] }),
      400,
      'resource_missing',
    ],
    [
      'a javascript: URL',
      () => stage.newTopup({ success_url: 'javascript:alert(1)' }),
      400,
      'url_invalid',
    ],
    ['a data: URL', () => stage.newTopup({ cancel_url: 'data:text/html,x' }), 400, 'url_invalid'],
    ['no items', () => stage.newTopup({ line_items: [] }), 400, 'parameter_missing'],
    ['a NUL', () => stripe.customers.create({ name: 'a\0b' }), 400, undefined],
    ['a fraction', () => stage.newTopup(topupOf(1.5)), 400, 'parameter_invalid_integer'],
    ['an unknown path', () => stripe.coupons.list(), 404, undefined],
    [
      'a property that cannot be expanded',
      () => stripe.events.list({ expand: ['x'] }),
      400,
      undefined,
    ],
  ] as [string, () => Promise<unknown>, number, string | undefined][])(
    '%s',
    async (_name, call, statusCode, code) => {
      await expect(call()).rejects.toMatchObject({
        type: 'StripeInvalidRequestError',
        statusCode,
        code,
        requestId: expect.stringMatching(/^req_/),
      });
    },
  );

  const topupOf = (unit_amount: number) => ({
    line_items: [{ ...TOPUP, price_data: { ...TOPUP.price_data, unit_amount } }],
  });

  it('401: no key', async () => {
    const { host, port } = stage.sandbox;
    const reply = await fetch(`http://${host}:${port}/v1/customers`);
    expect(reply.status).toBe(401);
    expect(await reply.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
  });

  it('does not run in production', async () => {
    const before = process.env['NODE_ENV'];
    process.env['NODE_ENV'] = 'production';
    try {
      await expect(startSandbox({} as never)).rejects.toThrow(/production.*STRIPE_SECRET_KEY/);
    } finally {
      process.env['NODE_ENV'] = before;
    }
  });
});

describe('webhooks', () => {
  it('are retried until they are accepted, with the same event each time', async () => {
    await stage.settled();
    stage.refuse(2);
    const before = stage.deliveries.length;
    await stage.subscribe();
    await stage.settled();
    const seen = stage.deliveries.slice(before).map(({ event }) => event.id);
    expect(seen).toHaveLength(4);
    expect(new Set(seen).size).toBe(2);
    for (const { body, signature } of stage.deliveries.slice(before)) {
      expect(() => stripe.webhooks.constructEvent(body, signature, SECRET)).not.toThrow();
    }
  });

  it('use a secret that all processes share, if none is configured', async () => {
    const start = () =>
      startSandbox({
        db: stage.database.db,
        enqueueDelivery() {},
        log: { info() {}, error() {} },
        publicUrl: () => stage.origin,
        webhookUrl: () => stage.origin,
      });
    const sandboxes = await Promise.all([start(), start(), start()]);
    expect(new Set(sandboxes.map(({ webhookSecret }) => webhookSecret)).size).toBe(1);
    expect(sandboxes[0]?.webhookSecret).toMatch(/^whsec_\w{40,}$/);
    await Promise.all(sandboxes.map((each) => each.close()));
  });
});
