-- A question can be asked again. Its versions share a turn, named by the first of them. What is not shown belongs to
-- the branch that begins with the version it was put aside with. The last release shows all of it.
ALTER TABLE messages
  ADD COLUMN IF NOT EXISTS turn_id text,
  ADD COLUMN IF NOT EXISTS inactive_branch_id text;
-- The turn that gave the session its name, or an empty text until there is one. Null if people named it.
ALTER TABLE sessions ADD COLUMN IF NOT EXISTS named_by_turn_id text;
-- New transaction
CREATE INDEX IF NOT EXISTS messages_by_turn ON messages (org_id, turn_id, position)
  WHERE turn_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS messages_put_aside ON messages (org_id, session_id, inactive_branch_id)
  WHERE inactive_branch_id IS NOT NULL;
