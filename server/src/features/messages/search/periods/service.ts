import type { Database } from '../../../../db/types.ts';
import { forgetBases } from '../bases.ts';
import { findDivision, findNthUnindexed, insertPeriods, type Period } from './store.ts';

/**
 * Messages of an org in one period: few enough that those with a common word are read in a few
 * milliseconds, and enough that a rare word needs few lookups.
 */
export const PERIOD_MESSAGES = 10_000;
/** The numbers of periods have 12 bits. */
const LAST_NUMBER = 4095;

/** Begins a new period for the org's messages if the newest one is full. */
export async function dividePeriods(
  db: Database,
  orgId: string,
  size = PERIOD_MESSAGES,
): Promise<void> {
  const division = await findDivision(db, orgId);
  const older = division.periods === 0 ? await planOlder(db, orgId, size) : [];
  const isFull = division.messages - division.messagesBefore >= size;
  if (older.length > 0) {
    // What is indexed already has the number 0 and is newer.
    await insertPeriods(db, orgId, [...older, { number: 0, startsAt: null }], division.messages);
    forgetBases(orgId);
  } else if (isFull && division.lastNumber < LAST_NUMBER) {
    const next = { number: division.lastNumber + 1, startsAt: null };
    await insertPeriods(db, orgId, [next], division.messages);
    forgetBases(orgId);
  }
}

/** The periods of messages from before there were any, the newest first. */
async function planOlder(db: Database, orgId: string, size: number): Promise<Period[]> {
  const periods: Period[] = [];
  let startsAt = await findNthUnindexed(db, orgId, size, null);
  // A thousand numbers stay free for what is posted later.
  while (startsAt && periods.length < LAST_NUMBER - 1_000) {
    periods.push({ number: periods.length + 1, startsAt: startsAt.toISOString() });
    startsAt = await findNthUnindexed(db, orgId, size, startsAt);
  }
  if (periods.length === 0) return [];
  return [...periods, { number: periods.length + 1, startsAt: '-infinity' }];
}
