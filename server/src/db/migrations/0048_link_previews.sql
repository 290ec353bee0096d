-- What the pages behind a message's first links say about themselves, for 30 days from `previewed_at` on. Whoever wrote
-- the message, an OWNER or an ADMIN may hide them. An organisation may want none at all.
ALTER TABLE messages ADD COLUMN IF NOT EXISTS previews jsonb NOT NULL DEFAULT '[]';
ALTER TABLE messages ADD COLUMN IF NOT EXISTS previewed_at timestamptz(3);
ALTER TABLE messages ADD COLUMN IF NOT EXISTS hides_previews boolean NOT NULL DEFAULT false;

ALTER TABLE orgs ADD COLUMN IF NOT EXISTS link_previews boolean NOT NULL DEFAULT true;

-- New transaction

CREATE INDEX IF NOT EXISTS messages_by_preview ON messages (previewed_at) WHERE previewed_at IS NOT NULL;

-- New transaction

-- What was read of each page, so that a link in many messages is read once. Neither the link is here, only its hash,
-- nor who posted it. While `token` is set, somebody reads the page, until `fresh_until`. Afterwards, `summary` counts
-- until then, and is null if there is nothing to show.
CREATE TABLE link_pages (
  org_id text NOT NULL,
  url_hash text NOT NULL,
  token text,
  summary jsonb,
  fresh_until timestamptz(3) NOT NULL,
  PRIMARY KEY (org_id, url_hash)
);
CREATE INDEX link_pages_by_time ON link_pages (fresh_until);
