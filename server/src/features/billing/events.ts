import type {
  PaymentEvent,
  Payments,
  SubscriptionState,
} from '../../adapters/payments/payments.ts';
import type { Context } from '../../context.ts';
import type { Database, Transaction } from '../../db/types.ts';
import { END_SUBSCRIPTION } from './end-subscription-job.ts';
import { addTopup, renewIncluded, takeBack } from './ledger/service.ts';
import {
  countRevision,
  findAccount,
  findAccountOf,
  lockAccount,
  saveSubscription,
  type AccountRow,
} from './ledger/store.ts';
import { claimEvent, findCheckout, isProcessed } from './store.ts';

export type EventContext = Omit<Context, 'orgId' | 'actor' | 'db'> & { db: Database };

/** What an event changes, in which org; undefined where it is none of our business. */
interface Change {
  orgId: string;
  /** The account's, from before the provider was asked. */
  revision: number;
  apply: (tx: Transaction, account: AccountRow) => Promise<void>;
}

const MOST_READS = 20;

/**
 * Processes an event once, whatever the order, the repetition or the process. What it is about is read
 * from the provider first, with no transaction open; then all of its effects commit together.
 */
export async function processEvent(
  ctx: EventContext,
  payments: Payments,
  event: PaymentEvent,
): Promise<void> {
  for (let reads = 0; reads < MOST_READS; reads++) {
    if (await isProcessed(ctx.db, event.id)) return;
    const change = await readChange(ctx, payments, event);
    if (!change) {
      ctx.log.info({ eventId: event.id, type: event.type }, 'a payment event that concerns no org');
      return;
    }
    if (await commit(ctx, event, change)) return;
  }
  // The provider sends it again.
  throw new Error(`other events kept coming in between: ${event.id} was not processed`);
}

/** False where another event came in between: what was read may be older than what that one wrote. */
function commit(
  ctx: EventContext,
  event: PaymentEvent,
  { orgId, revision, apply }: Change,
): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const account = await lockAccount(tx, orgId);
    if (account.revision !== revision) return false;
    if (await claimEvent(tx, event)) {
      await apply(tx, account);
      await countRevision(tx, orgId);
      ctx.hints.announce({ db: tx, orgId }, { type: 'org.updated' });
    }
    return true;
  });
}

async function readChange(
  ctx: EventContext,
  payments: Payments,
  { type, objectId }: PaymentEvent,
): Promise<Change | undefined> {
  if (type.startsWith('checkout.')) return readCheckout(ctx, payments, objectId);
  if (!type.startsWith('charge.')) return readSubscription(ctx, payments, objectId);
  // Only top-ups are taken back: what a plan included is gone at its renewal anyway.
  const checkoutId = await payments.findCheckoutOf(objectId);
  return checkoutId === undefined ? undefined : readCheckout(ctx, payments, checkoutId);
}

/** News of a checkout, or of the money that was paid at it: all of its state is applied, whichever it was. */
async function readCheckout(
  ctx: EventContext,
  payments: Payments,
  providerId: string,
): Promise<Change | undefined> {
  const checkout = await findCheckout(ctx.db, providerId);
  if (!checkout) return undefined;
  const { orgId, credits } = checkout;
  const revision = (await findAccount(ctx.db, orgId))?.revision ?? 0;
  const { isPaid, paymentId, shareLost, subscriptionId } = await payments.getCheckout(providerId);
  if (credits !== null) {
    return {
      orgId,
      revision,
      async apply(tx) {
        if (!isPaid || paymentId === null) return;
        await addTopup(tx, orgId, { paymentId, credits });
        await takeBack(tx, orgId, { paymentId, share: shareLost });
      },
    };
  }
  if (subscriptionId === null) return undefined;
  const subscription = await payments.getSubscription(subscriptionId);
  if (!subscription) throw new Error('the provider does not know the subscription of a checkout');
  return { orgId, revision, apply: (tx, account) => adopt(ctx, tx, account, subscription) };
}

async function readSubscription(
  ctx: EventContext,
  payments: Payments,
  subscriptionId: string,
): Promise<Change | undefined> {
  const found =
    (await findAccountOf(ctx.db, { subscriptionId })) ??
    (await findCustomerOf(ctx, payments, subscriptionId));
  if (!found) return undefined;
  const subscription = await payments.getSubscription(subscriptionId);
  if (!subscription) throw new Error('the provider does not know a subscription of ours');
  return {
    orgId: found.orgId,
    revision: found.revision,
    async apply(tx, account) {
      // News of a second subscription: the checkout that made it deals with that one.
      const isOther = account.subscriptionId !== null && account.subscriptionId !== subscriptionId;
      if (!isOther) await follow(ctx, tx, account, subscription);
    },
  };
}

/** For one that is new to us: the provider says whose it is. */
async function findCustomerOf(
  { db }: EventContext,
  payments: Payments,
  subscriptionId: string,
): Promise<AccountRow | undefined> {
  const subscription = await payments.getSubscription(subscriptionId);
  return subscription && findAccountOf(db, { customerId: subscription.customerId });
}

/** A checkout brought a subscription: the org's own from now on, unless it has one that lives. */
async function adopt(
  ctx: EventContext,
  tx: Transaction,
  account: AccountRow,
  subscription: SubscriptionState,
): Promise<void> {
  const { orgId, subscriptionId } = account;
  if (subscriptionId !== null && subscriptionId !== subscription.id) {
    // Late news of one that has ended: it was the org's own once, and is paid for.
    if (!subscription.isLive) return;
    const payload = { orgId, subscriptionId: subscription.id };
    ctx.jobs.enqueue(tx, { kind: END_SUBSCRIPTION, payload });
    ctx.log.warn({ orgId }, 'a second subscription completed: it is cancelled and refunded');
    return;
  }
  await follow(ctx, tx, account, subscription);
}

/** The account as the provider has it now, and the credits that come with that. */
async function follow(
  ctx: EventContext,
  tx: Transaction,
  account: AccountRow,
  subscription: SubscriptionState,
): Promise<void> {
  const { price, isLive, isPaid, periodStart, periodEnd, endsWithPeriod } = subscription;
  if (isLive && !price) {
    ctx.log.error({ orgId: account.orgId }, 'a subscription to a price that is not configured');
    return;
  }
  const state =
    isLive && price
      ? {
          plan: price.plan,
          subscriptionId: subscription.id,
          isPaid,
          endsWithPeriod,
          periodStart,
          periodEnd,
        }
      : NO_SUBSCRIPTION;
  await saveSubscription(tx, account.orgId, state);
  await renewIncluded(tx, { ...account, ...state }, ctx.clock.now());
}

const NO_SUBSCRIPTION = {
  plan: 'free',
  subscriptionId: null,
  isPaid: false,
  endsWithPeriod: false,
  periodStart: null,
  periodEnd: null,
} as const;
