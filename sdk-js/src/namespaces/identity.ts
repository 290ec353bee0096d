import type { Call } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type { Transport } from '../transport.ts';
import type { Me } from '../types.ts';

/** The caller's identity. */
export class Identity {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Gets your user, organisation and role, and the key's scopes. */
  me(options?: RequestOptions): Call<Me> {
    return this.#api.path('/me').get(options);
  }
}
