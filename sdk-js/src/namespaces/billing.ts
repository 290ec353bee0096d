import type { Call } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type { PageCall } from '../page.ts';
import type { Transport } from '../transport.ts';
import type {
  Checkout,
  Credits,
  HostedPage,
  LedgerEntry,
  ListLedgerParams,
  ListUsageParams,
  Portal,
  Topup,
  Usage,
} from '../types.ts';

/** Plans, credits, and what they were spent on. */
export class Billing {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** A page on which to subscribe to a plan. For the OWNER. */
  checkout(params: Checkout, options?: RequestOptions): Call<HostedPage> {
    return this.#api.call('POST', '/billing/checkout', [], params, options);
  }

  /** A page on which to buy credits, by pack or by number. They never lapse. */
  topup(params: Topup, options?: RequestOptions): Call<HostedPage> {
    return this.#api.call('POST', '/billing/topup', [], params, options);
  }

  /** A page on which to change the plan, and to see invoices. */
  portal(params?: Portal, options?: RequestOptions): Call<HostedPage> {
    return this.#api.call('POST', '/billing/portal', [], params, options);
  }

  /** What is left to spend. */
  credits(options?: RequestOptions): Call<Credits> {
    return this.#api.call('GET', '/billing/credits', [], undefined, options);
  }

  /** Every entry that the balance is the sum of, newest first. */
  ledger(params?: ListLedgerParams, options?: RequestOptions): PageCall<LedgerEntry> {
    return this.#api.list('/billing/ledger', [], params, options);
  }

  /** What was spent, by day, model and person. */
  usage(params?: ListUsageParams, options?: RequestOptions): PageCall<Usage> {
    return this.#api.list('/billing/usage', [], params, options);
  }
}
