import type { RequestOptions } from '../options.ts';
import type { PageCall } from '../page.ts';
import type { Transport } from '../transport.ts';
import type { Model } from '../types.ts';

/** Models that can be mentioned. */
export class Models {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Lists the models that reply when you mention their slug. */
  list(options?: RequestOptions): PageCall<Model> {
    return this.#api.path('/models').list(undefined, options);
  }
}
