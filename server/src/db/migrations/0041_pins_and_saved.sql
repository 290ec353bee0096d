-- Who pinned a message in its session, and when. A deleted message may keep both if an older process erased it.
ALTER TABLE messages ADD COLUMN IF NOT EXISTS pinned_at timestamptz(3);
ALTER TABLE messages ADD COLUMN IF NOT EXISTS pinned_by_id text;

-- New transaction

CREATE INDEX IF NOT EXISTS messages_pinned ON messages (org_id, session_id, pinned_at)
  WHERE pinned_at IS NOT NULL;

-- New transaction

-- Messages that a person has saved for themselves. Nobody else sees which.
CREATE TABLE saved_messages (
  org_id text NOT NULL,
  user_id text NOT NULL,
  message_id text NOT NULL,
  saved_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (org_id, user_id, message_id),
  FOREIGN KEY (org_id, message_id) REFERENCES messages (org_id, id),
  FOREIGN KEY (org_id, user_id) REFERENCES memberships (org_id, user_id) ON DELETE CASCADE
);
