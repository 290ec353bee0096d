-- What is kept for replays is bounded for each caller. An empty sealed_response: it is no longer kept.
ALTER TABLE idempotency_keys
  ADD COLUMN IF NOT EXISTS is_compressed boolean NOT NULL DEFAULT false,
  ADD COLUMN IF NOT EXISTS is_read boolean NOT NULL DEFAULT false,
  -- The key or the web session. Null, like the size, if the response is too small to count.
  ADD COLUMN IF NOT EXISTS caller_id text,
  ADD COLUMN IF NOT EXISTS counted_bytes integer;
-- New transaction
CREATE INDEX IF NOT EXISTS idempotency_keys_by_caller ON idempotency_keys (org_id, caller_id)
  WHERE counted_bytes IS NOT NULL;
