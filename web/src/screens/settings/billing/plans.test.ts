import type { LedgerEntry, PlanOffer } from '@atrium/sdk';
import { describe, expect, it } from 'vitest';
import { kindInWords, priceInWords, sourceInWords } from './plans.ts';

function entry(kind: LedgerEntry['kind'], credits: number, source = ''): LedgerEntry {
  const rest = { id: 'c1', messageId: null, createdAt: '2026-05-01T00:00:00.000Z' };
  return { kind, credits, source, ...rest };
}

describe('a ledger entry in words', () => {
  it('names the plan that a source stands for', () => {
    expect(sourceInWords(entry('GRANT', 200, 'included:free:2026-05'))).toContain('Free plan');
    const paid = 'included:sub_1:2026-05-01T00:00:00.000Z:team';
    expect(sourceInWords(entry('GRANT', 10_000, paid))).toContain('Team plan');
    expect(sourceInWords(entry('LAPSE', -5, `lapse:${paid}`))).toContain('Team plan');
  });

  it('distinguishes a refund from credits that came back', () => {
    expect(kindInWords(entry('REFUND', -500))).toBe('Refund');
    expect(kindInWords(entry('REFUND', 500))).toBe('Returned');
  });
});

describe('the price of a plan', () => {
  const offer = (currency: string, amount: number): PlanOffer[] => [
    { plan: 'pro', credits: 2_000, prices: [{ interval: 'annual', amount, currency }] },
  ];

  it('counts in the smallest unit of its currency', () => {
    expect(priceInWords(offer('EUR', 19_000), 'pro', 'annual')).toMatch(/190[.,]00.* a year$/);
    expect(priceInWords(offer('JPY', 19_000), 'pro', 'annual')).toMatch(/19[.,\s]?000.* a year$/);
  });

  it('is on the payment page if the provider did not tell', () => {
    expect(priceInWords([], 'pro', 'annual')).toBe('Price on the payment page');
    expect(priceInWords(offer('EUR', 1), 'pro', 'monthly')).toBe('Price on the payment page');
    expect(priceInWords([], 'free', 'monthly')).toBe('Free');
  });
});
