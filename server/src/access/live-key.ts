/** Whether the key `k` works: it is neither revoked nor expired. The only place that decides this. */
export const IS_LIVE_KEY =
  'k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())';
