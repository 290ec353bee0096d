-- Unique within an organisation, whose rows are together: on Citus nothing else can be.
CREATE UNIQUE INDEX IF NOT EXISTS memories_by_org_and_position ON memories (org_id, position);
-- New transaction
DROP INDEX IF EXISTS memories_by_position;
