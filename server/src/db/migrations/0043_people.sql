-- What people say about themselves: everywhere the same, or in one organisation.
ALTER TABLE users ADD COLUMN IF NOT EXISTS time_zone text;
ALTER TABLE users ADD COLUMN IF NOT EXISTS photo_hash text;
ALTER TABLE memberships ADD COLUMN IF NOT EXISTS title text;
ALTER TABLE memberships ADD COLUMN IF NOT EXISTS status_emoji text;
ALTER TABLE memberships ADD COLUMN IF NOT EXISTS status_text text;
ALTER TABLE memberships ADD COLUMN IF NOT EXISTS status_until timestamptz(3);

-- New transaction

CREATE INDEX IF NOT EXISTS memberships_by_status_end ON memberships (status_until)
  WHERE status_until IS NOT NULL;

-- New transaction

-- Apart from the person, who is read far more often than their photo.
CREATE TABLE photos (
  user_id text PRIMARY KEY REFERENCES users (id),
  content_type text NOT NULL,
  bytes bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
