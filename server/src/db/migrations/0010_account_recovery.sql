-- Taking back an account whose address somebody else changed.

ALTER TABLE users
  -- Goes into the device cookie: raising it makes every browser of the person an unknown one.
  ADD COLUMN device_generation integer NOT NULL DEFAULT 0;

-- One for each change of an address, mailed to the address it replaced. The token is derived from the
-- id and the secrets key (docs/adr/0011).
CREATE TABLE email_undos (
  id text PRIMARY KEY,
  -- The order of the person's changes: undoing one ends those after it.
  position bigint GENERATED ALWAYS AS IDENTITY,
  token_hash bytea NOT NULL UNIQUE,
  user_id text NOT NULL REFERENCES users,
  -- The address it restores.
  email text NOT NULL,
  email_key text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3)
);
CREATE INDEX email_undos_by_user ON email_undos (user_id, position);
CREATE INDEX email_undos_by_expiry ON email_undos (expires_at);

-- To end a person's open links together with their sessions.
CREATE INDEX IF NOT EXISTS sign_in_links_by_email ON sign_in_links (email_key);
CREATE INDEX IF NOT EXISTS sign_in_links_by_user ON sign_in_links (user_id)
  WHERE user_id IS NOT NULL;
