-- Files of messages here that were sent to a channel, or stay links there. One that is deleted here is deleted there.
CREATE TABLE channel_files (
  org_id text NOT NULL,
  mapping_id text NOT NULL,
  message_id text NOT NULL,
  file_id text NOT NULL,
  -- How often its bytes were sent.
  attempts integer NOT NULL DEFAULT 0,
  -- Its id there, once all bytes are. Nobody sees it yet.
  external_id text,
  -- Why it stays a link.
  refusal text CHECK (refusal IN ('TOO_LARGE', 'CHECKING', 'MISSING', 'REFUSED', 'FAILED')),
  -- When it was first shown there. Until `is_shown`, nobody knows whether that arrived.
  shown_at timestamptz(3),
  is_shown boolean NOT NULL DEFAULT false,
  PRIMARY KEY (org_id, mapping_id, message_id, file_id),
  FOREIGN KEY (org_id, mapping_id) REFERENCES channel_mappings (org_id, id) ON DELETE CASCADE
);
CREATE INDEX channel_files_by_file ON channel_files (org_id, file_id);

-- Files of messages from a channel that could not be fetched yet. A job of each tries again, also once the channel is
-- no longer mapped: the message then says that the file did not come.
CREATE TABLE channel_late_files (
  org_id text NOT NULL,
  message_id text NOT NULL,
  -- In the message, as it was written there.
  position integer NOT NULL,
  project_id text NOT NULL,
  session_id text NOT NULL,
  connection_id text NOT NULL,
  name text NOT NULL,
  media_type text NOT NULL,
  size bigint NOT NULL,
  -- Where it is there, and how the message shows it.
  source text NOT NULL,
  shown text NOT NULL,
  -- The member who wrote the message.
  uploaded_by_id text,
  PRIMARY KEY (org_id, message_id, position)
);
