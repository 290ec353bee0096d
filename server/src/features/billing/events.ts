import type {
  PaymentEvent,
  Payments,
  SubscriptionState,
} from '../../adapters/payments/payments.ts';
import type { Context } from '../../core/context.ts';
import type { Database, Transaction } from '../../db/types.ts';
import { emit } from '../../events/emit.ts';
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

export type PaymentContext = Omit<Context, 'orgId' | 'actor' | 'db'> & { db: Database };

/** What an event changes, and in which org. */
interface Change {
  orgId: string;
  /** The account's revision before the provider was asked. */
  revision: number;
  apply: (tx: Transaction, account: AccountRow) => Promise<void>;
}

const MOST_READS = 20;

/**
 * Processes each event once, even if events repeat, arrive out of order or reach several processes. The
 * state is read from the provider with no transaction open; then all effects commit together.
 */
export async function processEvent(
  ctx: PaymentContext,
  payments: Payments,
  event: PaymentEvent,
): Promise<void> {
  for (let reads = 0; reads < MOST_READS; reads++) {
    if (await isProcessed(ctx.db, event.id)) return;
    const change = await readChange(ctx, payments, event);
    if (!change) {
      ctx.log.info(
        { eventId: event.id, type: event.type },
        'payment event ignored: no matching org',
      );
      return;
    }
    if (await commit(ctx, event, change)) return;
  }
  // The provider will send it again.
  throw new Error(`payment event ${event.id} not processed: the account kept changing`);
}

/** False if another event was applied in the meantime: what was read may be outdated. */
function commit(
  ctx: PaymentContext,
  event: PaymentEvent,
  { orgId, revision, apply }: Change,
): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const account = await lockAccount(tx, orgId);
    if (account.revision !== revision) return false;
    if (await claimEvent(tx, event)) {
      await apply(tx, account);
      await countRevision(tx, orgId);
      emit({ ...ctx, db: tx, orgId, actor: { kind: 'system' } }, { type: 'credits.changed' });
    }
    return true;
  });
}

async function readChange(
  ctx: PaymentContext,
  payments: Payments,
  { type, objectId }: PaymentEvent,
): Promise<Change | undefined> {
  if (type.startsWith('checkout.')) return readCheckout(ctx, payments, objectId);
  if (!type.startsWith('charge.')) return readSubscription(ctx, payments, objectId);
  // Only top-ups are taken back. A plan's credits expire at its renewal anyway.
  const checkoutId = await payments.findCheckoutOf(objectId);
  return checkoutId === undefined ? undefined : readCheckout(ctx, payments, checkoutId);
}

/** For events about a checkout or its payment. All of its state is applied in either case. */
async function readCheckout(
  ctx: PaymentContext,
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
  if (!subscription)
    throw new Error("the payment provider can't find the subscription of a checkout");
  return { orgId, revision, apply: (tx, account) => adopt(ctx, tx, account, subscription) };
}

async function readSubscription(
  ctx: PaymentContext,
  payments: Payments,
  subscriptionId: string,
): Promise<Change | undefined> {
  const found =
    (await findAccountOf(ctx.db, { subscriptionId })) ??
    (await findCustomerOf(ctx, payments, subscriptionId));
  if (!found) return undefined;
  const subscription = await payments.getSubscription(subscriptionId);
  if (!subscription) throw new Error("the payment provider can't find a subscription of ours");
  return {
    orgId: found.orgId,
    revision: found.revision,
    async apply(tx, account) {
      // A second subscription is handled by the checkout that created it.
      const isOther = account.subscriptionId !== null && account.subscriptionId !== subscriptionId;
      if (!isOther) await follow(ctx, tx, account, subscription);
    },
  };
}

/** For a subscription we have not seen before, the provider says whose it is. */
async function findCustomerOf(
  { db }: PaymentContext,
  payments: Payments,
  subscriptionId: string,
): Promise<AccountRow | undefined> {
  const subscription = await payments.getSubscription(subscriptionId);
  return subscription && findAccountOf(db, { customerId: subscription.customerId });
}

/** A checkout created a subscription. The org adopts it unless it already has a live one. */
async function adopt(
  ctx: PaymentContext,
  tx: Transaction,
  account: AccountRow,
  subscription: SubscriptionState,
): Promise<void> {
  const { orgId, subscriptionId } = account;
  if (subscriptionId !== null && subscriptionId !== subscription.id) {
    // A late event about an earlier subscription that has ended: nothing to do.
    if (!subscription.isLive) return;
    const payload = { orgId, subscriptionId: subscription.id };
    ctx.jobs.enqueue(tx, { kind: END_SUBSCRIPTION, payload });
    ctx.log.warn({ orgId }, 'second subscription completed; cancelling and refunding it');
    return;
  }
  await follow(ctx, tx, account, subscription);
}

/** Brings the account and its credits in line with the provider. */
async function follow(
  ctx: PaymentContext,
  tx: Transaction,
  account: AccountRow,
  subscription: SubscriptionState,
): Promise<void> {
  const { price, isLive, isPaid, periodStart, periodEnd, endsWithPeriod } = subscription;
  if (isLive && !price) {
    ctx.log.error({ orgId: account.orgId }, 'subscription has a price that is not configured');
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
