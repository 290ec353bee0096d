-- The people of a direct conversation: their sorted ids. Null for any other session.
ALTER TABLE sessions ADD COLUMN IF NOT EXISTS direct_key text;
-- One Project of each organisation that has direct conversations holds them. It has the slug "direct".
ALTER TABLE projects ADD COLUMN IF NOT EXISTS is_direct boolean NOT NULL DEFAULT false;
ALTER TABLE notifications DROP CONSTRAINT IF EXISTS notifications_kind_check;
ALTER TABLE notifications ADD CONSTRAINT notifications_kind_check CHECK (kind IN ('MENTION', 'THREAD_REPLY',
  'AGENT_REPLY', 'TASK_ASSIGNED', 'TASK_FINISHED', 'INVITATION_ACCEPTED', 'CHANNEL_BROKEN', 'REMINDER',
  'SCHEDULED_FAILED', 'DIRECT_MESSAGE')) NOT VALID;

-- New transaction
-- Nobody ever makes the conversation of the same people twice.
CREATE UNIQUE INDEX IF NOT EXISTS sessions_direct ON sessions (org_id, direct_key) WHERE direct_key IS NOT NULL;

-- New transaction
-- A Project that people called so keeps everything but its slug.
UPDATE projects SET slug = 'direct-' || right(id, 8) WHERE slug = 'direct' AND NOT is_direct;
