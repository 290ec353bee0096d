-- Jobs of one lane run a few at a time, so that one org's hundred questions do not keep the others waiting.
ALTER TABLE jobs ADD COLUMN lane text;
CREATE INDEX jobs_running ON jobs (lane) WHERE lane IS NOT NULL AND lease_token IS NOT NULL;
CREATE INDEX jobs_by_lane ON jobs (lane, run_at, id) WHERE lane IS NOT NULL AND dead_at IS NULL;

-- Which mention of the message it replies to an AGENT message answers: one message each, whatever crashes.
ALTER TABLE messages ADD COLUMN mention text;
CREATE UNIQUE INDEX messages_by_mention ON messages (org_id, in_reply_to_message_id, mention)
  WHERE mention IS NOT NULL;

-- One row an org: what is locked while its balance is looked at.
CREATE TABLE credit_accounts (
  org_id text PRIMARY KEY REFERENCES orgs
);

-- Append-only. The balance is the sum; a source counts once, for ever.
CREATE TABLE ledger_entries (
  org_id text NOT NULL REFERENCES orgs,
  id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('GRANT', 'TOPUP', 'USAGE', 'LAPSE', 'REFUND')),
  credits bigint NOT NULL,
  source text NOT NULL,
  message_id text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  position bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (org_id, position),
  UNIQUE (org_id, source)
);

-- Credits held for a call that is under way; one that is never heard of again lapses.
CREATE TABLE credit_reservations (
  org_id text NOT NULL REFERENCES orgs,
  id text NOT NULL,
  credits bigint NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (org_id, id)
);

-- What each reply used, whether or not it cost anything.
CREATE TABLE model_usage (
  org_id text NOT NULL,
  message_id text NOT NULL,
  user_id text NOT NULL,
  model text NOT NULL,
  input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  credits bigint NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (org_id, message_id)
);
CREATE INDEX model_usage_by_day ON model_usage (org_id, created_at);
