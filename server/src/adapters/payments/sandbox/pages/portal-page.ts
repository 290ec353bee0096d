import type Stripe from 'stripe';
import { isWebUrl } from '../api/params.ts';
import { itemOf } from '../objects/subscription.ts';
import { priceTitle, SANDBOX_PRICES } from '../prices.ts';
import { day, html, money, type Markup } from './html.ts';
import { page, type PageAnswer } from './layout.ts';

export interface SubscriptionView {
  subscription: Stripe.Subscription;
  isDeclineNext: boolean;
  hasOpenInvoice: boolean;
}

export interface PortalView {
  customer: Stripe.Customer;
  returnUrl: string | null;
  subscriptions: SubscriptionView[];
  /** Newest first. */
  charges: Stripe.Charge[];
  disputes: Stripe.Dispute[];
  problem?: string | undefined;
}

export function portalPage(view: PortalView): PageAnswer {
  const { customer, returnUrl, subscriptions, charges, disputes, problem } = view;
  return page({
    status: problem === undefined ? 200 : 409,
    title: 'Plan and payments',
    problem,
    content: html`
      <p>
        <bdi>${customer.name ?? customer.email ?? 'Customer'}</bdi>
        ${
          returnUrl !== null && isWebUrl(returnUrl)
            ? html`· <a href="${new URL(returnUrl).href}">Back to Atrium</a>`
            : undefined
        }
      </p>
      ${
        subscriptions.length === 0
          ? html`<section>
              <h2>No plan</h2>
              <p>There is no subscription. Start one in Atrium.</p>
            </section>`
          : subscriptions.map(subscriptionMarkup)
      }
      <section aria-labelledby="payments">
        <h2 id="payments">Try what may happen to a payment</h2>
        ${
          charges.length === 0
            ? html`<p class="faint">There are no payments yet.</p>`
            : html`<ul>
                ${charges.map((charge) => chargeMarkup(charge, disputes))}
              </ul>`
        }
      </section>
    `,
  });
}

function subscriptionMarkup({
  subscription,
  isDeclineNext,
  hasOpenInvoice,
}: SubscriptionView): Markup {
  const { price, current_period_end: end } = itemOf(subscription);
  const amount = money(price.unit_amount ?? 0, price.currency);
  const interval = price.recurring?.interval ?? 'month';
  const isEnding = subscription.cancel_at_period_end;
  const act = (action: string, label: string, isMain = false) =>
    buttonForm('subscription', subscription.id, action, label, isMain);
  return html`
    <section>
      <h2 id="${subscription.id}">${price.nickname ?? price.id}</h2>
      <dl>
        <dt>Price</dt>
        <dd>${amount} per ${interval}</dd>
        <dt>Status</dt>
        <dd>${STATUS[subscription.status] ?? subscription.status}</dd>
        <dt>${isEnding ? 'Ends' : 'Renews'}</dt>
        <dd>${day(end)}</dd>
      </dl>
      ${changeForm(subscription.id, price.id)}
      <div class="row">
        ${
          isEnding
            ? act('resume', 'Keep the plan')
            : act('cancel', 'Cancel at the end of the period')
        }
        ${hasOpenInvoice ? act('pay-invoice', 'Pay the open invoice', true) : undefined}
      </div>
    </section>
    <section>
      <h2>Try what may happen to the plan</h2>
      <p class="faint">
        ${
          isDeclineNext
            ? 'The next renewal will be declined.'
            : 'The next renewal will be paid. Renewals are looked at every few minutes.'
        }
      </p>
      <div class="row">
        ${
          isDeclineNext
            ? act('decline-off', 'Let the next renewal be paid')
            : act('decline-on', 'Decline the next renewal')
        }
        ${act('end-period', 'Let the period end now')} ${act('end-now', 'End the plan at once')}
      </div>
    </section>
  `;
}

const STATUS: Record<string, string> = {
  active: 'Active',
  past_due: 'Payment failed; it is tried again every three days',
};

function changeForm(subscriptionId: string, current: string): Markup {
  const field = `price-${subscriptionId}`;
  return html`<form method="post">
    <input type="hidden" name="subscription" value="${subscriptionId}" />
    <label for="${field}">Change the plan</label>
    <select id="${field}" name="price">
      ${Object.entries(SANDBOX_PRICES).map(
        ([id, price]) =>
          html`<option value="${id}" ${id === current ? html`selected` : undefined}>
            ${priceTitle(price)} (${money(price.amount, 'usd')})
          </option>`,
      )}
    </select>
    <div class="row">
      <button class="main" name="action" value="change">Change the plan</button>
    </div>
  </form>`;
}

function chargeMarkup(charge: Stripe.Charge, disputes: readonly Stripe.Dispute[]): Markup {
  const act = (action: string, label: string) => buttonForm('charge', charge.id, action, label);
  const dispute = disputes.find((each) => each.charge === charge.id);
  const isOpen = dispute?.status === 'needs_response';
  const isFree = charge.paid && !charge.refunded && !charge.disputed;
  const actions = [
    charge.status === 'pending' ? [act('settle', 'Let the money arrive')] : [],
    isFree ? [act('refund', 'Refund'), act('dispute', 'Dispute')] : [],
    isOpen ? [act('win', 'Win the dispute'), act('lose', 'Lose the dispute')] : [],
  ].flat();
  return html`<li>
    <h3 id="${charge.id}">${charge.description ?? 'Payment'}</h3>
    <p class="faint">
      ${money(charge.amount, charge.currency)} · ${day(charge.created)} ·
      ${stateOf(charge, dispute)}
    </p>
    ${actions.length > 0 ? html`<div class="row">${actions}</div>` : undefined}
  </li>`;
}

function stateOf(charge: Stripe.Charge, dispute: Stripe.Dispute | undefined): string {
  if (dispute)
    return dispute.status === 'needs_response' ? 'disputed' : `dispute ${dispute.status}`;
  if (charge.refunded) return 'refunded';
  if (charge.amount_refunded > 0) {
    return `${money(charge.amount_refunded, charge.currency)} refunded`;
  }
  if (charge.status === 'pending') return 'on its way';
  return charge.paid ? 'paid' : 'declined';
}

function buttonForm(
  field: 'subscription' | 'charge',
  id: string,
  action: string,
  label: string,
  isMain = false,
): Markup {
  return html`<form method="post">
    <input type="hidden" name="${field}" value="${id}" />
    <button
      class="${isMain ? 'main' : 'other'}"
      name="action"
      value="${action}"
      aria-describedby="${id}"
    >
      ${label}
    </button>
  </form>`;
}
