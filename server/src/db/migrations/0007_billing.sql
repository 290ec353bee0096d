-- What an org pays for. `free` has no subscription.
ALTER TABLE credit_accounts
  ADD COLUMN plan text NOT NULL DEFAULT 'free' CHECK (plan IN ('free', 'pro', 'team', 'enterprise')),
  ADD COLUMN customer_id text UNIQUE,
  -- The one that lives; a second one that completes all the same is cancelled and refunded.
  ADD COLUMN subscription_id text UNIQUE,
  ADD COLUMN is_paid boolean NOT NULL DEFAULT false,
  ADD COLUMN ends_with_period boolean NOT NULL DEFAULT false,
  ADD COLUMN period_start timestamptz(3),
  ADD COLUMN period_end timestamptz(3),
  -- When the included credits of now lapse, and the next ones are due; null until they were looked at.
  ADD COLUMN included_until timestamptz(3),
  -- Counts the news of the provider: who finds another number than before reading reads again.
  ADD COLUMN revision bigint NOT NULL DEFAULT 0;
CREATE INDEX credit_accounts_due ON credit_accounts (included_until);
CREATE INDEX ledger_entries_balance ON ledger_entries (org_id) INCLUDE (credits);
CREATE INDEX ledger_entries_by_kind ON ledger_entries (org_id, kind, position DESC);

-- Our own record of each checkout: what ties a payment to an org, and says what was bought.
CREATE TABLE checkouts (
  id text PRIMARY KEY,
  provider_id text NOT NULL UNIQUE,
  org_id text NOT NULL REFERENCES orgs,
  -- A plan, or so many credits.
  plan text,
  credits bigint,
  created_by_id text NOT NULL REFERENCES users,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CHECK ((plan IS NULL) <> (credits IS NULL))
);

-- Every event of the provider that was processed, kept for ever: whatever it resends counts once.
CREATE TABLE payment_events (
  id text PRIMARY KEY,
  type text NOT NULL,
  processed_at timestamptz(3) NOT NULL DEFAULT now()
);
