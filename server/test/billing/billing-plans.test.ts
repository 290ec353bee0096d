import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startBillingStage, type BillingStage } from '../harness/stages/billing-stage.ts';
import type { TestOrg } from '../harness/factories.ts';
import { idOf } from '../harness/clients/id-of.ts';

/** Stripe's SDK and the sandbox, end to end: from the plan's first payment to its end. */
let stage: BillingStage;
let org: TestOrg;

beforeAll(async () => {
  stage = await startBillingStage();
});
beforeEach(async () => {
  stage.setNow(undefined);
  await stage.takeEvents();
  org = await stage.newOrg();
});
afterAll(() => stage.stop());

/** Ends a plan's period; the plans of other tests' orgs are renewed as well. */
async function endPeriod(subscription: string): Promise<void> {
  const { items } = await stage.stripe.subscriptions.retrieve(subscription);
  stage.setNow(new Date((items.data[0]?.current_period_end ?? 0) * 1000));
  await stage.sandbox.renew();
}

async function renew(subscription: string): Promise<void> {
  await endPeriod(subscription);
  await stage.deliver();
}

describe('a plan', () => {
  it('grants its credits when it is paid; those of the free plan expire', async () => {
    expect(await stage.credits(org)).toMatchObject({ plan: 'free', included: 200 });
    const { id } = await stage.buy(org, { plan: 'pro' });
    await stage.act(id, 'decline');
    await stage.deliver();
    expect(await stage.credits(org)).toMatchObject({ plan: 'free' });
    await stage.act(id, 'pay');
    await stage.deliver();
    const { renewsAt, ...credits } = await stage.credits(org);
    expect(credits).toEqual({
      balance: 2_000,
      reserved: 0,
      included: 2_000,
      topup: 0,
      plan: 'pro',
    });
    expect(Date.parse(renewsAt ?? '') - Date.now()).toBeGreaterThan(27 * 86_400_000);
    expect(await stage.entries(org)).toEqual(['GRANT 200', 'LAPSE -200', 'GRANT 2000']);
    const again = await stage.call('POST', '/api/billing/checkout', {
      key: org.owner.key,
      body: { plan: 'team' },
    });
    expect(again.status).toBe(409);
    expect(again.json.error.details).toEqual({ reason: 'subscription_active' });
  });

  it('ends the same whatever the order of its events', async () => {
    await stage.pay(org, { plan: 'team', interval: 'annual' });
    const events = await stage.takeEvents();
    for (const event of events.toReversed()) {
      expect((await stage.send(event, { times: 3 })).status).toBe(200);
    }
    expect(await stage.credits(org)).toMatchObject({ plan: 'team', balance: 10_000 });
    expect(await stage.entries(org)).toEqual(['GRANT 10000']);
  });

  it('renews: new credits are granted, the rest expires, bought ones stay', async () => {
    const subscription = await stage.subscriptionOf(await stage.pay(org, { plan: 'pro' }));
    await stage.pay(org, { pack: 'small' });
    await stage.deliver();
    await stage.server.db.query(
      `INSERT INTO ledger_entries (org_id, id, kind, credits, source)
       VALUES ($1, 'spent', 'USAGE', -300, 'message:spent')`,
      [org.orgId],
    );
    await renew(subscription);
    expect(await stage.credits(org)).toMatchObject({ balance: 2_500, included: 2_000, topup: 500 });
    expect((await stage.entries(org)).slice(-2)).toEqual(['LAPSE -1700', 'GRANT 2000']);
  });

  it('whose renewal fails keeps its name, and gets no credits until the invoice is paid', async () => {
    const subscription = await stage.subscriptionOf(await stage.pay(org, { plan: 'pro' }));
    await stage.deliver();
    await stage.actOnPortal(org, { subscription, action: 'decline-on' });
    await renew(subscription);
    expect(await stage.account(org)).toMatchObject({ plan: 'pro', isPaid: false });
    expect(await stage.entries(org)).toEqual(['GRANT 2000']);
    expect(await stage.actOnPortal(org, { subscription, action: 'pay-invoice' })).toBe(303);
    await stage.deliver();
    expect(await stage.account(org)).toMatchObject({ plan: 'pro', isPaid: true });
    expect(await stage.entries(org)).toEqual(['GRANT 2000', 'LAPSE -2000', 'GRANT 2000']);
  });

  it('renewed by Stripe is `active` before it is paid, which grants nothing yet', async () => {
    const subscription = await stage.subscriptionOf(await stage.pay(org, { plan: 'pro' }));
    await stage.deliver();
    await endPeriod(subscription);
    const events = (await stage.takeEvents()).filter((event) =>
      JSON.stringify(event).includes(subscription),
    );
    const setInvoice = (status: string) =>
      stage.server.db.query(
        `UPDATE sandbox_objects SET data = jsonb_set(data, '{status}', to_jsonb($2::text))
         WHERE type = 'invoice' AND id = (SELECT data->>'latest_invoice' FROM sandbox_objects WHERE id = $1)`,
        [subscription, status],
      );
    await setInvoice('draft');
    for (const event of events) expect((await stage.send(event)).status).toBe(200);
    expect(await stage.account(org)).toMatchObject({ isPaid: false });
    expect(await stage.entries(org)).toEqual(['GRANT 2000']);
    await setInvoice('paid');
    const paid = events.find(({ type }) => type === 'invoice.paid');
    await stage.send({ ...paid, id: 'evt_paid_now' });
    expect(await stage.entries(org)).toEqual(['GRANT 2000', 'LAPSE -2000', 'GRANT 2000']);
  });

  it('whose payments keep failing ends, and the org is on the free plan', async () => {
    const subscription = await stage.subscriptionOf(await stage.pay(org, { plan: 'pro' }));
    await stage.deliver();
    await stage.actOnPortal(org, { subscription, action: 'decline-on' });
    await endPeriod(subscription);
    const renewedAt = stage.now();
    for (const days of [3, 6, 9]) {
      await stage.actOnPortal(org, { subscription, action: 'decline-on' });
      stage.setNow(new Date(renewedAt.getTime() + days * 86_400_000));
      await stage.sandbox.renew();
    }
    await stage.deliver();
    expect(await stage.account(org)).toMatchObject({ plan: 'free', subscriptionId: null });
    expect(await stage.credits(org)).toMatchObject({ plan: 'free', included: 200, balance: 200 });
  });

  it('is cancelled with its period, resumed, and ends when the period is over', async () => {
    const subscription = await stage.subscriptionOf(await stage.pay(org, { plan: 'team' }));
    await stage.actOnPortal(org, { subscription, action: 'cancel' });
    await stage.deliver();
    expect(await stage.account(org)).toMatchObject({ plan: 'team', endsWithPeriod: true });
    await stage.actOnPortal(org, { subscription, action: 'resume' });
    await stage.deliver();
    expect(await stage.account(org)).toMatchObject({ endsWithPeriod: false });
    await stage.actOnPortal(org, { subscription, action: 'cancel' });
    await stage.deliver();
    expect(await stage.credits(org)).toMatchObject({ plan: 'team', included: 10_000 });
    await renew(subscription);
    expect(await stage.account(org)).toMatchObject({ plan: 'free', subscriptionId: null });
    expect(await stage.credits(org)).toMatchObject({ balance: 200, included: 200 });
    // A plan can be bought again.
    expect((await stage.buy(org, { plan: 'pro' })).url).toContain('/sandbox/checkout/');
  });

  it('changes in the portal: the new plan grants its credits at once, and no plan twice', async () => {
    const subscription = await stage.subscriptionOf(await stage.pay(org, { plan: 'pro' }));
    await stage.deliver();
    const change = async (price: string) => {
      await stage.actOnPortal(org, { subscription, action: 'change', price });
      await stage.deliver();
    };
    await change('sandbox_team_monthly');
    expect(await stage.credits(org)).toMatchObject({ plan: 'team', balance: 10_000 });
    await change('sandbox_pro_monthly');
    expect(await stage.credits(org)).toMatchObject({ plan: 'pro', balance: 0 });
    await change('sandbox_team_monthly');
    expect(await stage.credits(org)).toMatchObject({ plan: 'team', balance: 0 });
    expect(await stage.entries(org)).toEqual([
      'GRANT 2000',
      'LAPSE -2000',
      'GRANT 10000',
      'LAPSE -10000',
    ]);
  });

  it('also renews on the day it began, if the period is ended by hand', async () => {
    const subscription = await stage.subscriptionOf(await stage.pay(org, { plan: 'pro' }));
    await stage.deliver();
    stage.setNow(new Date(Date.now() + 5_000));
    expect(await stage.actOnPortal(org, { subscription, action: 'end-period' })).toBe(303);
    await stage.deliver();
    expect(await stage.entries(org)).toEqual(['GRANT 2000', 'LAPSE -2000', 'GRANT 2000']);
  });
});

describe('a second subscription that completes anyway', () => {
  it('is cancelled and refunded; the first one stays', async () => {
    const first = await stage.buy(org, { plan: 'pro' });
    const second = await stage.buy(org, { plan: 'team' });
    await stage.act(first.id, 'pay');
    await stage.deliver();
    await stage.act(second.id, 'pay');
    await stage.deliver();
    await stage.deliver();
    const kept = await stage.stripe.subscriptions.retrieve(await stage.subscriptionOf(first.id));
    const ended = await stage.stripe.subscriptions.retrieve(await stage.subscriptionOf(second.id));
    expect([kept.status, ended.status]).toEqual(['active', 'canceled']);
    const { data: charges } = await stage.stripe.charges.list({ customer: idOf(ended.customer) });
    expect(charges.map(({ amount, amount_refunded: back }) => [amount, back])).toEqual([
      [8_900, 8_900],
      [1_900, 0],
    ]);
    expect(await stage.account(org)).toMatchObject({ plan: 'pro', subscriptionId: kept.id });
    expect(await stage.entries(org)).toEqual(['GRANT 2000']);
  });

  it('whichever is reported first stays, and the other is refunded once', async () => {
    const checkouts = [
      await stage.buy(org, { plan: 'pro' }),
      await stage.buy(org, { plan: 'team' }),
    ];
    for (const { id } of checkouts) await stage.act(id, 'pay');
    const events = await stage.takeEvents();
    for (const event of events.toReversed()) await stage.send(event, { times: 4 });
    await stage.settled();
    await stage.deliver();
    const states = await Promise.all(
      checkouts.map(async ({ id }) => {
        const found = await stage.stripe.subscriptions.retrieve(await stage.subscriptionOf(id));
        return found.status;
      }),
    );
    expect(states).toEqual(['canceled', 'active']);
    const { subscriptionId } = (await stage.account(org)) ?? {};
    const { customer } = await stage.stripe.subscriptions.retrieve(String(subscriptionId));
    const { data: refunds } = await stage.stripe.charges.list({ customer: idOf(customer) });
    expect(refunds.filter(({ refunded }) => refunded)).toHaveLength(1);
  });

  it('is not a late event of one that has ended: that one was used, and is not refunded', async () => {
    const first = await stage.pay(org, { plan: 'pro' });
    const subscription = await stage.subscriptionOf(first);
    const events = await stage.takeEvents();
    const late = events.find(({ type }) => type === 'checkout.session.completed');
    for (const event of events) if (event !== late) await stage.send(event);
    expect(await stage.account(org)).toMatchObject({ plan: 'pro' });
    await stage.stripe.subscriptions.cancel(subscription);
    await stage.deliver();
    await stage.pay(org, { plan: 'team' });
    await stage.deliver();
    expect((await stage.send(late ?? {})).status).toBe(200);
    await stage.settled();
    expect(await stage.account(org)).toMatchObject({ plan: 'team' });
    const { customer } = await stage.stripe.subscriptions.retrieve(subscription);
    const { data: charges } = await stage.stripe.charges.list({ customer: idOf(customer) });
    expect(charges.map(({ refunded }) => refunded)).toEqual([false, false]);
  });
});

describe('events of a plan that arrive out of order', () => {
  it('one that has ended meanwhile stays ended', async () => {
    const subscription = await stage.subscriptionOf(await stage.pay(org, { plan: 'pro' }));
    await stage.deliver();
    await stage.actOnPortal(org, { subscription, action: 'cancel' });
    const [cancelled] = await stage.takeEvents();
    const held = stage.proxy.holdNext(/^\/v1\/subscriptions\/sub_/);
    const slow = stage.send(cancelled ?? {});
    await held.arrived;
    await stage.stripe.subscriptions.cancel(subscription);
    await stage.deliver();
    held.release();
    expect((await slow).status).toBe(200);
    expect(await stage.account(org)).toMatchObject({ plan: 'free', subscriptionId: null });
  });
});
