-- The durable queue. One local table, without an org: SKIP LOCKED across orgs does not work on a sharded one.
CREATE TABLE jobs (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  payload jsonb NOT NULL,
  -- When it may start: first as asked for, then as the backoff says.
  run_at timestamptz(3) NOT NULL,
  -- Counted when it starts, so that a job that takes its worker down is counted too.
  attempts integer NOT NULL DEFAULT 0,
  lease_token text,
  lease_expires_at timestamptz(3),
  last_error text,
  -- Set when nobody will try again unless an operator says so.
  dead_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CHECK ((lease_token IS NULL) = (lease_expires_at IS NULL)),
  CHECK (dead_at IS NULL OR lease_token IS NULL)
);
-- The lease is not in it: a claim and its renewals then need not touch the index.
CREATE INDEX jobs_due ON jobs (run_at, id) WHERE dead_at IS NULL;
