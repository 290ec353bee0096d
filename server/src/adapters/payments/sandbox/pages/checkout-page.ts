import type Stripe from 'stripe';
import { isWebUrl } from '../api/params.ts';
import type { StoredCheckout } from '../objects/checkout.ts';
import { html, money, type Markup } from './html.ts';
import { page, type PageAnswer } from './layout.ts';

export interface CheckoutView {
  checkout: StoredCheckout;
  customer: Stripe.Customer | undefined;
  problem?: string;
}

/** Where a person goes on after paying; the id tells that page what was paid. */
export function successUrlOf(checkout: StoredCheckout): string {
  const url = (checkout.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', checkout.id);
  return new URL(url).href;
}

export function checkoutPage({ checkout, customer, problem }: CheckoutView): PageAnswer {
  if (checkout.status !== 'open') return closedPage(checkout);
  return page({
    status: problem === undefined ? 200 : 402,
    title: checkout.mode === 'subscription' ? 'Subscribe' : 'Buy',
    problem,
    leadsTo: [checkout.success_url, checkout.cancel_url],
    content: html`
      <section aria-label="What you buy">
        <p class="price">
          ${money(checkout.amount_total ?? 0, checkout.currency ?? 'usd')}${every(checkout)}
        </p>
        <ul>
          ${(checkout.line_items?.data ?? []).map(lineMarkup)}
        </ul>
      </section>
      ${customer && customerMarkup(customer)}
      <form method="post">
        <div class="stack">
          <button class="main" name="action" value="pay">Pay (sandbox)</button>
          <button name="action" value="decline">Pay with a card that is declined</button>
          ${checkout.mode === 'payment' ? PAY_LATER : undefined}
          ${checkout.cancel_url === null ? undefined : CANCEL}
        </div>
      </form>
    `,
  });
}

const PAY_LATER = html`<button name="action" value="pay-later">
  Pay by bank debit (arrives a while later)
</button>`;
const CANCEL = html`<button name="action" value="cancel">Cancel</button>`;

function every({ line_items: lines }: StoredCheckout): Markup | undefined {
  const interval = lines?.data[0]?.price?.recurring?.interval;
  return interval === undefined ? undefined : html` <small>per ${interval}</small>`;
}

function lineMarkup({
  description,
  quantity,
  amount_total: total,
  currency,
}: Stripe.LineItem): Markup {
  return html`<li>
    <p><strong>${description ?? 'Something'}</strong></p>
    ${
      quantity !== null && quantity > 1
        ? html`<p class="faint">${quantity} × ${money(total / quantity, currency)}</p>`
        : undefined
    }
  </li>`;
}

function customerMarkup({ name, email }: Stripe.Customer): Markup {
  return html`<section aria-label="Who buys">
    <dl>
      <dt>Customer</dt>
      <dd><bdi>${name ?? 'No name'}</bdi></dd>
      <dt>E-mail</dt>
      <dd><bdi>${email ?? 'None'}</bdi></dd>
    </dl>
  </section>`;
}

function closedPage(checkout: StoredCheckout): PageAnswer {
  const isPaid = checkout.status === 'complete';
  const back = isPaid ? successUrlOf(checkout) : checkout.cancel_url;
  return page({
    status: isPaid ? 200 : 410,
    title: isPaid ? 'This is paid for' : 'This offer has expired',
    content: html`<section>
      <p>
        ${isPaid ? 'Nothing is left to do here.' : 'Nothing was paid. Start again where you came from.'}
      </p>
      ${back !== null && isWebUrl(back) ? html`<p><a href="${back}">Go on</a></p>` : undefined}
    </section>`,
  });
}
