-- Raised in the commit of every write that changes what a list shows of the session or its messages,
-- so that a page read at this version is still true while the version is the same.
ALTER TABLE sessions ADD COLUMN version bigint NOT NULL DEFAULT 0;

-- What lists show of the table `reactions`, which stays the source: [{ emoji, userIds }] in the order
-- of their first reaction. Each reaction computes it again for its message. Null for messages from
-- before this migration, until somebody reacts: lists then read the table.
ALTER TABLE messages ADD COLUMN reactions jsonb;
ALTER TABLE messages ALTER COLUMN reactions SET DEFAULT '[]';

-- Release 0.1.0 raises no version and copies no reactions, and runs beside this one during an upgrade.
-- So the database notes what it edits, deletes, retries and reacts to. Only rows are added: whoever
-- edits has locked the message, and must not lock the session after it.
CREATE TABLE unversioned_changes (
  org_id text NOT NULL,
  session_id text NOT NULL,
  message_id text NOT NULL,
  position bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (org_id, session_id, message_id, position)
);

CREATE FUNCTION note_unversioned_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed jsonb := to_jsonb(coalesce(NEW, OLD));
BEGIN
  -- A session whose row is of this transaction had its version raised by it.
  INSERT INTO unversioned_changes (org_id, session_id, message_id)
  SELECT m.org_id, m.session_id, m.id
  FROM messages m JOIN sessions s ON s.org_id = m.org_id AND s.id = m.session_id
  WHERE m.org_id = changed->>'org_id' AND m.id = changed->>TG_ARGV[0]
    AND s.xmin <> pg_current_xact_id()::xid;
  RETURN NULL;
END $$;

-- At commit, because reactions raise the version only then. Edits, deletions and retries set the body.
CREATE CONSTRAINT TRIGGER note_unversioned_change AFTER UPDATE OF body ON messages
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_unversioned_change('id');
CREATE CONSTRAINT TRIGGER note_unversioned_change AFTER INSERT OR DELETE ON reactions
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_unversioned_change('message_id');
