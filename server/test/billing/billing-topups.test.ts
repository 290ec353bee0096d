import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startBillingStage, type BillingStage } from '../harness/stages/billing-stage.ts';
import type { TestOrg } from '../harness/factories.ts';

/** Stripe's SDK and the sandbox, end to end: what people buy on a page ends up in the ledger. */
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

describe('a top-up', () => {
  it('is credited once it is paid, and never expires', async () => {
    const id = await stage.pay(org, { pack: 'medium' }, 'cancel');
    await stage.deliver();
    expect(await stage.credits(org)).toMatchObject({ balance: 200, included: 200, topup: 0 });
    await stage.act(id, 'pay');
    expect(await stage.credits(org)).toMatchObject({ topup: 0 });
    await stage.deliver();
    expect(await stage.credits(org)).toMatchObject({ balance: 2_700, included: 200, topup: 2_500 });
    expect(await stage.entries(org)).toEqual(['GRANT 200', 'TOPUP 2500']);
  });

  it('that is declined grants nothing until it is paid', async () => {
    const id = await stage.pay(org, { pack: 'small' }, 'decline');
    await stage.deliver();
    expect(await stage.credits(org)).toMatchObject({ balance: 200, topup: 0 });
    await stage.act(id, 'pay');
    await stage.deliver();
    expect(await stage.credits(org)).toMatchObject({ topup: 500 });
  });

  it('paid by bank debit is credited when the money has arrived', async () => {
    const { id } = await stage.buy(org, { pack: 'small' });
    await stage.bank.debit(id);
    const types = (await stage.deliver()).map(({ type }) => type);
    expect(types).toContain('checkout.session.completed');
    expect(await stage.credits(org)).toMatchObject({ topup: 0 });
    await stage.bank.settle(id);
    const later = (await stage.deliver()).map(({ type }) => type);
    expect(later).toContain('checkout.session.async_payment_succeeded');
    expect(await stage.entries(org)).toEqual(['GRANT 200', 'TOPUP 500']);
  });

  it('is taken back by the total refunded, and the balance may go below zero', async () => {
    const id = await stage.pay(org, { pack: 'medium' });
    await stage.deliver();
    const { payment } = await stage.paymentOf(id);
    await stage.stripe.refunds.create({ payment_intent: payment, amount: 333 });
    await stage.deliver();
    expect(await stage.credits(org)).toMatchObject({ topup: 2_167 });
    await stage.stripe.refunds.create({ payment_intent: payment, amount: 67 });
    await stage.deliver();
    expect(await stage.credits(org)).toMatchObject({ topup: 2_100 });
    await stage.server.db.query(
      `INSERT INTO ledger_entries (org_id, id, kind, credits, source)
       VALUES ($1, 'spent', 'USAGE', -2000, 'message:spent')`,
      [org.orgId],
    );
    await stage.stripe.refunds.create({ payment_intent: payment });
    await stage.deliver();
    expect(await stage.credits(org)).toMatchObject({ balance: -1_800, included: 0, topup: -1_800 });
    expect(await stage.entries(org)).toEqual([
      'TOPUP 2500',
      'REFUND -333',
      'GRANT 200',
      'REFUND -67',
      'USAGE -2000',
      'REFUND -2100',
    ]);
  });

  it.each([
    ['won', 2_500],
    ['lost', 0],
  ] as const)('in dispute is taken back until that is closed: %s', async (outcome, topup) => {
    const { charge } = await stage.paymentOf(await stage.pay(org, { pack: 'medium' }));
    await stage.deliver();
    await stage.bank.dispute(charge);
    await stage.deliver();
    expect(await stage.credits(org)).toMatchObject({ topup: 0 });
    await stage.bank.closeDispute(charge, outcome);
    await stage.deliver();
    expect(await stage.credits(org)).toMatchObject({ topup });
  });

  it('refunded in part and then disputed is taken back once, not more', async () => {
    const { payment, charge } = await stage.paymentOf(await stage.pay(org, { pack: 'medium' }));
    await stage.stripe.refunds.create({ payment_intent: payment, amount: 500 });
    await stage.bank.dispute(charge);
    await stage.deliver();
    expect(await stage.credits(org)).toMatchObject({ topup: 0 });
    await stage.bank.closeDispute(charge, 'won');
    await stage.deliver();
    expect(await stage.credits(org)).toMatchObject({ topup: 2_000 });
  });

  it('ends the same whatever the order of its events, each of them many times', async () => {
    for (const turn of [0, 1, 2, 3, 4, 5]) {
      const { payment, charge } = await stage.paymentOf(await stage.pay(org, { pack: 'small' }));
      await stage.stripe.refunds.create({ payment_intent: payment, amount: 100 });
      await stage.bank.dispute(charge);
      await stage.bank.closeDispute(charge, turn % 2 ? 'won' : 'lost');
      const events = await stage.takeEvents();
      expect(events).toHaveLength(4);
      const before = (await stage.credits(org)).topup;
      const order = [...events.slice(turn % 4), ...events.slice(0, turn % 4)];
      for (const event of turn > 3 ? events.toReversed() : order) {
        expect((await stage.send(event, { times: 5 })).status).toBe(200);
      }
      expect((await stage.credits(org)).topup - before, `turn ${turn}`).toBe(turn % 2 ? 400 : 0);
    }
  });
});

describe('events of two refunds that arrive out of order', () => {
  it('the older state, read first and committed last, is not written', async () => {
    const { payment } = await stage.paymentOf(await stage.pay(org, { pack: 'medium' }));
    await stage.deliver();
    await stage.stripe.refunds.create({ payment_intent: payment, amount: 500 });
    const [first] = await stage.takeEvents();
    const held = stage.proxy.holdNext(/^\/v1\/checkout\/sessions\/cs_/);
    const slow = stage.send(first ?? {});
    await held.arrived;
    await stage.stripe.refunds.create({ payment_intent: payment, amount: 500 });
    await stage.deliver();
    expect(await stage.credits(org)).toMatchObject({ topup: 1_500 });
    held.release();
    expect((await slow).status).toBe(200);
    expect(await stage.credits(org)).toMatchObject({ topup: 1_500 });
    expect(await stage.entries(org)).not.toContain('REFUND 500');
  });
});
