-- A hash of the line that `memory import` read it from. A second import of the line finds it and adds
-- nothing. It goes with the row: nothing of a deleted memory is kept.
ALTER TABLE memories ADD COLUMN IF NOT EXISTS import_hash text;

-- New transaction

CREATE UNIQUE INDEX IF NOT EXISTS memories_by_import ON memories (org_id, import_hash)
  WHERE import_hash IS NOT NULL;
