import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ENGINE, type TestDatabase } from '../../../test/harness/databases/database.ts';
import { useTestDatabase } from '../../../test/harness/databases/use-test-database.ts';
import { createTestOrg } from '../../../test/harness/factories.ts';
import { LedgerModel, type ModelPlan } from '../../../test/harness/models/ledger-model.ts';
import {
  addTopup,
  readCredits,
  releaseCredits,
  renewDueAccounts,
  renewIncluded,
  reserveCredits,
  settleUsage,
  takeBack,
} from './ledger/service.ts';
import { findCredits, lockAccount, saveCustomer, saveSubscription } from './ledger/store.ts';

const database = useTestDatabase();
let db: TestDatabase['db'];
let orgId: string;
let userId: string;
let count = 0;

beforeAll(() => void ({ db } = database));
beforeEach(() => newOrg());

async function newOrg(): Promise<void> {
  const org = await createTestOrg(db);
  ({ orgId } = org);
  ({ userId } = org.owner);
}

function settle(reservation: string, credits: number, org = orgId): Promise<void> {
  const messageId = `m${++count}`;
  const usage = { messageId, userId, model: 'ada', inputTokens: 1, outputTokens: 1, credits };
  return db.transaction(async (tx) => settleUsage(tx, org, reservation, usage));
}

const release = (reservation: string) =>
  db.transaction(async (tx) => releaseCredits(tx, orgId, reservation));

const topUp = (paymentId: string, credits: number, org = orgId) =>
  db.transaction(async (tx) => {
    await lockAccount(tx, org);
    await addTopup(tx, org, { paymentId, credits });
  });

const refund = (paymentId: string, share: number) =>
  db.transaction(async (tx) => {
    await lockAccount(tx, orgId);
    await takeBack(tx, orgId, { paymentId, share });
  });

/** As the provider reports it. */
const follow = (plan: ModelPlan, now: Date) =>
  db.transaction(async (tx) => {
    const account = await lockAccount(tx, orgId);
    const state = { ...plan, endsWithPeriod: false };
    await saveSubscription(tx, orgId, state);
    await renewIncluded(tx, { ...account, ...state }, now);
  });

async function sumOf(kind?: string): Promise<number> {
  const [row] = await db.query<{ sum: number }>(
    `SELECT coalesce(sum(credits), 0)::int AS sum FROM ledger_entries
     WHERE org_id = $1 AND ($2::text IS NULL OR kind = $2)`,
    [orgId, kind],
  );
  return row?.sum ?? 0;
}

async function countOf(kind: string, org = orgId): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'SELECT count(*) FROM ledger_entries WHERE org_id = $1 AND kind = $2',
    [org, kind],
  );
  return row?.count ?? 0;
}

describe('included credits', () => {
  const at = (iso: string) => new Date(iso);

  it('of the free plan are granted every month; months in which nobody looked are not made up for', async () => {
    await readCredits(db, orgId, at('2027-01-10T00:00Z'));
    await renewDueAccounts(db, at('2027-01-31T23:59Z'));
    expect(await countOf('GRANT')).toBe(1);
    await renewDueAccounts(db, at('2027-02-01T00:00Z'));
    expect(await renewDueAccounts(db, at('2027-02-01T00:00Z'))).toBe(0);
    expect(await countOf('GRANT')).toBe(2);
    // Down for months.
    await renewDueAccounts(db, at('2027-07-15T00:00Z'));
    expect(await renewDueAccounts(db, at('2027-07-15T00:00Z'))).toBe(0);
    expect(await countOf('GRANT')).toBe(3);
    expect(await sumOf()).toBe(200);
  });

  it('of an org that is not the first of its creator need a plan, and end with it', async () => {
    await db.query('UPDATE orgs SET has_free_credits = false WHERE id = $1', [orgId]);
    const none = { balance: 0, included: 0, plan: 'free', renewsAt: null };
    expect(await readCredits(db, orgId, at('2027-01-10T00:00Z'))).toMatchObject(none);
    expect(await reserveCredits(db, orgId, { id: 'c', credits: 1 }, at('2027-01-10T00:00Z'))).toBe(
      false,
    );
    const paying = {
      plan: 'pro',
      subscriptionId: `sub_${orgId}`,
      isPaid: true,
      periodStart: at('2027-01-11T00:00Z'),
      periodEnd: at('2027-02-11T00:00Z'),
    } as const;
    await follow(paying, paying.periodStart);
    expect(await sumOf()).toBe(2_000);
    const ended = { subscriptionId: null, isPaid: false, periodStart: null, periodEnd: null };
    await follow({ plan: 'free', ...ended }, paying.periodEnd);
    await renewDueAccounts(db, at('2027-03-01T00:00Z'));
    expect(await readCredits(db, orgId, at('2027-03-01T00:00Z'))).toMatchObject(none);
  });

  it('of an annual plan are granted every month, and end with it', async () => {
    const plan = {
      plan: 'pro',
      subscriptionId: `sub_${orgId}`,
      isPaid: true,
      periodStart: at('2027-01-31T10:00Z'),
      periodEnd: at('2028-01-31T10:00Z'),
    } as const;
    await follow(plan, at('2027-01-31T10:00Z'));
    let now = at('2027-01-31T12:00Z');
    while (now < at('2028-03-01T00:00Z')) {
      now = new Date(now.getTime() + 20 * 3_600_000);
      await renewDueAccounts(db, now);
    }
    expect(await countOf('GRANT')).toBe(12);
    expect(await sumOf()).toBe(2_000);
    expect((await readCredits(db, orgId, now)).renewsAt).toEqual(plan.periodEnd);
  });

  it('are granted once, by maintenance, a reader or a call, whichever is first', async () => {
    await readCredits(db, orgId, at('2027-01-10T00:00Z'));
    const now = at('2027-02-10T00:00Z');
    await Promise.all([
      renewDueAccounts(db, now),
      readCredits(db, orgId, now),
      reserveCredits(db, orgId, { id: 'c', credits: 200 }, now),
      renewDueAccounts(db, now),
    ]);
    expect(await countOf('GRANT')).toBe(2);
    expect(await sumOf()).toBeGreaterThanOrEqual(200);
  });

  it('that a call has reserved do not expire during it', async () => {
    const [january, february] = [at('2027-01-31T23:59Z'), at('2027-02-01T00:01Z')];
    expect(await reserveCredits(db, orgId, { id: 'c', credits: 150 }, january)).toBe(true);
    expect(await readCredits(db, orgId, february)).toMatchObject({ balance: 350, reserved: 150 });
    await settle('c', 150);
    expect(await readCredits(db, orgId, february)).toMatchObject({ balance: 200, reserved: 0 });
  });
});

type Step =
  | { do: 'look' }
  | { do: 'wait'; days: number }
  | { do: 'topUp'; payment: number; credits: number }
  | { do: 'refund'; payment: number; share: number }
  | { do: 'reserve'; call: number; credits: number }
  | { do: 'settle'; call: number; part: number }
  | { do: 'release'; call: number }
  | { do: 'subscribe'; plan: 'free' | 'pro' | 'team' }
  | { do: 'renew'; isPaid: boolean };

const small = fc.integer({ min: 0, max: 3 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('look' as const) }),
  fc.record({ do: fc.constant('wait' as const), days: fc.integer({ min: 0, max: 70 }) }),
  fc.record({
    do: fc.constant('topUp' as const),
    payment: small,
    credits: fc.integer({ min: 1, max: 999 }),
  }),
  fc.record({
    do: fc.constant('refund' as const),
    payment: small,
    share: fc.constantFrom(0, 0.1, 1 / 3, 0.5, 1),
  }),
  fc.record({
    do: fc.constant('reserve' as const),
    call: small,
    credits: fc.integer({ min: 0, max: 400 }),
  }),
  fc.record({
    do: fc.constant('settle' as const),
    call: small,
    part: fc.constantFrom(0, 0.3, 1),
  }),
  fc.record({ do: fc.constant('release' as const), call: small }),
  fc.record({
    do: fc.constant('subscribe' as const),
    plan: fc.constantFrom('free' as const, 'pro' as const, 'team' as const),
  }),
  fc.record({ do: fc.constant('renew' as const), isPaid: fc.boolean() }),
);

describe('any history', () => {
  it(
    'ends as a simple model says: the balance is the sum, included credits go first, bought ones stay',
    { timeout: 120_000 },
    async () => {
      const run = async (steps: Step[]) => {
        await newOrg();
        const model = new LedgerModel();
        for (const each of steps) {
          await apply(model, each);
          const shown = await readCredits(db, orgId, model.now);
          model.look();
          expect(shown).toMatchObject(model.shown());
          expect(shown.balance).toBe(await sumOf());
        }
      };
      const steps = fc.array(step, { minLength: 5, maxLength: 30 });
      const numRuns = ENGINE === 'postgres' ? 40 : 20;
      await fc.assert(fc.asyncProperty(steps, run), { numRuns });
    },
  );

  async function apply(model: LedgerModel, each: Step): Promise<void> {
    switch (each.do) {
      case 'look':
        return;
      case 'wait':
        return model.wait(each.days);
      case 'topUp':
        model.topUp(`p${each.payment}`, each.credits);
        return topUp(`p${each.payment}`, each.credits);
      case 'refund':
        model.refund(`p${each.payment}`, each.share);
        return refund(`p${each.payment}`, each.share);
      case 'reserve': {
        const { credits } = each;
        const id = `c${each.call}`;
        const isHeld = await reserveCredits(db, orgId, { id, credits }, model.now);
        expect(isHeld).toBe(model.reserve(id, credits));
        // Only existing credits are spent: only a refund takes a balance below zero.
        if (isHeld && credits > 0) expect(model.shown().balance).toBeGreaterThanOrEqual(credits);
        return;
      }
      case 'settle': {
        const id = `c${each.call}`;
        const used = Math.floor(model.held(id) * each.part);
        model.settle(id, used);
        return settle(id, used);
      }
      case 'release':
        model.release(`c${each.call}`);
        return release(`c${each.call}`);
      case 'subscribe':
        return follow(model.subscribe(each.plan), model.now);
      case 'renew':
        return follow(model.renew(each.isPaid), model.now);
    }
  }
});

describe.runIf(ENGINE === 'postgres')('concurrently', () => {
  it('everyone who saves a customer for an org gets the first one', async () => {
    const orgs = Array.from({ length: 50 }, (_, at) => `crowded-${at}`);
    await db.query("INSERT INTO orgs (id, name) SELECT unnest($1::text[]), 'Crowded'", [orgs]);
    for (const org of orgs) {
      const saved = await Promise.all(
        Array.from({ length: 8 }, (_, at) => saveCustomer(db, org, `cus_${org}_${at % 2}`)),
      );
      expect(new Set(saved).size).toBe(1);
    }
  });

  it('four maintenance runs renew 150 orgs once each', async () => {
    const orgs: string[] = [];
    for (let at = 0; at < 150; at++) {
      await newOrg();
      orgs.push(orgId);
      await readCredits(db, orgId, new Date('2027-01-10T00:00Z'));
    }
    const now = new Date('2027-02-10T00:00Z');
    await Promise.all(Array.from({ length: 4 }, () => renewDueAccounts(db, now)));
    const counts = await Promise.all(orgs.map((org) => countOf('GRANT', org)));
    expect(new Set(counts)).toEqual(new Set([2]));
  });

  it('calls that extend their reservations step by step never overdraw together', async () => {
    const now = new Date('2027-01-10T00:00Z');
    await topUp(`p${orgId}`, 300);
    await readCredits(db, orgId, now);
    let used = 0;
    let refused = 0;
    const call = async (id: string) => {
      for (let turn = 0; turn < 12; turn++) {
        let spent = 0;
        // The use of a step is known after it; the next one is added.
        for (let round = 1; round <= 6; round++) {
          const most = spent + round * 7;
          if (!(await reserveCredits(db, orgId, { id, credits: most }, now))) {
            refused++;
            break;
          }
          spent += 1 + ((round * 5 + turn) % (round * 7));
          const { balance, reserved } = await findCredits(db, orgId);
          expect(reserved).toBeLessThanOrEqual(balance);
          expect(reserved).toBeGreaterThanOrEqual(spent);
        }
        if (turn % 4 === 3) await release(id);
        else {
          await settle(id, spent);
          used += spent;
        }
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, at) => call(`c${at}`)));
    expect(refused).toBeGreaterThan(0);
    expect(await sumOf('USAGE')).toBe(-used);
    expect(await findCredits(db, orgId)).toMatchObject({ balance: 500 - used, reserved: 0 });
    expect(500 - used).toBeGreaterThanOrEqual(0);
  });

  it(
    'calls, renewals and top-ups never overdraw, and reserved credits never expire',
    { timeout: 120_000 },
    async () => {
      let now = new Date('2027-01-10T00:00Z');
      await readCredits(db, orgId, now);
      const over = new AbortController();
      const used: number[] = [];
      const call = async (id: string) => {
        for (let turn = 0; turn < 12; turn++) {
          const credits = 5 + ((turn * 37) % 90);
          if (!(await reserveCredits(db, orgId, { id, credits }, now))) continue;
          if (turn % 5 === 0) await release(id);
          else {
            await settle(id, credits - (turn % 3));
            used.push(credits - (turn % 3));
          }
        }
      };
      const renewals = async () => {
        for (let month = 0; month < 12; month++) {
          now = new Date(Date.UTC(2027, 1 + month, 2));
          await Promise.all([renewDueAccounts(db, now), readCredits(db, orgId, now)]);
          await topUp(`p${orgId}${month}`, 50);
        }
      };
      let looks = 0;
      const watch = async () => {
        while (!over.signal.aborted) {
          const { balance, reserved, included } = await findCredits(db, orgId);
          expect(reserved).toBeGreaterThanOrEqual(0);
          expect(balance).toBeGreaterThanOrEqual(reserved);
          // Never more than the balance, and bought credits are never spent before included ones.
          expect(included).toBeLessThanOrEqual(balance);
          looks++;
        }
      };
      const watching = watch();
      await Promise.all([...Array.from({ length: 6 }, (_, at) => call(`c${at}`)), renewals()]);
      over.abort();
      await watching;
      expect(looks).toBeGreaterThan(10);
      const total = used.reduce((sum, each) => sum + each, 0);
      expect(await sumOf('USAGE')).toBe(-total);
      expect(await countOf('GRANT')).toBe(13);
      expect(await countOf('LAPSE')).toBe(12);
      expect(await sumOf('TOPUP')).toBe(600);
      expect(await findCredits(db, orgId)).toMatchObject({ balance: await sumOf(), reserved: 0 });
    },
  );
});
