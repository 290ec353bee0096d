-- What a person is told. About a message, `id` and `created_at` are the message's, so the primary key allows
-- one for each person and message, and the message has the rest. No references: they would lock a
-- membership and a message for every row.
CREATE TABLE notifications (
  org_id text NOT NULL,
  user_id text NOT NULL,
  id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('MENTION', 'THREAD_REPLY', 'AGENT_REPLY', 'TASK_ASSIGNED',
    'TASK_FINISHED', 'INVITATION_ACCEPTED', 'CHANNEL_BROKEN')),
  created_at timestamptz(3) NOT NULL,
  read_at timestamptz(3),
  -- Whether a digest has yet to be sent for it, or to find that it was read.
  is_mail_due boolean NOT NULL,
  -- Of what is not about a message.
  project_id text,
  task_id text,
  actor_user_id text,
  PRIMARY KEY (org_id, user_id, created_at, id)
);
CREATE INDEX notifications_to_mail ON notifications (created_at) WHERE is_mail_due;
-- Rows come in order of time and are purged by it.
CREATE INDEX notifications_by_age ON notifications USING brin (created_at);

-- Messages that people have yet to be told about: a message writes one row here, however many people it
-- concerns, and theirs are written right after it.
CREATE TABLE untold_messages (
  org_id text NOT NULL,
  message_id text NOT NULL,
  PRIMARY KEY (org_id, message_id)
);

-- The last digest of a person in an organisation.
CREATE TABLE notification_digests (
  org_id text NOT NULL,
  user_id text NOT NULL,
  -- Counts a person's digests. It is in the email's Message-ID.
  number integer NOT NULL,
  claimed_at timestamptz(3) NOT NULL,
  -- When a worker began to send it. If it was killed then, the email may or may not have been sent.
  started_at timestamptz(3),
  PRIMARY KEY (org_id, user_id),
  FOREIGN KEY (org_id, user_id) REFERENCES memberships (org_id, user_id) ON DELETE CASCADE
);

-- Sessions whose messages a person is not told about.
CREATE TABLE muted_sessions (
  org_id text NOT NULL,
  session_id text NOT NULL,
  user_id text NOT NULL,
  PRIMARY KEY (org_id, session_id, user_id),
  FOREIGN KEY (org_id, session_id) REFERENCES sessions (org_id, id),
  FOREIGN KEY (org_id, user_id) REFERENCES memberships (org_id, user_id) ON DELETE CASCADE
);

-- What a person is emailed about: ALL, MENTIONS or NONE.
ALTER TABLE memberships ADD COLUMN IF NOT EXISTS email_notifications text NOT NULL DEFAULT 'MENTIONS';

-- Who takes part in a thread is found by hopping from one author to the next.
CREATE INDEX IF NOT EXISTS messages_by_replier ON messages (org_id, parent_message_id, author_user_id, position)
  WHERE parent_message_id IS NOT NULL;
