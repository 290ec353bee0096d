-- What the sandbox payment provider knows, as its API shows it. Empty where payments are real.
CREATE TABLE sandbox_objects (
  id text PRIMARY KEY,
  type text NOT NULL,
  data jsonb NOT NULL,
  -- When something is to happen to it: a renewal, the end of an offer, one more delivery.
  due_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  position bigint GENERATED ALWAYS AS IDENTITY
);
CREATE INDEX sandbox_objects_lists ON sandbox_objects (type, position DESC);
CREATE INDEX sandbox_objects_due ON sandbox_objects (type, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX sandbox_objects_data ON sandbox_objects USING gin (data jsonb_path_ops);
