-- What has happened and durable listeners have yet to handle: one row for each event and listener, written in
-- the event's commit and deleted when it is handled. The row is the listener's cursor: a transaction that
-- commits late adds its row then, and nobody can have skipped it. untold_messages is no longer written.
CREATE TABLE owed_events (
  org_id text NOT NULL,
  listener text NOT NULL,
  -- Events of one record are handled in the order of their ids.
  record_id text NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  event jsonb NOT NULL,
  actor_user_id text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Nobody handles it before: somebody is at it until then, or it failed.
  due_at timestamptz NOT NULL DEFAULT now(),
  attempts integer NOT NULL DEFAULT 0,
  PRIMARY KEY (org_id, listener, record_id, id)
);
