-- People in the browser: tables found without an org, like users themselves.

ALTER TABLE users
  -- argon2id, in PHC form; null until the person sets a password.
  ADD COLUMN password_hash text,
  -- Where a request by cookie that names no org belongs.
  ADD COLUMN last_org_id text REFERENCES orgs;

CREATE TABLE web_sessions (
  id text PRIMARY KEY,
  -- SHA-256 of the cookie's value, which is stored nowhere.
  token_hash bytea NOT NULL UNIQUE,
  user_id text NOT NULL REFERENCES users,
  -- By a link to the person's address: that proves who they are, for a while, without a password.
  opened_by_link boolean NOT NULL,
  user_agent text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_seen_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX web_sessions_by_user ON web_sessions (user_id);
CREATE INDEX web_sessions_by_expiry ON web_sessions (expires_at);

-- One-time links to an address. The token is derived from the id and the secrets key (docs/adr/0011).
CREATE TABLE sign_in_links (
  id text PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('sign-in', 'email-change')),
  token_hash bytea NOT NULL UNIQUE,
  email text NOT NULL,
  email_key text NOT NULL,
  -- Whose address changes; a sign-in link is for whoever has the address when it is used.
  user_id text REFERENCES users,
  -- What the address was before the change, for the note that goes there.
  previous_email text,
  return_to text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  CHECK ((purpose = 'email-change') = (user_id IS NOT NULL))
);
CREATE INDEX sign_in_links_by_expiry ON sign_in_links (expires_at);

-- Whether an address that nobody has yet may sign in.
CREATE INDEX invitations_by_email ON invitations (email_key) WHERE status = 'PENDING';
