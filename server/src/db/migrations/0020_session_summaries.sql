-- Who answers @model in the sessions of a Project that name nobody themselves. Null: the server's default.
ALTER TABLE projects ADD COLUMN default_agent text;

-- What was said in a session before the messages that prompts include. An edit or deletion of a message
-- that it covers deletes the row.
CREATE TABLE session_summaries (
  org_id text NOT NULL,
  session_id text NOT NULL,
  text text NOT NULL,
  until_position bigint NOT NULL,
  until_message_id text NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (org_id, session_id),
  FOREIGN KEY (org_id, session_id) REFERENCES sessions (org_id, id)
);
