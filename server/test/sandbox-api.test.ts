import { Stripe } from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refuseProduction, startSandbox } from '../src/adapters/payments/sandbox/start-sandbox.ts';
import { SECRET, startSandboxStage, TOPUP, type SandboxStage } from './harness/sandbox-stage.ts';

let stage: SandboxStage;
let stripe: Stripe;

beforeAll(async () => {
  stage = await startSandboxStage();
  ({ stripe } = stage);
});
afterAll(() => stage.stop());

describe('idempotency keys', () => {
  it('give the same answer to the same call, from many at once too, and after a restart', async () => {
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

  it('are free again when nothing was done', async () => {
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
      () => stage.newTopup({ line_items: [{ price: 'x' }] }),
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
    ['too little', () => stage.newTopup(topupOf(49)), 400, 'amount_too_small'],
    ['a fraction', () => stage.newTopup(topupOf(1.5)), 400, 'parameter_invalid_integer'],
    ['an unknown path', () => stripe.coupons.list(), 404, undefined],
    ['what cannot be expanded', () => stripe.events.list({ expand: ['x'] }), 400, undefined],
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

  it('never run in production', async () => {
    expect(() => refuseProduction('production')).toThrow(/NODE_ENV.*STRIPE_SECRET_KEY/);
    expect(() => refuseProduction(undefined)).not.toThrow();
    const before = process.env['NODE_ENV'];
    process.env['NODE_ENV'] = 'production';
    try {
      await expect(startSandbox({} as never)).rejects.toThrow(/NODE_ENV/);
    } finally {
      process.env['NODE_ENV'] = before;
    }
  });
});

describe('webhooks', () => {
  it('are tried again until they are taken, with the same event each time', async () => {
    await stage.settled();
    stage.refuse(2);
    const before = stage.deliveries.length;
    await stage.subscribe();
    await stage.settled();
    const seen = stage.deliveries.slice(before).map(({ event }) => event.id);
    expect(seen).toHaveLength(6);
    expect(new Set(seen).size).toBe(4);
    for (const { body, signature } of stage.deliveries.slice(before)) {
      expect(() => stripe.webhooks.constructEvent(body, signature, SECRET)).not.toThrow();
    }
  });

  it('that no job delivers any more are queued again, for three days', async () => {
    await stage.settled();
    const { checkout } = await stage.paidTopup();
    await stage.settled();
    // As when its job died: not delivered, and nothing queued.
    const forget = () =>
      stage.database.db.query(
        `UPDATE sandbox_objects SET due_at = now() - interval '2 seconds'
         WHERE type = 'event' AND data @> $1::jsonb`,
        [{ type: 'checkout.session.completed', data: { object: { id: checkout.id } } }],
      );
    await forget();
    const count = () => stage.deliveries.filter(({ event }) => isAbout(event, checkout.id)).length;
    const before = count();
    await Promise.all(Array.from({ length: 5 }, () => stage.sandbox.renew()));
    await stage.settled();
    expect(count()).toBe(before + 1);
    await forget();
    await stage.sandbox.renew(new Date(Date.now() + 10 * 86_400_000));
    await stage.settled();
    expect(count()).toBe(before + 1);
  });

  it('have a secret that all processes share, where none is given', async () => {
    const start = () =>
      startSandbox({
        db: stage.database.db,
        jobs: { enqueue() {} },
        log: { info() {} } as never,
        publicUrl: () => stage.origin,
        webhookUrl: () => stage.origin,
      });
    const sandboxes = await Promise.all([start(), start(), start()]);
    expect(new Set(sandboxes.map(({ webhookSecret }) => webhookSecret)).size).toBe(1);
    expect(sandboxes[0]?.webhookSecret).toMatch(/^whsec_\w{40,}$/);
    await Promise.all(sandboxes.map((each) => each.close()));
  });
});

function isAbout(event: Stripe.Event, id: string): boolean {
  return event.type === 'checkout.session.completed' && event.data.object.id === id;
}
