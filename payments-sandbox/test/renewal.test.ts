import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idOf } from '../../server/test/harness/clients/id-of.ts';
import { startSandboxStage, type SandboxStage } from './stage.ts';

let stage: SandboxStage;
let stripe: Stripe;

beforeAll(async () => {
  stage = await startSandboxStage();
  ({ stripe } = stage);
});
afterAll(() => stage.stop());

/** The 31st, a day that February does not have. */
const START = new Date('2027-01-31T10:00:00Z');
const at = (iso: string) => Math.floor(Date.parse(iso) / 1000);

async function subscribe(price = 'sandbox_pro_monthly'): Promise<string> {
  stage.setNow(START);
  const { id: customer } = await stripe.customers.create({ name: 'Acme' });
  const checkout = await stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price, quantity: 1 }],
    customer,
    success_url: `${stage.origin}/thanks`,
  });
  await stage.post(checkout.url ?? '', { action: 'pay' });
  const { subscription } = await stripe.checkout.sessions.retrieve(checkout.id);
  return idOf(subscription);
}

async function look(id: string) {
  const subscription = await stripe.subscriptions.retrieve(id);
  const [item] = subscription.items.data;
  const invoices = await invoicesOf(id);
  return {
    status: subscription.status,
    start: item?.current_period_start,
    end: item?.current_period_end,
    invoices: invoices.map(({ status, billing_reason: reason }) => `${reason}: ${status}`),
  };
}

/** Newest first. */
async function invoicesOf(id: string): Promise<Stripe.Invoice[]> {
  const customer = idOf((await stripe.subscriptions.retrieve(id)).customer);
  return (await stripe.invoices.list({ customer, limit: 100 })).data;
}

const act = (id: string, action: string) => stage.actOnPortal(id, action);

async function moveTo(iso: string) {
  stage.setNow(new Date(iso));
  // Four processes; each renewal must happen once.
  await Promise.all(Array.from({ length: 4 }, () => stage.sandbox.renew()));
}

describe('a renewal', () => {
  it('is paid when the period is over, and not before', async () => {
    const id = await subscribe();
    await moveTo('2027-02-28T09:59:59Z');
    expect(await look(id)).toMatchObject({ end: at('2027-02-28T10:00:00Z') });
    await moveTo('2027-02-28T10:00:00Z');
    expect(await look(id)).toEqual({
      status: 'active',
      start: at('2027-02-28T10:00:00Z'),
      end: at('2027-03-31T10:00:00Z'),
      invoices: ['subscription_cycle: paid', 'subscription_create: paid'],
    });
    expect((await stage.eventsOf(id)).slice(-2)).toEqual([
      'invoice.paid',
      'customer.subscription.updated',
    ]);
  });

  it('catches up after half a year, once per month', async () => {
    const id = await subscribe();
    await moveTo('2027-07-31T10:00:01Z');
    const after = await look(id);
    expect(after).toMatchObject({
      start: at('2027-07-31T10:00:00Z'),
      end: at('2027-08-31T10:00:00Z'),
    });
    expect(after.invoices).toHaveLength(7);
    await moveTo('2027-07-31T10:00:02Z');
    expect(await look(id)).toEqual(after);
    const events = await stage.eventsOf(id);
    expect(events.filter((type) => type === 'invoice.paid')).toHaveLength(7);
  });

  it('happens once a year for an annual plan', async () => {
    const id = await subscribe('sandbox_team_annual');
    await moveTo('2028-01-31T09:59:59Z');
    expect((await look(id)).invoices).toHaveLength(1);
    await moveTo('2028-01-31T10:00:00Z');
    expect(await look(id)).toMatchObject({ end: at('2029-01-31T10:00:00Z') });
  });

  it('does not happen if the plan was cancelled: it ends', async () => {
    const id = await subscribe();
    await act(id, 'cancel');
    await moveTo('2027-05-01T00:00:00Z');
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({
      status: 'canceled',
      ended_at: at('2027-02-28T10:00:00Z'),
    });
    expect((await look(id)).invoices).toEqual(['subscription_create: paid']);
    expect((await stage.eventsOf(id)).at(-1)).toBe('customer.subscription.deleted');
  });

  it('that is declined is retried three days later', async () => {
    const id = await subscribe();
    await act(id, 'decline-on');
    await moveTo('2027-02-28T10:00:00Z');
    expect(await look(id)).toMatchObject({
      status: 'past_due',
      start: at('2027-02-28T10:00:00Z'),
      invoices: ['subscription_cycle: open', 'subscription_create: paid'],
    });
    const [failed] = await invoicesOf(id);
    expect(failed).toMatchObject({
      amount_paid: 0,
      attempt_count: 1,
      next_payment_attempt: at('2027-03-03T10:00:00Z'),
    });
    expect((await stage.eventsOf(id)).slice(-2)).toEqual([
      'invoice.payment_failed',
      'customer.subscription.updated',
    ]);
    await moveTo('2027-03-03T10:00:00Z');
    expect(await look(id)).toMatchObject({
      status: 'active',
      invoices: ['subscription_cycle: paid', 'subscription_create: paid'],
    });
    const paid = await stripe.invoices.retrieve(failed?.id ?? '', { expand: ['payments'] });
    const [payment] = paid.payments?.data ?? [];
    expect(payment?.status).toBe('paid');
    const intent = idOf(payment?.payment.payment_intent);
    expect(await stripe.paymentIntents.retrieve(intent)).toMatchObject({ status: 'succeeded' });
  });

  it('that is declined four times ends the plan', async () => {
    const id = await subscribe();
    for (const day of ['2027-02-28', '2027-03-03', '2027-03-06', '2027-03-09']) {
      expect((await look(id)).status).not.toBe('canceled');
      await act(id, 'decline-on');
      await moveTo(`${day}T10:00:00Z`);
    }
    expect(await look(id)).toMatchObject({
      status: 'canceled',
      invoices: ['subscription_cycle: uncollectible', 'subscription_create: paid'],
    });
    const events = await stage.eventsOf(id);
    expect(events.filter((type) => type === 'invoice.payment_failed')).toHaveLength(4);
  });

  it('can be triggered, and an open invoice paid, on the portal page', async () => {
    const id = await subscribe();
    expect((await act(id, 'end-period')).status).toBe(409);
    stage.setNow(new Date('2027-01-31T10:20:00Z'));
    await act(id, 'decline-on');
    expect((await act(id, 'end-period')).status).toBe(303);
    expect(await look(id)).toMatchObject({
      status: 'past_due',
      start: at('2027-01-31T10:20:00Z'),
      end: at('2027-02-28T10:20:00Z'),
    });
    const { customer } = await stripe.subscriptions.retrieve(id);
    const { url } = await stripe.billingPortal.sessions.create({ customer: idOf(customer) });
    expect(await (await fetch(url)).text()).toContain('Pay open invoice');
    expect((await act(id, 'pay-invoice')).status).toBe(303);
    expect(await look(id)).toMatchObject({ status: 'active' });
    expect((await act(id, 'pay-invoice')).status).toBe(409);
  });
});
