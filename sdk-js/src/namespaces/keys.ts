import type { Call } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type { PageCall } from '../page.ts';
import type { Transport } from '../transport.ts';
import type {
  CreatedKey,
  CreatedOrgKey,
  CreateKey,
  CreateOrgKey,
  Key,
  OrgKey,
  RotatedKey,
  RotatedOrgKey,
  RotateKey,
} from '../types.ts';

/** API keys: your own, and those of the org for the v1 Memory API. */
export class Keys {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Your own keys, without their secrets. */
  list(options?: RequestOptions): PageCall<Key> {
    return this.#api.list('/keys', [], undefined, options);
  }

  /** Mints a key. Its `secret` is in this answer, and nowhere else. */
  create(params: CreateKey, options?: RequestOptions): Call<CreatedKey> {
    return this.#api.call('POST', '/keys', [], params, options);
  }

  /** Ends a key of yours. */
  revoke(keyId: string, options?: RequestOptions): Call<Key> {
    return this.#api.call('DELETE', '/keys/{keyId}', [keyId], undefined, options);
  }

  /** Replaces a key of yours; the old one may go on working for a while. */
  rotate(keyId: string, params?: RotateKey, options?: RequestOptions): Call<RotatedKey> {
    return this.#api.call('POST', '/keys/{keyId}/rotate', [keyId], params, options);
  }

  /** The org's v1 keys. */
  listOrgKeys(orgId: string, options?: RequestOptions): PageCall<OrgKey> {
    return this.#api.list('/org/{orgId}/api-keys', [orgId], undefined, options);
  }

  /** Mints a v1 key, for `AtriumMemory`. Its `key` is in this answer, and nowhere else. */
  createOrgKey(orgId: string, params: CreateOrgKey, options?: RequestOptions): Call<CreatedOrgKey> {
    return this.#api.call('POST', '/org/{orgId}/api-keys', [orgId], params, options);
  }

  /** Ends a v1 key. Repeating it keeps the first `revokedAt`. */
  revokeOrgKey(orgId: string, keyId: string, options?: RequestOptions): Call<OrgKey> {
    return this.#api.call(
      'DELETE',
      '/org/{orgId}/api-keys/{keyId}',
      [orgId, keyId],
      undefined,
      options,
    );
  }

  /** Replaces a v1 key; the old one may go on working for a while. */
  rotateOrgKey(
    orgId: string,
    keyId: string,
    params?: RotateKey,
    options?: RequestOptions,
  ): Call<RotatedOrgKey> {
    return this.#api.call(
      'POST',
      '/org/{orgId}/api-keys/{keyId}/rotate',
      [orgId, keyId],
      params,
      options,
    );
  }
}
