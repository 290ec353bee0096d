/** Plans that cost money. Without one, an org has the `free` plan. */
export const PAID_PLANS = ['pro', 'team', 'enterprise'] as const;
export type PaidPlan = (typeof PAID_PLANS)[number];
export const INTERVALS = ['monthly', 'annual'] as const;
export type Interval = (typeof INTERVALS)[number];

export interface PlanPrice {
  plan: PaidPlan;
  interval: Interval;
}

/** What a plan costs, as the provider's pages show it. */
export interface Amount {
  /** In the currency's smallest unit, such as cents. */
  amount: number;
  /** ISO 4217, in capitals. */
  currency: string;
}

/** A page of the payment provider to send a person to. */
export interface HostedPage {
  id: string;
  url: string;
}

export interface CheckoutState {
  id: string;
  isPaid: boolean;
  /** Null until the payment exists, and for subscriptions. */
  paymentId: string | null;
  /** The share of the payment, from 0 to 1, that was refunded or is held by an open or lost dispute. */
  shareLost: number;
  subscriptionId: string | null;
}

export interface SubscriptionState {
  id: string;
  customerId: string;
  /** Undefined for a price that is not configured. */
  price: PlanPrice | undefined;
  /** False once it has ended. An unpaid subscription stays live for a while. */
  isLive: boolean;
  /** The current period is paid, not only the previous one. */
  isPaid: boolean;
  periodStart: Date;
  periodEnd: Date;
  endsWithPeriod: boolean;
}

/** What an event is about. The object is always read again, because events may be late or out of order. */
export interface PaymentEvent {
  id: string;
  type: string;
  /** The checkout, subscription or payment. */
  objectId: string;
}

/** The payment provider. Every call has a time limit, and `key` is its idempotency key. */
export interface Payments {
  readonly isSandbox: boolean;
  createCustomer(
    customer: { orgId: string; name: string; email: string },
    key: string,
  ): Promise<string>;
  createPlanCheckout(
    checkout: CheckoutRequest & { price: PlanPrice },
    key: string,
  ): Promise<HostedPage>;
  createTopupCheckout(
    checkout: CheckoutRequest & { credits: number },
    key: string,
  ): Promise<HostedPage>;
  createPortal(portal: { customerId: string; returnUrl: string }, key: string): Promise<HostedPage>;
  hasPrice(price: PlanPrice): boolean;
  /** Remembered for a while. Undefined if there is no price, or not one fixed amount. */
  getAmount(price: PlanPrice): Promise<Amount | undefined>;
  getCheckout(id: string): Promise<CheckoutState>;
  /** The checkout of this payment, if there was one. */
  findCheckoutOf(paymentId: string): Promise<string | undefined>;
  /** Undefined if it does not exist. */
  getSubscription(id: string): Promise<SubscriptionState | undefined>;
  /** Ends a subscription at once and refunds its latest invoice. */
  cancelAndRefund(subscriptionId: string, key: string): Promise<void>;
  /** Undefined for an event that Atrium ignores. Throws WrongSignature. */
  readEvent(body: Buffer, signature: string | undefined): Promise<PaymentEvent | undefined>;
}

export interface CheckoutRequest {
  customerId: string;
  /** The id of our own record. */
  checkoutId: string;
  successUrl: string;
  cancelUrl: string;
}

/** The event was not signed by the provider, or not within the last five minutes. */
export class WrongSignature extends Error {
  override name = 'WrongSignature';
}
