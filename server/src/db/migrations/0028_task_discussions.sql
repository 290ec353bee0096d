-- Set if the session is where a task is discussed.
ALTER TABLE sessions ADD COLUMN IF NOT EXISTS task_id text;
-- The tasks that were made from the message, by id and number.
ALTER TABLE messages ADD COLUMN IF NOT EXISTS tasks jsonb NOT NULL DEFAULT '[]';
-- The latest time that an agent was told to work on the task, and how that ended.
ALTER TABLE tasks ADD COLUMN IF NOT EXISTS run jsonb;
