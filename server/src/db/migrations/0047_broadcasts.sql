-- HERE or EVERYONE if the message was said to all who follow its session. It stays so if the Project's rule changes.
ALTER TABLE messages ADD COLUMN IF NOT EXISTS broadcast text;

-- New transaction

-- Who may use @here and @everyone: EVERYONE, ADMINS or NOBODY.
ALTER TABLE projects ADD COLUMN IF NOT EXISTS broadcasts text NOT NULL DEFAULT 'EVERYONE';

-- New transaction

ALTER TABLE notifications DROP CONSTRAINT IF EXISTS notifications_kind_check;
ALTER TABLE notifications ADD CONSTRAINT notifications_kind_check CHECK (kind IN ('MENTION', 'DIRECT_MESSAGE',
  'BROADCAST', 'THREAD_REPLY', 'AGENT_REPLY', 'TASK_ASSIGNED', 'TASK_FINISHED', 'INVITATION_ACCEPTED', 'CHANNEL_BROKEN',
  'REMINDER', 'SCHEDULED_FAILED')) NOT VALID;

-- New transaction

-- Whether its author wrote it, not a program for them: only then @here and @everyone in it tell people.
ALTER TABLE scheduled_messages ADD COLUMN IF NOT EXISTS by_person boolean NOT NULL DEFAULT false;
