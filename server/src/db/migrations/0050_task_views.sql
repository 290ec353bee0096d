-- A person's own views of tasks: filters, an order and a layout, by a name. Without a Project, of all that
-- they belong to.
CREATE TABLE task_views (
  org_id text NOT NULL,
  id text NOT NULL,
  user_id text NOT NULL,
  project_id text,
  name text NOT NULL,
  layout text NOT NULL,
  filters jsonb NOT NULL,
  sort text NOT NULL,
  group_by text NOT NULL,
  -- Among the person's views.
  position integer NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (org_id, id),
  CHECK (layout = 'LIST' OR (layout = 'BOARD' AND project_id IS NOT NULL)),
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id),
  FOREIGN KEY (org_id, user_id) REFERENCES memberships (org_id, user_id) ON DELETE CASCADE
);
CREATE INDEX task_views_of_person ON task_views (org_id, user_id, position);
