-- Every member of the Project follows such a session until they leave it.
ALTER TABLE sessions ADD COLUMN IF NOT EXISTS is_for_everyone boolean NOT NULL DEFAULT false;
-- Who has left the session. A post of theirs takes them out again. It is on the session's row because every post
-- writes that row anyway.
ALTER TABLE sessions ADD COLUMN IF NOT EXISTS left_user_ids text[] NOT NULL DEFAULT '{}';
-- MENTIONS or NONE. Somebody without a row is told everything. The last release adds rows that mean NONE.
ALTER TABLE muted_sessions ADD COLUMN IF NOT EXISTS level text NOT NULL DEFAULT 'NONE';
-- In the inbox, but neither mailed nor shown by the browser.
ALTER TABLE notifications ADD COLUMN IF NOT EXISTS is_quiet boolean NOT NULL DEFAULT false;

-- New transaction
CREATE INDEX IF NOT EXISTS sessions_for_everyone ON sessions (org_id) WHERE is_for_everyone;

-- New transaction
-- Sessions that people follow though they are not participants: they chose to, or were mentioned. Participants
-- follow without a row. Without foreign keys, as thread_marks.
CREATE TABLE followed_sessions (
  org_id text NOT NULL,
  user_id text NOT NULL,
  session_id text NOT NULL,
  -- What was said up to there counts as read: it was said before they followed.
  position bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (org_id, user_id, session_id)
);

-- Until now, everybody followed everything. From now on they follow what they wrote or were mentioned in.
INSERT INTO followed_sessions (org_id, user_id, session_id)
SELECT DISTINCT m.org_id, person.user_id, m.session_id
FROM messages m
CROSS JOIN LATERAL unnest(m.mentioned_user_ids || m.author_user_id) AS person (user_id)
JOIN memberships member ON member.org_id = m.org_id AND member.user_id = person.user_id
WHERE m.deleted_at IS NULL;

-- And what more than half of the Project has read in the last 30 days: a message of that time, that is.
WITH readers AS (
  SELECT s.org_id, s.id AS session_id, s.project_id, mark.user_id
  FROM read_marks mark
  JOIN sessions s ON s.org_id = mark.org_id AND s.id = mark.session_id
  JOIN messages m ON m.org_id = mark.org_id AND m.session_id = mark.session_id AND m.position = mark.position
  WHERE s.access = 'PROJECT' AND s.task_id IS NULL AND s.archived_at IS NULL
    AND s.last_message_at > now() - interval '30 days' AND m.created_at > now() - interval '30 days'
), people AS (
  SELECT p.org_id, p.id AS project_id, member.user_id
  FROM projects p
  JOIN memberships member ON member.org_id = p.org_id
  WHERE p.archived_at IS NULL AND (p.access = 'ORG' OR member.role IN ('OWNER', 'ADMIN')
    OR p.created_by_id = member.user_id OR EXISTS (SELECT 1 FROM project_members pm
      WHERE pm.org_id = p.org_id AND pm.project_id = p.id AND pm.user_id = member.user_id))
), busy AS (
  SELECT readers.org_id, readers.session_id, readers.project_id
  FROM readers JOIN people ON people.org_id = readers.org_id AND people.project_id = readers.project_id
    AND people.user_id = readers.user_id
  GROUP BY readers.org_id, readers.session_id, readers.project_id
  HAVING 2 * count(*) > (SELECT count(*) FROM people everybody
    WHERE everybody.org_id = readers.org_id AND everybody.project_id = readers.project_id)
)
INSERT INTO followed_sessions (org_id, user_id, session_id)
SELECT busy.org_id, people.user_id, busy.session_id
FROM busy JOIN people ON people.org_id = busy.org_id AND people.project_id = busy.project_id
ON CONFLICT (org_id, user_id, session_id) DO NOTHING;

-- The first session of each Project is for everyone.
UPDATE sessions s SET is_for_everyone = true
FROM (SELECT DISTINCT ON (first.org_id, first.project_id) first.org_id, first.id FROM sessions first
  WHERE first.access = 'PROJECT' AND first.task_id IS NULL
  ORDER BY first.org_id, first.project_id, first.position) one
WHERE s.org_id = one.org_id AND s.id = one.id;
