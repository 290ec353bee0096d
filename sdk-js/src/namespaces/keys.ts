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

/** API keys: your own (v2), and the organisation's keys for the v1 Memory API. */
export class Keys {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Lists your own keys, without their secrets. */
  list(options?: RequestOptions): PageCall<Key> {
    return this.#api.path('/keys').list(undefined, options);
  }

  /** Creates a key. Its `secret` is returned only this once. */
  create(params: CreateKey, options?: RequestOptions): Call<CreatedKey> {
    return this.#api.path('/keys').post(params, options);
  }

  /** Revokes one of your keys. */
  revoke(keyId: string, options?: RequestOptions): Call<Key> {
    return this.#api.path('/keys/{keyId}', keyId).delete(options);
  }

  /** Replaces one of your keys. The old key keeps working for the grace period. */
  rotate(keyId: string, params?: RotateKey, options?: RequestOptions): Call<RotatedKey> {
    return this.#api.path('/keys/{keyId}/rotate', keyId).post(params, options);
  }

  /** Lists the organisation's v1 keys. */
  listOrgKeys(orgId: string, options?: RequestOptions): PageCall<OrgKey> {
    return this.#api.path('/org/{orgId}/api-keys', orgId).list(undefined, options);
  }

  /** Creates a v1 key for `AtriumMemory`. Its `key` is returned only this once. */
  createOrgKey(orgId: string, params: CreateOrgKey, options?: RequestOptions): Call<CreatedOrgKey> {
    return this.#api.path('/org/{orgId}/api-keys', orgId).post(params, options);
  }

  /** Revokes a v1 key. Revoking it again keeps the first `revokedAt`. */
  revokeOrgKey(orgId: string, keyId: string, options?: RequestOptions): Call<OrgKey> {
    return this.#api.path('/org/{orgId}/api-keys/{keyId}', orgId, keyId).delete(options);
  }

  /** Replaces a v1 key. The old key keeps working for the grace period. */
  rotateOrgKey(
    orgId: string,
    keyId: string,
    params?: RotateKey,
    options?: RequestOptions,
  ): Call<RotatedOrgKey> {
    return this.#api
      .path('/org/{orgId}/api-keys/{keyId}/rotate', orgId, keyId)
      .post(params, options);
  }
}
