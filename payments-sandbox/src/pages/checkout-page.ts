import { isWebUrl } from '../api/params.ts';
import { lineOf } from '../checkouts.ts';
import type { Checkout, Customer } from '../objects.ts';
import { html, money } from './html.ts';
import { page, type PageResponse } from './layout.ts';

export interface CheckoutView {
  checkout: Checkout;
  customer: Customer | undefined;
  problem?: string | undefined;
}

/** Where a person goes after paying. Stripe puts the id where the URL asks for it. */
export function successUrlOf(checkout: Checkout): string {
  return new URL(checkout.success_url.replaceAll('{CHECKOUT_SESSION_ID}', checkout.id)).href;
}

export function checkoutPage({ checkout, customer, problem }: CheckoutView): PageResponse {
  if (checkout.status !== 'open') return closedPage(checkout);
  const { description, price } = lineOf(checkout);
  const interval = price.recurring?.interval;
  return page({
    status: problem === undefined ? 200 : 402,
    title: checkout.mode === 'subscription' ? 'Subscribe' : 'Buy credits',
    problem,
    leadsTo: [checkout.success_url, checkout.cancel_url],
    content: html`
      <section aria-label="Order">
        <p class="price">
          ${money(checkout.amount_total)}${
            interval === undefined ? undefined : html` <small>per ${interval}</small>`
          }
        </p>
        <p><strong>${description}</strong></p>
        ${customer && html`<p>For <bdi>${customer.name ?? customer.email ?? 'no name'}</bdi></p>`}
      </section>
      <form method="post">
        <div class="stack">
          <button class="main" name="action" value="pay">Pay (sandbox)</button>
          <button name="action" value="decline">Pay with a declined card</button>
          ${checkout.cancel_url !== null ? html`<button name="action" value="cancel">Cancel</button>` : undefined}
        </div>
      </form>
    `,
  });
}

function closedPage(checkout: Checkout): PageResponse {
  const isPaid = checkout.status === 'complete';
  const back = isPaid ? successUrlOf(checkout) : checkout.cancel_url;
  return page({
    status: isPaid ? 200 : 410,
    title: isPaid ? 'Already paid' : 'Checkout expired',
    content: html`<section>
      <p>
        ${
          isPaid
            ? 'There is nothing left to do here.'
            : 'Nothing was charged. Start again from the billing page in Atrium.'
        }
      </p>
      ${
        back !== null && isWebUrl(back)
          ? html`<p><a href="${back}">Back to Atrium</a></p>`
          : undefined
      }
    </section>`,
  });
}
