import type { Database, Queryable, Transaction } from '../../../db/types.ts';
import { newId } from '../../../ids.ts';
import { currentGrant, type Plan } from '../plans.ts';
import {
  addEntry,
  deleteReservationAtCommit,
  findAccount,
  findBalance,
  findCredits,
  findIncluded,
  findReservation,
  findTopup,
  listDueAccounts,
  lockAccount,
  recordUsageAtCommit,
  saveIncludedUntil,
  saveReservation,
  type AccountRow,
  type UsageRecord,
} from './store.ts';

/** Longer than any call: a reservation whose process died frees its credits after this. */
const RESERVATION_SECONDS = 180;

/** Credits are whole numbers, rounded up. */
export function priceOf(tokens: number, creditsPer1kTokens: number): number {
  return Math.ceil((tokens * creditsPer1kTokens) / 1000);
}

/**
 * Holds at least so many credits for a call, which may hold some already. False where the org has not
 * got them: the call then holds what it held before, of which it may have used some.
 */
export async function reserveCredits(
  db: Database,
  orgId: string,
  reservation: { id: string; credits: number },
  now: Date,
): Promise<boolean> {
  if (reservation.credits === 0) return true;
  return db.transaction(async (tx) => {
    const account = await lockAccount(tx, orgId);
    await renewIncluded(tx, account, now);
    const held = await findReservation(tx, orgId, reservation.id);
    const { balance, reserved } = await findBalance(tx, orgId);
    const free = balance - (reserved - held);
    if (reservation.credits > held && free < reservation.credits) return false;
    // Never less: another run of the same call may rely on it until one of them lands.
    const credits = Math.max(held, reservation.credits);
    await saveReservation(tx, orgId, { id: reservation.id, credits, seconds: RESERVATION_SECONDS });
    return true;
  });
}

/** For a call that came to nothing, in the commit of the reply that says so. */
export function releaseCredits(tx: Transaction, orgId: string, id: string): void {
  deleteReservationAtCommit(tx, orgId, id);
}

/** Turns the reservation into what was used, in the commit of the reply that used it. */
export function settleUsage(
  tx: Transaction,
  orgId: string,
  reservationId: string,
  usage: Omit<UsageRecord, 'entryId'>,
): void {
  deleteReservationAtCommit(tx, orgId, reservationId);
  recordUsageAtCommit(tx, orgId, { entryId: newId(), ...usage });
}

export interface Credits {
  balance: number;
  reserved: number;
  included: number;
  topup: number;
  plan: Plan;
  renewsAt: Date | null;
}

export async function readCredits(db: Queryable, orgId: string, now: Date): Promise<Credits> {
  const found = await findAccount(db, orgId);
  const account =
    found && (await isRenewed(db, found, now)) ? found : await renewNow(db, orgId, now);
  const { balance, reserved, included } = await findCredits(db, orgId);
  const grant = currentGrant(account, now);
  return {
    balance,
    reserved,
    included,
    topup: balance - included,
    plan: account.plan,
    // Also where it ends with the period: the free plan's credits are due then.
    renewsAt: grant?.credits === 0 ? null : (grant?.end ?? account.periodEnd),
  };
}

async function isRenewed(db: Queryable, account: AccountRow, now: Date): Promise<boolean> {
  const grant = currentGrant(account, now);
  return grant === undefined || (await findIncluded(db, account.orgId))?.source === grant.source;
}

function renewNow(db: Queryable, orgId: string, now: Date): Promise<AccountRow> {
  return db.transaction(async (tx) => {
    const account = await lockAccount(tx, orgId);
    await renewIncluded(tx, account, now);
    return account;
  });
}

/**
 * Gives the credits of the current period, once, and lets what is left of the last ones lapse. Missed
 * periods are not made up for: what they gave would have lapsed. The account is locked by the caller.
 */
export async function renewIncluded(tx: Queryable, account: AccountRow, now: Date): Promise<void> {
  const { orgId } = account;
  const grant = currentGrant(account, now);
  if (!grant) return;
  const last = await findIncluded(tx, orgId);
  if (last?.source !== grant.source) {
    if (last) await lapse(tx, orgId, last);
    const { source, credits } = grant;
    await addEntry(tx, orgId, { id: newId(), kind: 'GRANT', credits, source });
  }
  await saveIncludedUntil(tx, orgId, grant.end > now ? grant.end : tomorrow(now));
}

/** What is held for a call under way is not taken from under it. */
async function lapse(
  tx: Queryable,
  orgId: string,
  { source, left }: { source: string; left: number },
): Promise<void> {
  const { reserved } = await findBalance(tx, orgId);
  const credits = -Math.max(0, left - reserved);
  await addEntry(tx, orgId, { id: newId(), kind: 'LAPSE', credits, source: `lapse:${source}` });
}

/** Credits that were paid for: once for each payment. */
export async function addTopup(
  tx: Queryable,
  orgId: string,
  { paymentId, credits }: { paymentId: string; credits: number },
): Promise<void> {
  await addEntry(tx, orgId, {
    id: newId(),
    kind: 'TOPUP',
    credits,
    source: paymentSource(paymentId),
  });
}

function paymentSource(paymentId: string): string {
  return `payment:${paymentId}`;
}

/**
 * Sees to it that `share` of this payment's credits are taken back: the difference to what was taken
 * before is written, whatever the order of the news. The balance may go below zero; that is shown, and
 * nothing can be spent until it is made up for.
 */
export async function takeBack(
  tx: Queryable,
  orgId: string,
  { paymentId, share }: { paymentId: string; share: number },
): Promise<void> {
  const prefix = `refund:${paymentId}:`;
  const topup = await findTopup(tx, orgId, paymentSource(paymentId), prefix);
  if (!topup) return;
  const due = Math.round(topup.credits * share) - topup.takenBack;
  if (due === 0) return;
  await addEntry(tx, orgId, {
    id: newId(),
    kind: 'REFUND',
    credits: -due,
    source: `${prefix}${newId()}`,
  });
}

const DUE_AT_ONCE = 100;

/** A chore: renews what is due, also what fell due while nobody ran. Two who do it at once do it once. */
export async function renewDueAccounts(db: Database, now: Date): Promise<number> {
  let renewed = 0;
  for (;;) {
    const due = await listDueAccounts(db, now, DUE_AT_ONCE);
    for (const orgId of due) {
      await db.transaction(async (tx) => {
        const account = await lockAccount(tx, orgId);
        await renewIncluded(tx, account, now);
        if (!currentGrant(account, now)) await saveIncludedUntil(tx, orgId, tomorrow(now));
      });
    }
    renewed += due.length;
    if (due.length < DUE_AT_ONCE) return renewed;
  }
}

/** While a payment is owed, or its news is late, there is nothing to grant; it is looked at again. */
function tomorrow(now: Date): Date {
  return new Date(now.getTime() + 24 * 60 * 60 * 1000);
}
