import type { LedgerEntry } from '@atrium/sdk';
import { describe, expect, it } from 'vitest';
import { kindInWords, sourceInWords } from './plans.ts';

function entry(kind: LedgerEntry['kind'], credits: number, source = ''): LedgerEntry {
  return {
    id: 'c1',
    kind,
    credits,
    source,
    messageId: null,
    createdAt: '2026-05-01T00:00:00.000Z',
  };
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
