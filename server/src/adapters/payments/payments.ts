/** Plans that are paid for; `free` is what an org has without one. */
export const PAID_PLANS = ['pro', 'team', 'enterprise'] as const;
export type PaidPlan = (typeof PAID_PLANS)[number];
export const INTERVALS = ['monthly', 'annual'] as const;
export type Interval = (typeof INTERVALS)[number];

export interface PlanPrice {
  plan: PaidPlan;
  interval: Interval;
}

/** A page of the provider's to send a person to. */
export interface HostedPage {
  id: string;
  url: string;
}

export interface CheckoutState {
  id: string;
  isPaid: boolean;
  /** Names the payment, once there is one; null for subscriptions. */
  paymentId: string | null;
  /** Of the payment, from 0 to 1: refunded, or held by a dispute that is open or was lost. */
  shareLost: number;
  subscriptionId: string | null;
}

export interface SubscriptionState {
  id: string;
  customerId: string;
  /** Undefined for a price that this server does not know. */
  price: PlanPrice | undefined;
  /** Until it has ended; an unpaid one lives on for a while. */
  isLive: boolean;
  /** This period, and not only the one before. */
  isPaid: boolean;
  periodStart: Date;
  periodEnd: Date;
  endsWithPeriod: boolean;
}

/** What an event is about. The object itself is read again: events may come late, and in any order. */
export interface PaymentEvent {
  id: string;
  type: string;
  /** Of the checkout, subscription or payment that the event is about. */
  objectId: string;
}

/** The payment provider. Every call has a time limit; `key` makes a repeated call the same one. */
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
  getCheckout(id: string): Promise<CheckoutState>;
  /** The checkout at which this was paid, if it was at one. */
  findCheckoutOf(paymentId: string): Promise<string | undefined>;
  /** Undefined where there is no such subscription. */
  getSubscription(id: string): Promise<SubscriptionState | undefined>;
  /** Ends a subscription at once and pays back what it took. */
  cancelAndRefund(subscriptionId: string, key: string): Promise<void>;
  /** Undefined for an event that means nothing to us; throws WrongSignature. */
  readEvent(body: Buffer, signature: string | undefined): Promise<PaymentEvent | undefined>;
}

export interface CheckoutRequest {
  customerId: string;
  /** Our own record of it. */
  checkoutId: string;
  successUrl: string;
  cancelUrl: string;
}

/** The webhook was not signed by the provider, or not within the last five minutes. */
export class WrongSignature extends Error {
  constructor(problem: string) {
    super(problem);
    this.name = 'WrongSignature';
  }
}
