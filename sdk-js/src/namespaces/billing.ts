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
  PlanOffer,
  Portal,
  Topup,
  Usage,
} from '../types.ts';

/** Plans, credits and usage. */
export class Billing {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Opens a checkout page for a plan. Only the OWNER can do this. */
  checkout(params: Checkout, options?: RequestOptions): Call<HostedPage> {
    return this.#api.path('/billing/checkout').post(params, options);
  }

  /** Opens a page for buying credits, by pack or by number. Bought credits never expire. */
  topup(params: Topup, options?: RequestOptions): Call<HostedPage> {
    return this.#api.path('/billing/topup').post(params, options);
  }

  /** Opens a page for changing the plan and reading invoices. */
  portal(params?: Portal, options?: RequestOptions): Call<HostedPage> {
    return this.#api.path('/billing/portal').post(params, options);
  }

  /** Lists what each plan includes and costs. */
  plans(options?: RequestOptions): PageCall<PlanOffer> {
    return this.#api.path('/billing/plans').list(undefined, options);
  }

  /** Gets the organisation's credit balance and plan. */
  credits(options?: RequestOptions): Call<Credits> {
    return this.#api.path('/billing/credits').get(options);
  }

  /** Lists the ledger entries that add up to the balance, newest first. */
  ledger(params?: ListLedgerParams, options?: RequestOptions): PageCall<LedgerEntry> {
    return this.#api.path('/billing/ledger').list(params, options);
  }

  /** Lists credits spent by day, model and person. */
  usage(params?: ListUsageParams, options?: RequestOptions): PageCall<Usage> {
    return this.#api.path('/billing/usage').list(params, options);
  }
}
