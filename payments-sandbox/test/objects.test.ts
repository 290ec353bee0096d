import { Stripe } from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBank } from '../../server/test/harness/models/bank.ts';
import { idOf } from '../../server/test/harness/clients/id-of.ts';
import { SANDBOX_PRICES } from '../src/prices.ts';
import { SECRET, startSandboxStage, type SandboxStage } from './stage.ts';

let stage: SandboxStage;
let stripe: Stripe;

beforeAll(async () => {
  stage = await startSandboxStage();
  ({ stripe } = stage);
});
afterAll(() => stage.stop());

describe('a top-up', () => {
  it('is paid on the page, once, and reported by signed events', async () => {
    const checkout = await stage.newTopup();
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

  it('that is declined stays open and can still be paid', async () => {
    const checkout = await stage.newTopup();
    const declined = await stage.pay(checkout, 'decline');
    expect(declined.status).toBe(402);
    expect(await declined.text()).toContain('Your card was declined.');
    const failed = await stripe.checkout.sessions.retrieve(checkout.id);
    expect(failed).toMatchObject({ status: 'open', payment_status: 'unpaid' });
    await stage.pay(checkout);
    const paid = await stripe.checkout.sessions.retrieve(checkout.id);
    expect(paid).toMatchObject({ status: 'complete', payment_status: 'paid' });
    expect(await stage.eventsOf(checkout.id)).toEqual(['checkout.session.completed']);
    const charges = await stripe.charges.list({ payment_intent: idOf(paid.payment_intent) });
    expect(charges.data.map(({ status }) => status)).toEqual(['succeeded']);
  });

  it('that a bank debit pays is complete, and unpaid until the money arrives', async () => {
    const checkout = await stage.newTopup();
    const bank = createBank(stage.host);
    await bank.debit(checkout.id);
    const waiting = await stripe.checkout.sessions.retrieve(checkout.id);
    expect(waiting).toMatchObject({ status: 'complete', payment_status: 'unpaid' });
    await bank.settle(checkout.id);
    const paid = await stripe.checkout.sessions.retrieve(checkout.id);
    expect(paid.payment_status).toBe('paid');
    expect(await stage.eventsOf(checkout.id)).toEqual([
      'checkout.session.completed',
      'checkout.session.async_payment_succeeded',
    ]);
  });

  it('is paid once by 20 concurrent clicks', async () => {
    const checkout = await stage.newTopup();
    const clicks = await Promise.all(Array.from({ length: 20 }, () => stage.pay(checkout)));
    expect(new Set(clicks.map(({ status }) => status))).toEqual(new Set([303]));
    const { payment_intent: intent } = await stripe.checkout.sessions.retrieve(checkout.id);
    const charges = await stripe.charges.list({ customer: idOf(checkout.customer) });
    expect(charges.data).toMatchObject([{ payment_intent: intent }]);
    expect(await stage.eventsOf(checkout.id)).toEqual(['checkout.session.completed']);
  });

  it('cannot be paid after a day', async () => {
    const checkout = await stage.newTopup();
    stage.setNow(new Date(Date.now() + 25 * 3_600_000));
    try {
      expect((await fetch(checkout.url ?? '')).status).toBe(410);
      expect((await stage.pay(checkout)).status).toBe(410);
      const late = await stripe.checkout.sessions.retrieve(checkout.id);
      expect(late).toMatchObject({ status: 'expired', payment_status: 'unpaid' });
      expect((await stripe.charges.list({ customer: idOf(checkout.customer) })).data).toEqual([]);
    } finally {
      stage.setNow(undefined);
    }
  });

  it('is refunded in part, then in full, and never beyond that', async () => {
    const { intent, charge } = await stage.paidTopup();
    const refund = await stripe.refunds.create({ payment_intent: intent, amount: 500 });
    expect(refund).toMatchObject({ object: 'refund', amount: 500, charge, status: 'succeeded' });
    const tooMuch = { payment_intent: intent, amount: 2_001 };
    await expect(stripe.refunds.create(tooMuch)).rejects.toMatchObject({
      type: 'StripeInvalidRequestError',
      code: 'charge_already_refunded',
    });
    const tries = await Promise.allSettled(
      Array.from({ length: 5 }, () => stripe.refunds.create({ payment_intent: intent })),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await stripe.charges.retrieve(charge)).toMatchObject({
      amount_refunded: 2_500,
      refunded: true,
    });
    expect(await stage.eventsOf(charge)).toEqual(['charge.refunded', 'charge.refunded']);
  });

  it('cannot be refunded while a bank disputes it', async () => {
    const { intent, charge } = await stage.paidTopup();
    const bank = createBank(stage.host);
    await bank.dispute(charge);
    const [dispute] = (await stripe.disputes.list({ charge })).data;
    expect(dispute).toMatchObject({ status: 'needs_response', amount: 2_500 });
    await expect(stripe.refunds.create({ payment_intent: intent })).rejects.toMatchObject({
      code: 'charge_disputed',
    });
    await bank.closeDispute(charge, 'lost');
    expect(await stripe.disputes.retrieve(dispute?.id ?? '')).toMatchObject({ status: 'lost' });
    expect(await stage.eventsOf(dispute?.id ?? '')).toEqual([
      'charge.dispute.created',
      'charge.dispute.closed',
    ]);
  });
});

describe('a subscription', () => {
  it('begins on the page, with a paid invoice and a period on its item', async () => {
    const { subscription: id, invoice: invoiceId } = await stage.subscribe();
    const subscription = await stripe.subscriptions.retrieve(id);
    const [item] = subscription.items.data;
    expect(subscription).toMatchObject({
      status: 'active',
      cancel_at_period_end: false,
      latest_invoice: invoiceId,
    });
    expect(item?.price).toMatchObject({
      id: 'sandbox_team_monthly',
      unit_amount: SANDBOX_PRICES.get('sandbox_team_monthly')?.unit_amount,
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
      parent: { subscription_details: { subscription: id } },
    });
    const intent = idOf(invoice.payments?.data[0]?.payment.payment_intent);
    expect(await stripe.paymentIntents.retrieve(intent)).toMatchObject({ status: 'succeeded' });
    const customer = idOf(subscription.customer);
    expect(await stripe.invoices.list({ customer })).toMatchObject({ data: [{ id: invoiceId }] });
    expect(await stage.eventsOf(id)).toEqual(['invoice.paid', 'checkout.session.completed']);
  });

  it('changes its plan: a more expensive one is paid now, a cheaper one is not refunded', async () => {
    const { subscription: id } = await stage.subscribe('sandbox_pro_monthly');
    const item = (await stripe.subscriptions.retrieve(id)).items.data[0];
    const change = async (price: string) => {
      expect((await stage.actOnPortal(id, 'change', price)).status).toBe(303);
      return stripe.subscriptions.retrieve(id);
    };
    const dearer = await change('sandbox_enterprise_monthly');
    expect(dearer.items.data[0]).toMatchObject({
      price: { id: 'sandbox_enterprise_monthly' },
      current_period_end: item?.current_period_end,
    });
    const invoice = await stripe.invoices.retrieve(idOf(dearer.latest_invoice));
    expect(invoice).toMatchObject({ billing_reason: 'subscription_update', status: 'paid' });
    expect(invoice.amount_paid).toBe(38_000);
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
    expect((await stage.actOnPortal(id, 'change', 'sandbox_gold_monthly')).status).toBe(409);
  });

  it('is cancelled at period end, resumed, and ended at once', async () => {
    const { subscription: id } = await stage.subscribe();
    await stage.actOnPortal(id, 'cancel');
    const ending = await stripe.subscriptions.retrieve(id);
    expect(ending).toMatchObject({ cancel_at_period_end: true, status: 'active' });
    await stage.actOnPortal(id, 'resume');
    const kept = await stripe.subscriptions.retrieve(id);
    expect(kept).toMatchObject({ cancel_at_period_end: false, status: 'active' });
    const ended = await stripe.subscriptions.cancel(id, {}, { idempotencyKey: `end-${id}` });
    expect(ended).toMatchObject({ status: 'canceled', ended_at: expect.any(Number) });
    await expect(stripe.subscriptions.cancel(id)).rejects.toMatchObject({ statusCode: 404 });
    expect((await stage.actOnPortal(id, 'cancel')).status).toBe(409);
    expect((await stage.eventsOf(id)).slice(-3)).toEqual([
      'customer.subscription.updated',
      'customer.subscription.updated',
      'customer.subscription.deleted',
    ]);
  });
});
