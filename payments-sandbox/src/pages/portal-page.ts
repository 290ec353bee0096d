import { isWebUrl } from '../api/params.ts';
import type { Customer, Subscription } from '../objects.ts';
import { SANDBOX_PRICES } from '../prices.ts';
import { itemOf } from '../subscriptions.ts';
import { day, html, money, type Markup } from './html.ts';
import { page, type PageResponse } from './layout.ts';

export interface PortalView {
  customer: Customer;
  returnUrl: string | null;
  subscriptions: Subscription[];
  problem?: string | undefined;
}

export function portalPage({
  customer,
  returnUrl,
  subscriptions,
  problem,
}: PortalView): PageResponse {
  return page({
    status: problem === undefined ? 200 : 409,
    title: 'Manage plan',
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
              <p>Choose a plan on the billing page in Atrium.</p>
            </section>`
          : subscriptions.map(subscriptionMarkup)
      }
    `,
  });
}

function subscriptionMarkup(subscription: Subscription): Markup {
  const { id, status, cancel_at_period_end: isEnding, declines_next: declinesNext } = subscription;
  const { price, current_period_end: end } = itemOf(subscription);
  const act = (action: string, label: string) => buttonForm(id, action, label);
  return html`
    <section>
      <h2 id="${id}">${price.nickname ?? price.id}</h2>
      <dl>
        <dt>Price</dt>
        <dd>${money(price.unit_amount)} per ${price.recurring?.interval ?? 'month'}</dd>
        <dt>Status</dt>
        <dd>
          ${status === 'active' ? 'Active' : 'Payment failed. It is retried every three days.'}
        </dd>
        <dt>${isEnding ? 'Ends' : 'Renews'}</dt>
        <dd>${day(end)}</dd>
      </dl>
      ${changeForm(id, price.id)}
      <div class="row">
        ${isEnding ? act('resume', 'Keep plan') : act('cancel', 'Cancel plan at period end')}
        ${status === 'past_due' ? act('pay-invoice', 'Pay open invoice') : undefined}
      </div>
    </section>
    <section>
      <h2>Test a renewal</h2>
      <p class="faint">
        ${declinesNext ? 'The next payment will be declined.' : 'The next payment will succeed.'}
      </p>
      <div class="row">
        ${
          declinesNext
            ? act('decline-off', 'Accept next payment')
            : act('decline-on', 'Decline next payment')
        }
        ${act('end-period', 'End period now')}
      </div>
    </section>
  `;
}

function changeForm(subscriptionId: string, current: string): Markup {
  const field = `price-${subscriptionId}`;
  return html`<form method="post">
    <input type="hidden" name="subscription" value="${subscriptionId}" />
    <label for="${field}">Plan</label>
    <select id="${field}" name="price">
      ${[...SANDBOX_PRICES.values()].map(
        ({ id, nickname, unit_amount: amount }) =>
          html`<option value="${id}" ${id === current ? html`selected` : undefined}>
            ${nickname ?? id} (${money(amount)})
          </option>`,
      )}
    </select>
    <div class="row">
      <button class="main" name="action" value="change">Change plan</button>
    </div>
  </form>`;
}

function buttonForm(id: string, action: string, label: string): Markup {
  return html`<form method="post">
    <input type="hidden" name="subscription" value="${id}" />
    <button name="action" value="${action}" aria-describedby="${id}">${label}</button>
  </form>`;
}
