import type { Call } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type { Transport } from '../transport.ts';
import type { Me } from '../types.ts';

/** Who is calling. */
export class Identity {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** You, your org and role, and what the key may be used for. */
  me(options?: RequestOptions): Call<Me> {
    return this.#api.call('GET', '/me', [], undefined, options);
  }
}
