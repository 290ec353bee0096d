-- The message that a reminder is about, and the words of what has no message or task.
ALTER TABLE notifications ADD COLUMN IF NOT EXISTS message_id text;
ALTER TABLE notifications ADD COLUMN IF NOT EXISTS note text;
ALTER TABLE notifications DROP CONSTRAINT IF EXISTS notifications_kind_check;
ALTER TABLE notifications ADD CONSTRAINT notifications_kind_check CHECK (kind IN ('MENTION', 'THREAD_REPLY',
  'AGENT_REPLY', 'TASK_ASSIGNED', 'TASK_FINISHED', 'INVITATION_ACCEPTED', 'CHANNEL_BROKEN', 'REMINDER',
  'SCHEDULED_FAILED')) NOT VALID;

-- New transaction

-- What a person wants to be reminded of: a message, a task, or their own words. The job that does it is written
-- in the same commit, and deletes the row in the one that tells them.
CREATE TABLE reminders (
  org_id text NOT NULL,
  id text NOT NULL,
  user_id text NOT NULL,
  remind_at timestamptz(3) NOT NULL,
  message_id text,
  task_id text,
  note text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (org_id, id),
  CHECK (num_nonnulls(message_id, task_id, note) = 1),
  FOREIGN KEY (org_id, message_id) REFERENCES messages (org_id, id),
  FOREIGN KEY (org_id, task_id) REFERENCES tasks (org_id, id),
  FOREIGN KEY (org_id, user_id) REFERENCES memberships (org_id, user_id) ON DELETE CASCADE
);
CREATE INDEX reminders_of_person ON reminders (org_id, user_id, remind_at);

-- Messages that are posted later, by a job that is written in the same commit. The message gets the row's id,
-- and the row is deleted in the commit that posts it. If it can't be posted, the row says why.
CREATE TABLE scheduled_messages (
  org_id text NOT NULL,
  id text NOT NULL,
  user_id text NOT NULL,
  session_id text NOT NULL,
  parent_message_id text,
  body text NOT NULL,
  send_at timestamptz(3) NOT NULL,
  failure text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (org_id, id),
  FOREIGN KEY (org_id, session_id) REFERENCES sessions (org_id, id),
  FOREIGN KEY (org_id, user_id) REFERENCES memberships (org_id, user_id) ON DELETE CASCADE
);
CREATE INDEX scheduled_messages_of_person ON scheduled_messages (org_id, user_id, send_at);
