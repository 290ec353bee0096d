import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { currentGrant } from './plans.ts';

const DAY = 86_400_000;

/** Stripe's own rule: the anchor's day, or the last day of a shorter month. */
function stripePeriod(anchor: Date, index: number, months: number): { start: Date; end: Date } {
  const at = (steps: number) => {
    const year = anchor.getUTCFullYear();
    const month = anchor.getUTCMonth() + steps * months;
    const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
    const time = anchor.getTime() % DAY;
    return new Date(Date.UTC(year, month, Math.min(anchor.getUTCDate(), last)) + time);
  };
  return { start: at(index), end: at(index + 1) };
}

const anchors = fc.date({
  min: new Date('2024-01-01T00:00:00Z'),
  max: new Date('2028-12-31T23:59:59Z'),
  noInvalidDate: true,
});

function grantsOf(period: { start: Date; end: Date }, stepMs: number): string[] {
  const sources = new Set<string>();
  for (let time = period.start.getTime(); time < period.end.getTime(); time += stepMs) {
    const now = new Date(time);
    const grant = currentGrant(
      {
        plan: 'pro',
        hasFreeCredits: true,
        subscriptionId: 'sub_1',
        isPaid: true,
        periodStart: period.start,
        periodEnd: period.end,
      },
      now,
    );
    expect(grant?.credits).toBe(2_000);
    expect(grant?.end.getTime()).toBeGreaterThan(now.getTime());
    expect(grant?.end.getTime()).toBeLessThanOrEqual(period.end.getTime());
    sources.add(grant?.source ?? '');
  }
  return [...sources];
}

describe('the grants of a billing period', () => {
  it('are one for a month, whatever day it begins on', () => {
    fc.assert(
      fc.property(anchors, fc.nat(30), (anchor, index) => {
        expect(grantsOf(stripePeriod(anchor, index, 1), DAY / 2)).toHaveLength(1);
      }),
    );
  });

  it('are twelve for a year, whatever day it begins on', () => {
    const property = fc.property(anchors, fc.nat(5), (anchor, index) => {
      expect(grantsOf(stripePeriod(anchor, index, 12), DAY)).toHaveLength(12);
    });
    fc.assert(property, { numRuns: 50 });
  });

  it('are no more from the end of February to the end of March, or in a leap year', () => {
    const march = { start: new Date('2027-02-28T10:00Z'), end: new Date('2027-03-31T10:00Z') };
    expect(grantsOf(march, DAY)).toHaveLength(1);
    const leap = { start: new Date('2031-02-28T10:00Z'), end: new Date('2032-02-29T10:00Z') };
    expect(grantsOf(leap, DAY)).toHaveLength(12);
  });

  const account = {
    plan: 'team',
    hasFreeCredits: true,
    subscriptionId: 'sub_1',
    periodStart: new Date('2027-01-31T10:00Z'),
    periodEnd: new Date('2028-01-31T10:00Z'),
  } as const;

  it('are none while a payment is due', () => {
    expect(currentGrant({ ...account, isPaid: false }, new Date('2027-06-01'))).toBeUndefined();
  });

  it('stay at the last one if the period is over and no event has arrived', () => {
    const at = (iso: string) => currentGrant({ ...account, isPaid: true }, new Date(iso))?.source;
    expect(at('2028-06-01T00:00Z')).toBe(at('2028-01-31T09:59Z'));
    expect(at('2027-02-28T09:59Z')).not.toBe(at('2027-02-28T10:00Z'));
  });
});

describe('the free plan', () => {
  it('follows calendar months, in UTC', () => {
    const free = {
      plan: 'free',
      hasFreeCredits: true,
      subscriptionId: null,
      isPaid: false,
    } as const;
    const at = (iso: string) =>
      currentGrant({ ...free, periodStart: null, periodEnd: null }, new Date(iso));
    expect(at('2027-12-31T23:59:59.999Z')).toEqual({
      source: 'included:free:2027-12',
      credits: 200,
      end: new Date('2028-01-01T00:00Z'),
    });
    expect(at('2028-01-01T00:00Z')?.source).toBe('included:free:2028-01');
  });
});
