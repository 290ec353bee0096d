import type { RequestOptions } from '../options.ts';
import type { PageCall } from '../page.ts';
import type { Transport } from '../transport.ts';
import type { Model } from '../types.ts';

/** The models that can be mentioned. */
export class Models {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Every model that answers when its slug is mentioned. */
  list(options?: RequestOptions): PageCall<Model> {
    return this.#api.list('/models', [], undefined, options);
  }
}
