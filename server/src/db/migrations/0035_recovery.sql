-- When the person last confirmed with their password that it is them. Creating keys asks for it.
ALTER TABLE web_sessions ADD COLUMN IF NOT EXISTS confirmed_at timestamptz(3);
-- When the browser last got the cookie. Null: when the session began.
ALTER TABLE web_sessions ADD COLUMN IF NOT EXISTS cookie_sent_at timestamptz(3);

-- A handle that somebody gave up keeps its row for 90 days, so that nobody else takes it meanwhile.
ALTER TABLE mention_names ADD COLUMN IF NOT EXISTS former_user_id text;
ALTER TABLE mention_names ADD COLUMN IF NOT EXISTS freed_at timestamptz(3);

-- New transaction

CREATE INDEX IF NOT EXISTS mention_names_by_freed_at ON mention_names (freed_at) WHERE freed_at IS NOT NULL;
