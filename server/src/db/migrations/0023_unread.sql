-- Since when a person sees a Project, if that is later than when they joined the org or were added to it:
-- since they became OWNER or ADMIN, or since the Project was opened to everyone. Null: from the beginning.
ALTER TABLE memberships ADD COLUMN IF NOT EXISTS promoted_at timestamptz(3);
ALTER TABLE projects ADD COLUMN IF NOT EXISTS opened_at timestamptz(3);

-- When the person marked messages as unread. From then on they count even if they are older than that.
ALTER TABLE read_marks ADD COLUMN IF NOT EXISTS set_back_at timestamptz(3);

-- New transaction
-- Who takes part in a thread or has opened it, and how far they have read it.
-- Without foreign keys: a reply must not fail because somebody leaves the org meanwhile, and to refer to
-- sessions would lock them until the rows below are there. Sessions and messages are never deleted.
CREATE TABLE thread_marks (
  org_id text NOT NULL,
  user_id text NOT NULL,
  parent_message_id text NOT NULL,
  session_id text NOT NULL,
  takes_part boolean NOT NULL,
  position bigint NOT NULL,
  set_back_at timestamptz(3),
  PRIMARY KEY (org_id, user_id, parent_message_id)
);
CREATE INDEX thread_marks_by_session ON thread_marks (org_id, user_id, session_id) WHERE takes_part;

-- What was read in a session until now counts as read in its threads.
INSERT INTO thread_marks (org_id, user_id, parent_message_id, session_id, takes_part, position)
SELECT people.org_id, people.user_id, people.parent_message_id, people.session_id, true,
  coalesce(mark.position, 0)
FROM (
  SELECT DISTINCT reply.org_id, reply.parent_message_id, reply.session_id, person.user_id
  FROM messages reply
  JOIN messages parent ON parent.org_id = reply.org_id AND parent.id = reply.parent_message_id
  CROSS JOIN LATERAL (VALUES (reply.author_user_id), (parent.author_user_id)) AS person (user_id)
) people
JOIN memberships m ON m.org_id = people.org_id AND m.user_id = people.user_id
LEFT JOIN read_marks mark ON mark.org_id = people.org_id AND mark.session_id = people.session_id
  AND mark.user_id = people.user_id;
