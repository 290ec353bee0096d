import { createHash } from 'node:crypto';
import {
  INTERVALS,
  type HostedPage,
  type Payments,
  type PlanPrice,
} from '../../adapters/payments/payments.ts';
import { withTransaction, type Context, type UserContext } from '../../core/context.ts';
import type { Queryable } from '../../db/types.ts';
import { conflict, invalidValue } from '../../core/errors.ts';
import { emit } from '../../events/emit.ts';
import { readCredits } from './ledger/service.ts';
import { findAccount, listUsage as listUsageRows, saveCustomer } from './ledger/store.ts';
import { INCLUDED_CREDITS, PACKS, type Plan } from './plans.ts';
import type { Checkout, ListUsage, PlanOffer, Topup, Usage } from './schema.ts';
import { findOrgName, insertCheckoutAtCommit } from './store.ts';

export {
  mayFailMore,
  highestPrice,
  priceOf,
  recordUnpaid,
  releaseCredits,
  reserveCredits,
  settleUsage,
  type TokenPrice,
  type UsageRecord,
  type UsedTokens,
} from './ledger/service.ts';
export { listEntries as listLedger } from './ledger/store.ts';

/** A checkout that the provider has opened and that we still have to record. */
export interface OpenedCheckout {
  id: string;
  page: HostedPage;
  plan: Plan | null;
  credits: number | null;
}

/** Calls the provider, with no transaction open. */
export async function openPlanCheckout(
  ctx: UserContext,
  { plan, interval = 'monthly', successUrl, cancelUrl }: Checkout,
  key: string,
): Promise<OpenedCheckout> {
  const price: PlanPrice = { plan, interval };
  const payments = requirePayments(ctx);
  if (!payments.hasPrice(price)) {
    const message = `No price is configured for the ${interval} ${plan} plan.`;
    throw conflict('billing_not_configured', message, { plan, interval });
  }
  const account = await findAccount(ctx.db, ctx.orgId);
  if (account?.subscriptionId != null) {
    const message =
      'This organisation already has a subscription. Change or cancel it in the portal.';
    throw conflict('subscription_active', message);
  }
  const id = checkoutIdOf(key);
  const page = await payments.createPlanCheckout(
    {
      price,
      customerId: await ensureCustomer(ctx, payments),
      checkoutId: id,
      successUrl: successUrl ?? billingUrl(ctx),
      cancelUrl: cancelUrl ?? billingUrl(ctx),
    },
    key,
  );
  return { id, page, plan, credits: null };
}

/** Calls the provider, with no transaction open. */
export async function openTopup(
  ctx: UserContext,
  input: Topup,
  key: string,
): Promise<OpenedCheckout> {
  const payments = requirePayments(ctx);
  const credits = 'pack' in input ? PACKS[input.pack] : input.credits;
  const id = checkoutIdOf(key);
  const page = await payments.createTopupCheckout(
    {
      credits,
      customerId: await ensureCustomer(ctx, payments),
      checkoutId: id,
      successUrl: billingUrl(ctx),
      // The page says at once that nothing was bought, instead of waiting for a payment.
      cancelUrl: `${billingUrl(ctx)}?cancelled=1`,
    },
    key,
  );
  return { id, page, plan: null, credits };
}

/** Nobody could end it once the org has no members. One that is cancelled ends by itself. */
export async function requireNoSubscription(
  { db, orgId }: { db: Queryable; orgId: string },
  { orgName }: { orgName: string },
): Promise<void> {
  const account = await findAccount(db, orgId);
  if (account?.subscriptionId == null || account.endsWithPeriod) return;
  const message = `${orgName} has a subscription. Cancel it in the portal first.`;
  throw conflict('subscription_active', message, { orgId });
}

/** Our record ties the payment to the org. Without it, the provider's events can't be assigned. */
export async function recordCheckout(
  ctx: UserContext,
  { id, page, plan, credits }: OpenedCheckout,
): Promise<HostedPage> {
  await withTransaction(ctx, async (inner) => {
    const checkout = { id, providerId: page.id, orgId: ctx.orgId, plan, credits };
    insertCheckoutAtCommit(inner.db, { ...checkout, createdById: ctx.actor.userId });
    emit(inner, { type: 'billing.checkout_opened', checkoutId: id, plan, credits });
  });
  return page;
}

export async function openPortal(
  ctx: UserContext,
  returnUrl: string | undefined,
  key: string,
): Promise<HostedPage> {
  const payments = requirePayments(ctx);
  const customerId = await ensureCustomer(ctx, payments);
  return payments.createPortal({ customerId, returnUrl: returnUrl ?? billingUrl(ctx) }, key);
}

export function getCredits(ctx: Context) {
  return readCredits(ctx.db, ctx.orgId, ctx.clock.now());
}

/** Without the provider, people still see what each plan includes. */
export function listPlans(ctx: Context): Promise<PlanOffer[]> {
  const plans = Object.entries(INCLUDED_CREDITS) as [Plan, number][];
  return Promise.all(
    plans.map(async ([plan, credits]) => ({ plan, credits, prices: await pricesOf(ctx, plan) })),
  );
}

async function pricesOf({ payments, log }: Context, plan: Plan): Promise<PlanOffer['prices']> {
  if (!payments || plan === 'free') return [];
  try {
    const priced = await Promise.all(
      INTERVALS.map(async (interval) => {
        const amount = await payments.getAmount({ plan, interval });
        return amount && { interval, ...amount };
      }),
    );
    return priced.filter((price) => price !== undefined);
  } catch (error) {
    log.warn({ err: error, plan }, 'could not read the prices of a plan');
    return [];
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;
const USUAL_DAYS = 30;
const MOST_DAYS = 366;

export async function listUsage(ctx: Context, query: ListUsage): Promise<Usage[]> {
  const to = query.to ?? dayOf(ctx.clock.now());
  const from = query.from ?? dayOf(new Date(Date.parse(to) - (USUAL_DAYS - 1) * DAY_MS));
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1 || days > MOST_DAYS) {
    const message = `must not be after \`to\`, and at most ${MOST_DAYS} days may be listed`;
    throw invalidValue('query.from', message);
  }
  return listUsageRows(ctx.db, ctx.orgId, { from, to });
}

/** Where people return after a checkout. */
function billingUrl({ site }: Context): string {
  return `${site.publicUrl()}/settings/billing`;
}

function requirePayments(ctx: Context): Payments {
  if (ctx.payments) return ctx.payments;
  throw conflict(
    'billing_not_configured',
    'This server has no payment provider. Set STRIPE_SECRET_KEY.',
  );
}

/** One customer per org: if two are created at once, the first one saved stays. */
async function ensureCustomer(ctx: UserContext, payments: Payments): Promise<string> {
  const account = await findAccount(ctx.db, ctx.orgId);
  if (account?.customerId != null) return account.customerId;
  const name = await findOrgName(ctx.db, ctx.orgId);
  const customer = { orgId: ctx.orgId, name, email: ctx.actor.email };
  // A hash of the whole request, because the provider refuses a key that comes with different data.
  const key = createHash('sha256').update(JSON.stringify(customer)).digest('hex');
  const customerId = await payments.createCustomer(customer, `atrium-customer-${key}`);
  return saveCustomer(ctx.db, ctx.orgId, customerId);
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Derived from the request's key, so that a repeated request opens the same checkout. */
function checkoutIdOf(key: string): string {
  const bytes = createHash('sha256').update(key).digest();
  return `c${Array.from(bytes.subarray(0, 24), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('')}`;
}

function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}
