import type Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { readPrices } from './stripe-prices.ts';
import { shareLostOf, subscriptionState, type Ask } from './stripe-state.ts';

const { idOf, planOf } = readPrices({
  pro_monthly: 'price_new, price_old',
  team_annual: 'price_team',
});

describe('prices', () => {
  it('with several ids: the first is sold, and all are known', () => {
    expect(idOf.get('pro_monthly')).toBe('price_new');
    const pro = { plan: 'pro', interval: 'monthly' };
    expect(['price_new', 'price_old', 'price_team', 'price_x'].map((id) => planOf.get(id))).toEqual(
      [pro, pro, { plan: 'team', interval: 'annual' }, undefined],
    );
  });
});

describe('a subscription', () => {
  const state = (status: string, invoice: string | null) => {
    const item = { price: { id: 'price_old' }, current_period_start: 1, current_period_end: 2 };
    const { isLive, isPaid } = subscriptionState(
      {
        id: 'sub_1',
        customer: 'cus_1',
        status,
        items: { data: [item] },
        latest_invoice: invoice === null ? null : { id: 'in_1', status: invoice },
        cancel_at_period_end: false,
      } as unknown as Stripe.Subscription,
      planOf,
    );
    return { isLive, isPaid };
  };

  it.each([
    ['active', 'paid', true, true],
    ['active', null, true, true],
    ['active', 'draft', true, false],
    ['active', 'open', true, false],
    ['trialing', 'paid', true, true],
    ['past_due', 'open', true, false],
    ['unpaid', 'open', true, false],
    ['paused', 'paid', true, false],
    ['incomplete', 'open', false, false],
    ['incomplete_expired', 'void', false, false],
    ['canceled', 'paid', false, false],
    ['something_new', 'paid', false, false],
  ])('%s, its invoice %s', (status, invoice, isLive, isPaid) => {
    expect(state(status, invoice)).toEqual({ isLive, isPaid });
  });
});

describe('the lost share of a payment', () => {
  async function lost(charge: object, disputes: object[] = []): Promise<number> {
    const list = { data: disputes };
    const ask: Ask = (call) => call({ disputes: { list: async () => list } } as unknown as Stripe);
    const payment = { id: 'pi_1', latest_charge: { id: 'ch_1', amount: 1_000, ...charge } };
    return shareLostOf(ask, payment as unknown as Stripe.PaymentIntent);
  }
  const disputed = { amount_refunded: 0, disputed: true };

  it('is what was refunded plus what disputes hold, never more than the payment', async () => {
    expect(await lost({ amount_refunded: 0, disputed: false })).toBe(0);
    expect(await lost({ amount_refunded: 250, disputed: false })).toBe(0.25);
    expect(await lost(disputed, [{ status: 'needs_response', amount: 500 }])).toBe(0.5);
    const dispute = { status: 'lost', amount: 1_000 };
    expect(await lost({ amount_refunded: 250, disputed: true }, [dispute])).toBe(1);
    expect(await lost({ amount: 0, amount_refunded: 0, disputed: false })).toBe(0);
    expect(await shareLostOf(null as never, null)).toBe(0);
  });

  it.each(['needs_response', 'under_review', 'lost', 'appeal_under_review'])(
    'is the whole payment while a dispute is %s',
    async (status) => expect(await lost(disputed, [{ status, amount: 1_000 }])).toBe(1),
  );

  it.each(['won', 'warning_closed', 'warning_needs_response', 'prevented'])(
    'is nothing if a dispute is %s',
    async (status) => expect(await lost(disputed, [{ status, amount: 1_000 }])).toBe(0),
  );
});
