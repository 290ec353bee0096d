import { Stripe } from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SANDBOX_PRICES } from '../src/adapters/payments/sandbox/start-sandbox.ts';
import { idOf } from '../src/adapters/payments/sandbox/store.ts';
import { SECRET, startSandboxStage, type SandboxStage } from './harness/sandbox-stage.ts';

let stage: SandboxStage;
let stripe: Stripe;

beforeAll(async () => {
  stage = await startSandboxStage();
  ({ stripe } = stage);
});
afterAll(() => stage.stop());

describe('a top-up', () => {
  it('is paid on the page, once, and told of by signed events', async () => {
    const checkout = await stage.newTopup({
      payment_intent_data: { metadata: { from: 'checkout' } },
    });
    expect(checkout).toMatchObject({
      object: 'checkout.session',
      mode: 'payment',
      amount_total: 2_500,
      currency: 'usd',
      client_reference_id: 'checkout-1',
      metadata: { org: 'org-1' },
      payment_status: 'unpaid',
      status: 'open',
      payment_intent: null,
    });
    expect(checkout.id).toMatch(/^cs_test_\w{40,}$/);
    expect(checkout.url).toBe(`${stage.origin}/sandbox/checkout/${checkout.id}`);
    expect(checkout).not.toHaveProperty('line_items');
    expect(checkout).not.toHaveProperty('bought_metadata');

    const paid = await stage.pay(checkout);
    expect(paid.status).toBe(303);
    expect(paid.headers.get('location')).toBe(`${stage.origin}/thanks?session=${checkout.id}`);

    const after = await stripe.checkout.sessions.retrieve(checkout.id, {
      expand: ['line_items', 'payment_intent.latest_charge'],
    });
    expect(after).toMatchObject({ status: 'complete', payment_status: 'paid', url: null });
    expect(after.line_items?.data[0]?.description).toBe('2,500 credits');
    expect(after.payment_intent).toMatchObject({
      status: 'succeeded',
      amount_received: 2_500,
      metadata: { from: 'checkout' },
      latest_charge: { object: 'charge', paid: true, amount: 2_500 },
    });

    await stage.settled();
    const delivery = stage.deliveries.find(
      ({ event }) =>
        event.type === 'checkout.session.completed' && event.data.object.id === checkout.id,
    );
    const event = stripe.webhooks.constructEvent(
      delivery?.body ?? '',
      delivery?.signature ?? '',
      SECRET,
    );
    expect(event).toMatchObject({
      object: 'event',
      api_version: Stripe.API_VERSION,
      livemode: false,
      data: {
        object: { id: checkout.id, payment_status: 'paid', payment_intent: expect.any(String) },
      },
    });
    expect(() =>
      stripe.webhooks.constructEvent(
        delivery?.body ?? '',
        delivery?.signature ?? '',
        'whsec_other',
      ),
    ).toThrow(/signature/);
    expect(await stripe.events.retrieve(event.id)).toMatchObject({
      id: event.id,
      type: event.type,
    });
    expect(stage.deliveries.filter((each) => each.event.id === event.id)).toHaveLength(1);
  });

  it('that is declined stays open, and can be paid then with the same payment', async () => {
    const checkout = await stage.newTopup();
    const declined = await stage.pay(checkout, 'decline');
    expect(declined.status).toBe(402);
    expect(await declined.text()).toContain('The card was declined.');
    const failed = await stripe.checkout.sessions.retrieve(checkout.id);
    expect(failed).toMatchObject({ status: 'open', payment_status: 'unpaid' });
    const intent = idOf(failed.payment_intent);
    expect(await stripe.paymentIntents.retrieve(intent)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'card_declined' },
    });
    await stage.pay(checkout);
    const paid = await stripe.checkout.sessions.retrieve(checkout.id);
    expect(paid).toMatchObject({ payment_intent: intent, payment_status: 'paid' });
    expect(await stage.eventsOf(intent)).toEqual([
      'payment_intent.payment_failed',
      'payment_intent.succeeded',
      'checkout.session.completed',
    ]);
    const charges = await stripe.charges.list({ payment_intent: intent });
    expect(charges.data.map(({ status }) => status)).toEqual(['succeeded', 'failed']);
  });

  it('whose money comes later is complete and unpaid until it has come', async () => {
    const checkout = await stage.newTopup();
    expect((await stage.pay(checkout, 'pay-later')).status).toBe(303);
    const waiting = await stripe.checkout.sessions.retrieve(checkout.id);
    expect(waiting).toMatchObject({ status: 'complete', payment_status: 'unpaid' });
    await stage.sandbox.renew(new Date(Date.now() + 120_000));
    await stage.sandbox.renew(new Date(Date.now() + 240_000));
    const paid = await stripe.checkout.sessions.retrieve(checkout.id);
    expect(paid.payment_status).toBe('paid');
    expect(await stage.eventsOf(checkout.id)).toEqual([
      'checkout.session.completed',
      'checkout.session.async_payment_succeeded',
    ]);
  });

  it('is paid once by 20 clicks at the same time', async () => {
    const checkout = await stage.newTopup();
    const clicks = await Promise.all(Array.from({ length: 20 }, () => stage.pay(checkout)));
    expect(new Set(clicks.map(({ status }) => status))).toEqual(new Set([303]));
    const { payment_intent: intent } = await stripe.checkout.sessions.retrieve(checkout.id);
    const charges = await stripe.charges.list({ customer: idOf(checkout.customer) });
    expect(charges.data).toMatchObject([{ payment_intent: intent }]);
    expect(await stage.eventsOf(checkout.id)).toEqual(['checkout.session.completed']);
  });

  it('that was expired cannot be paid, and one that is paid cannot be expired', async () => {
    const checkout = await stage.newTopup();
    expect(await stripe.checkout.sessions.expire(checkout.id)).toMatchObject({ status: 'expired' });
    const late = await stage.pay(checkout);
    expect(late.status).toBe(410);
    expect((await stripe.charges.list({ customer: idOf(checkout.customer) })).data).toEqual([]);
    const { checkout: paid } = await stage.paidTopup();
    await expect(stripe.checkout.sessions.expire(paid.id)).rejects.toThrow(/status of `complete`/);
  });

  it('expires after a day by itself', async () => {
    const checkout = await stage.newTopup();
    stage.setNow(new Date(Date.now() + 25 * 3_600_000));
    try {
      expect((await stage.pay(checkout)).status).toBe(410);
      const late = await stripe.checkout.sessions.retrieve(checkout.id);
      expect(late).toMatchObject({ status: 'expired', payment_status: 'unpaid' });
    } finally {
      stage.setNow(undefined);
    }
  });

  it('is refunded in part and then whole, and no more than that', async () => {
    const { intent, charge } = await stage.paidTopup();
    const refund = await stripe.refunds.create({ payment_intent: intent, amount: 500 });
    expect(refund).toMatchObject({ object: 'refund', amount: 500, charge, status: 'succeeded' });
    await expect(stripe.refunds.create({ charge, amount: 2_001 })).rejects.toMatchObject({
      type: 'StripeInvalidRequestError',
      code: 'charge_already_refunded',
    });
    const tries = await Promise.allSettled(
      Array.from({ length: 5 }, () => stripe.refunds.create({ charge })),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await stripe.charges.retrieve(charge, { expand: ['refunds'] })).toMatchObject({
      amount_refunded: 2_500,
      refunded: true,
      refunds: { data: [{ amount: 2_000 }, { amount: 500 }] },
    });
    expect(await stage.eventsOf(charge)).toEqual(['charge.refunded', 'charge.refunded']);
  });
});

describe('a subscription', () => {
  it('begins on the page, with its invoice paid and periods on its item', async () => {
    const { subscription: id, invoice: invoiceId } = await stage.subscribe();
    const subscription = await stripe.subscriptions.retrieve(id);
    const [item] = subscription.items.data;
    expect(subscription).toMatchObject({
      status: 'active',
      cancel_at_period_end: false,
      latest_invoice: invoiceId,
      metadata: { org: 'org-1' },
    });
    expect(item?.price).toMatchObject({
      id: 'sandbox_team_monthly',
      unit_amount: SANDBOX_PRICES['sandbox_team_monthly']?.amount,
      recurring: { interval: 'month' },
    });
    const days = ((item?.current_period_end ?? 0) - (item?.current_period_start ?? 0)) / 86_400;
    expect(days).toBeGreaterThanOrEqual(28);
    expect(days).toBeLessThanOrEqual(31);

    const invoice = await stripe.invoices.retrieve(invoiceId, { expand: ['payments'] });
    expect(invoice).toMatchObject({
      status: 'paid',
      billing_reason: 'subscription_create',
      amount_paid: 8_900,
      parent: { subscription_details: { subscription: id, metadata: { org: 'org-1' } } },
    });
    const intent = idOf(invoice.payments?.data[0]?.payment.payment_intent);
    expect(await stripe.paymentIntents.retrieve(intent)).toMatchObject({ status: 'succeeded' });
    expect(await stripe.invoices.list({ subscription: id })).toMatchObject({
      data: [{ id: invoiceId }],
      has_more: false,
    });
    expect(await stage.eventsOf(id)).toEqual([
      'customer.subscription.created',
      'invoice.paid',
      'checkout.session.completed',
    ]);
  });

  it('changes its plan: dearer is paid now, cheaper is not paid back', async () => {
    const { subscription: id } = await stage.subscribe('sandbox_pro_monthly');
    const item = (await stripe.subscriptions.retrieve(id)).items.data[0];
    const change = (price: string) =>
      stripe.subscriptions.update(id, {
        items: [{ id: item?.id ?? '', price }],
        proration_behavior: 'always_invoice',
      });
    const dearer = await change('sandbox_enterprise_monthly');
    expect(dearer.items.data[0]).toMatchObject({
      price: { id: 'sandbox_enterprise_monthly' },
      current_period_end: item?.current_period_end,
    });
    const invoice = await stripe.invoices.retrieve(idOf(dearer.latest_invoice));
    expect(invoice).toMatchObject({ billing_reason: 'subscription_update', status: 'paid' });
    expect(invoice.amount_paid).toBeGreaterThan(37_000);
    const cheaper = await change('sandbox_pro_monthly');
    expect(cheaper.latest_invoice).toBe(dearer.latest_invoice);
    const annual = await change('sandbox_pro_annual');
    const [renewed] = annual.items.data;
    const days =
      ((renewed?.current_period_end ?? 0) - (renewed?.current_period_start ?? 0)) / 86_400;
    expect([365, 366]).toContain(days);
    expect(await stripe.invoices.retrieve(idOf(annual.latest_invoice))).toMatchObject({
      billing_reason: 'subscription_update',
      status: 'paid',
    });
    await expect(change('sandbox_gold_monthly')).rejects.toMatchObject({
      code: 'resource_missing',
    });
  });

  it('is cancelled at the end of its period, kept after all, and ended at once', async () => {
    const { subscription: id } = await stage.subscribe();
    const ending = await stripe.subscriptions.update(id, { cancel_at_period_end: true });
    expect(ending.cancel_at).toBe(ending.items.data[0]?.current_period_end);
    const kept = await stripe.subscriptions.update(id, { cancel_at_period_end: false });
    expect(kept).toMatchObject({ cancel_at: null, canceled_at: null, status: 'active' });
    const ended = await stripe.subscriptions.cancel(id, {}, { idempotencyKey: `end-${id}` });
    expect(ended).toMatchObject({ status: 'canceled', ended_at: expect.any(Number) });
    await expect(stripe.subscriptions.cancel(id)).rejects.toMatchObject({ statusCode: 404 });
    await expect(
      stripe.subscriptions.update(id, { cancel_at_period_end: true }),
    ).rejects.toMatchObject({ statusCode: 400 });
    expect((await stage.eventsOf(id)).slice(-3)).toEqual([
      'customer.subscription.updated',
      'customer.subscription.updated',
      'customer.subscription.deleted',
    ]);
    const customer = idOf(ended.customer);
    expect((await stripe.subscriptions.list({ customer })).data).toEqual([]);
    expect((await stripe.subscriptions.list({ customer, status: 'all' })).data).toHaveLength(1);
  });
});
