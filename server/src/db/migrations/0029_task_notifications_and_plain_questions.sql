-- The agent that changed the task, if it was one. About a message, the message says that.
ALTER TABLE notifications ADD COLUMN IF NOT EXISTS actor_agent text;

-- Whether messages that mention nobody are answered, while one person is alone in the session.
ALTER TABLE sessions ADD COLUMN IF NOT EXISTS answers_without_mention boolean NOT NULL DEFAULT false;
-- Whether a session of the organisation has had this on. If none has, posting a message reads nothing first.
ALTER TABLE orgs ADD COLUMN IF NOT EXISTS has_plain_questions boolean NOT NULL DEFAULT false;
