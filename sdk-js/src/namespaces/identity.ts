import type { Call } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type { Transport } from '../transport.ts';
import type { DeleteAccount, Me, UpdateMe } from '../types.ts';

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

  /** Changes your name, handle, title, photo, status or time zone, or what you are emailed about. */
  update(params: UpdateMe, options?: RequestOptions): Call<Me> {
    return this.#api.path('/me').patch(params, options);
  }

  /** Loads a person's photo. `photo` is the last part of the path in their record. */
  photo(userId: string, photo: string, options?: RequestOptions): Call<ReadableStream<Uint8Array>> {
    return this.#api.path('/people/{userId}/photos/{photo}', userId, photo).download(options);
  }

  /** Exports what you wrote and own in this organisation, as a `.tar.gz` of JSON Lines. */
  export(options?: RequestOptions): Call<ReadableStream<Uint8Array>> {
    return this.#api.path('/me/export').download(options);
  }

  /** Deletes your account. Only in the browser (`auth: 'cookie'`), after a fresh sign-in. */
  deleteAccount(params?: DeleteAccount, options?: RequestOptions): Call<void> {
    return this.#api.call('DELETE', '/me', [], params, options);
  }
}
