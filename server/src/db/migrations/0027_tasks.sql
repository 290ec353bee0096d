-- The number of the Project's latest task. Each task takes the next one in its own commit.
ALTER TABLE projects ADD COLUMN IF NOT EXISTS last_task_number bigint NOT NULL DEFAULT 0;

CREATE TABLE tasks (
  org_id text NOT NULL,
  id text NOT NULL,
  project_id text NOT NULL,
  number bigint NOT NULL,
  title text NOT NULL,
  description text,
  status text NOT NULL
    CHECK (status IN ('PROPOSED', 'TODO', 'IN_PROGRESS', 'IN_REVIEW', 'DONE', 'CANCELLED')),
  -- The place within the column, which is the status. Keys are ASCII and compared byte by byte.
  rank text COLLATE "C" NOT NULL,
  priority text NOT NULL CHECK (priority IN ('NONE', 'LOW', 'MEDIUM', 'HIGH', 'URGENT')),
  -- At most one of the two.
  assignee_user_id text,
  assignee_agent text,
  due_on date,
  labels text[] NOT NULL,
  parent_task_id text,
  -- Where the task is discussed.
  session_id text,
  source_message_id text,
  created_by_id text NOT NULL,
  created_by_agent text,
  -- The words of title and description, each behind a part of the Project's id: other Projects' words
  -- make no search slower.
  words tsvector NOT NULL,
  -- Grows with every change.
  version bigint NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  started_at timestamptz(3),
  completed_at timestamptz(3),
  archived_at timestamptz(3),
  PRIMARY KEY (org_id, id),
  UNIQUE (org_id, project_id, number),
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id),
  FOREIGN KEY (org_id, parent_task_id) REFERENCES tasks (org_id, id),
  FOREIGN KEY (org_id, session_id) REFERENCES sessions (org_id, id),
  CHECK (assignee_user_id IS NULL OR assignee_agent IS NULL)
);
-- The neighbours of a place, archived or not, and the lists of a board, a sort order each.
CREATE INDEX tasks_by_rank ON tasks (org_id, project_id, status, rank);
CREATE INDEX tasks_by_column ON tasks (org_id, project_id, status, rank, number, id)
  WHERE archived_at IS NULL;
CREATE INDEX tasks_by_due_date ON tasks (org_id, project_id, due_on, number)
  WHERE archived_at IS NULL;
CREATE INDEX tasks_by_change ON tasks (org_id, project_id, updated_at DESC, number DESC)
  WHERE archived_at IS NULL;
CREATE INDEX tasks_by_priority ON tasks (org_id, project_id,
    array_position(ARRAY['URGENT', 'HIGH', 'MEDIUM', 'LOW', 'NONE'], priority), number)
  WHERE archived_at IS NULL;
CREATE INDEX tasks_by_words ON tasks USING gin (words);
CREATE INDEX tasks_by_assignee ON tasks (org_id, assignee_user_id)
  WHERE assignee_user_id IS NOT NULL;
CREATE INDEX tasks_by_agent ON tasks (org_id, assignee_agent) WHERE assignee_agent IS NOT NULL;
CREATE INDEX tasks_by_parent ON tasks (org_id, parent_task_id) WHERE parent_task_id IS NOT NULL;
CREATE INDEX tasks_by_source ON tasks (org_id, source_message_id)
  WHERE source_message_id IS NOT NULL;

-- Who changed what, from and to. Each entry belongs to the version that the change made.
CREATE TABLE task_activity (
  org_id text NOT NULL,
  task_id text NOT NULL,
  version bigint NOT NULL,
  id text NOT NULL,
  -- With an agent: the person who asked it.
  actor_user_id text NOT NULL,
  actor_agent text,
  changes jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (org_id, task_id, version),
  FOREIGN KEY (org_id, task_id) REFERENCES tasks (org_id, id)
);
