-- What a message is found by: a key for each of its terms, and first the key that the others are made from.
-- features/messages/search/keys.ts says how. Null: not indexed yet, and a job does it.
ALTER TABLE messages ADD COLUMN IF NOT EXISTS search_keys bigint[];

-- An org's messages from here on, until the next period starts, have keys with this number. A period is full
-- when the org's positions have grown enough since messages_before. Without any row, the number is 0.
CREATE TABLE IF NOT EXISTS message_periods (
  org_id text NOT NULL,
  starts_at timestamptz(3) NOT NULL,
  number integer NOT NULL CHECK (number BETWEEN 0 AND 4095),
  messages_before bigint NOT NULL,
  PRIMARY KEY (org_id, starts_at)
);

-- Release 0.1.0 changes bodies without their keys. So that the job indexes them again, what notes its
-- changes removes the keys.
CREATE OR REPLACE FUNCTION note_unversioned_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed jsonb := to_jsonb(coalesce(NEW, OLD));
BEGIN
  -- A session whose row is of this transaction had its version raised by it.
  INSERT INTO unversioned_changes (org_id, session_id, message_id)
  SELECT m.org_id, m.session_id, m.id
  FROM messages m JOIN sessions s ON s.org_id = m.org_id AND s.id = m.session_id
  WHERE m.org_id = changed->>'org_id' AND m.id = changed->>TG_ARGV[0]
    AND s.xmin <> pg_current_xact_id()::xid;
  IF FOUND AND TG_TABLE_NAME = 'messages' THEN
    UPDATE messages SET search_keys = NULL
    WHERE org_id = changed->>'org_id' AND id = changed->>'id' AND search_keys IS NOT NULL;
  END IF;
  RETURN NULL;
END $$;

-- New transaction

-- Otherwise new entries would wait in a list that every search reads, and somebody who posts has to merge.
CREATE INDEX IF NOT EXISTS messages_by_search_key ON messages
  USING gin (search_keys) WITH (fastupdate = off);
CREATE INDEX IF NOT EXISTS messages_to_index ON messages (org_id, created_at)
  WHERE search_keys IS NULL;
