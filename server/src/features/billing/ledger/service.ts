import type { Database, Queryable, Transaction } from '../../../db/types.ts';
import { newId } from '../../../core/ids.ts';
import { currentGrant } from '../plans.ts';
import {
  addEntry,
  deleteReservationAtCommit,
  findAccount,
  findBalance,
  findCredits,
  findIncluded,
  findReservation,
  findTopup,
  findUnpaid,
  listDueAccounts,
  lockAccount,
  recordUsageAtCommit,
  saveIncludedUntil,
  saveReservation,
  type AccountRow,
  type UsageRecord,
} from './store.ts';

export type { UsageRecord } from './store.ts';
export {
  addUnpaidAtCommit as recordUnpaid,
  countMismatches as countLedgerMismatches,
  deleteReservationAtCommit as releaseCredits,
} from './store.ts';

/** Longer than any call. If a process dies, its reservation ends after this time. */
const RESERVATION_SECONDS = 180;

/** What tokens cost. Input and output may have different prices; `creditsPer1kTokens` is the higher one. */
export interface TokenPrice {
  creditsPer1kTokens: number;
  creditsPerMillion?: { input: number; output: number };
}

export interface UsedTokens {
  inputTokens: number;
  outputTokens: number;
}

/** In whole credits, rounded up. */
export function priceOf({ inputTokens, outputTokens }: UsedTokens, price: TokenPrice): number {
  const { creditsPerMillion } = price;
  if (!creditsPerMillion) return highestPrice(inputTokens + outputTokens, price);
  const { input, output } = creditsPerMillion;
  return Math.ceil((inputTokens * input + outputTokens * output) / 1_000_000);
}

/** Which tokens will be output is known only after a call, so they are reserved at the higher price. */
export function highestPrice(tokens: number, { creditsPer1kTokens }: TokenPrice): number {
  return Math.ceil((tokens * creditsPer1kTokens) / 1000);
}

/**
 * Reserves at least this many credits for a call, which may have a reservation already. False if the org
 * doesn't have enough; the existing reservation then stays as it is.
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
    // Never less: another run of the same call may rely on it until one of them finishes.
    const credits = Math.max(held, reservation.credits);
    await saveReservation(tx, orgId, { id: reservation.id, credits, seconds: RESERVATION_SECONDS });
    return true;
  });
}

/** Of replies that failed, in a day. They cost the organisation nothing, and whoever runs the server pays. */
const MOST_UNPAID_CREDITS = 500;

export async function mayFailMore(db: Queryable, orgId: string, now: Date): Promise<boolean> {
  return (await findUnpaid(db, orgId, now)) < MOST_UNPAID_CREDITS;
}

/** Replaces the reservation with the actual usage, in the commit that stores the reply. */
export function settleUsage(
  tx: Transaction,
  orgId: string,
  reservationId: string,
  usage: UsageRecord,
): void {
  deleteReservationAtCommit(tx, orgId, reservationId);
  recordUsageAtCommit(tx, orgId, usage);
}

export async function readCredits(db: Queryable, orgId: string, now: Date) {
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
    // Even if the plan ends with the period: the free plan's credits are due then.
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
 * Grants the credits of the current period once, and expires what is left of the previous grant. Missed
 * periods are not granted later: their credits would have expired. The caller has locked the account.
 */
export async function renewIncluded(tx: Queryable, account: AccountRow, now: Date): Promise<void> {
  const { orgId } = account;
  const grant = currentGrant(account, now);
  if (!grant) return;
  const last = await findIncluded(tx, orgId);
  if (last?.source !== grant.source) {
    if (last) await lapse(tx, orgId, last);
    const { source, credits } = grant;
    await addEntry(tx, orgId, { kind: 'GRANT', credits, source });
  }
  await saveIncludedUntil(tx, orgId, grant.end > now ? grant.end : tomorrow(now));
}

/** Credits reserved for a running call don't expire. */
async function lapse(
  tx: Queryable,
  orgId: string,
  { source, left }: { source: string; left: number },
): Promise<void> {
  const { reserved } = await findBalance(tx, orgId);
  const credits = -Math.max(0, left - reserved);
  await addEntry(tx, orgId, { kind: 'LAPSE', credits, source: `lapse:${source}` });
}

/** Adds bought credits, once per payment. */
export async function addTopup(
  tx: Queryable,
  orgId: string,
  { paymentId, credits }: { paymentId: string; credits: number },
): Promise<void> {
  const source = paymentSource(paymentId);
  await addEntry(tx, orgId, { kind: 'TOPUP', credits, source });
}

function paymentSource(paymentId: string): string {
  return `payment:${paymentId}`;
}

/**
 * Makes sure that `share` of this payment's credits is taken back, by writing the difference to what was
 * taken back before, so the order of events doesn't matter. The balance can go below zero; then nothing
 * can be spent until it is positive again.
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
  await addEntry(tx, orgId, { kind: 'REFUND', credits: -due, source: `${prefix}${newId()}` });
}

const DUE_AT_ONCE = 100;

/** Renews all accounts that are due, including overdue ones. Safe to run in several processes at once. */
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

/** While a payment is due or its event is late, there is nothing to grant. Check again later. */
function tomorrow(now: Date): Date {
  return new Date(now.getTime() + 24 * 60 * 60 * 1000);
}
