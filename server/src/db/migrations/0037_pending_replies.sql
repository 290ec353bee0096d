-- How often a model has extended the session's summary since then: it is bounded per hour.
ALTER TABLE sessions ADD COLUMN IF NOT EXISTS summary_calls integer NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN IF NOT EXISTS summary_calls_since timestamptz(3);

-- What replies of models used that cost nothing, because they failed, since then: it is bounded per day.
ALTER TABLE credit_accounts ADD COLUMN IF NOT EXISTS unpaid_credits bigint NOT NULL DEFAULT 0;
ALTER TABLE credit_accounts ADD COLUMN IF NOT EXISTS unpaid_since timestamptz(3);

-- New transaction

-- The few messages that wait for a reply, for the chore that looks whether each has a job.
CREATE INDEX IF NOT EXISTS messages_with_pending_replies ON messages (org_id, id)
  WHERE pending_replies <> '[]';
