-- Who wrote a message that came from a chat system, if it is nobody of ours: provider, id and name there.
ALTER TABLE messages ADD COLUMN IF NOT EXISTS external_author jsonb;
-- Not validated: every row already satisfies the narrower check before it.
ALTER TABLE messages DROP CONSTRAINT messages_check;
ALTER TABLE messages ADD CONSTRAINT messages_author_check CHECK (
  (author_kind = 'USER') = (author_user_id IS NOT NULL OR external_author IS NOT NULL)) NOT VALID;

-- Reactions that were made in a chat system. Lists read a copy in messages.reactions.
CREATE TABLE external_reactions (
  org_id text NOT NULL,
  message_id text NOT NULL,
  emoji text NOT NULL,
  -- The person's id in the chat system, and here if they are a member.
  author_id text NOT NULL,
  user_id text,
  PRIMARY KEY (org_id, message_id, emoji, author_id),
  FOREIGN KEY (org_id, message_id) REFERENCES messages (org_id, id)
);

-- An organisation's link to a chat system.
CREATE TABLE channel_connections (
  org_id text NOT NULL REFERENCES orgs (id),
  id text NOT NULL,
  provider text NOT NULL CHECK (provider IN ('SLACK', 'MATTERMOST')),
  display_name text NOT NULL,
  server_url text,
  workspace_id text NOT NULL,
  workspace_name text NOT NULL,
  bot_id text NOT NULL,
  bot_name text NOT NULL,
  -- Whether we open a connection for events, or the chat system calls us.
  mode text NOT NULL CHECK (mode IN ('SOCKET', 'WEBHOOK')),
  trusts_emails boolean NOT NULL,
  -- The tokens as JSON, sealed.
  sealed_secrets bytea NOT NULL,
  status text NOT NULL CHECK (status IN ('CONNECTING', 'CONNECTED', 'BROKEN')),
  last_error text,
  last_event_at timestamptz(3),
  -- Grows with every change that a process with this connection has to know of.
  version bigint NOT NULL DEFAULT 1,
  -- The process that serves this connection, and until when it is its alone.
  holder text,
  held_until timestamptz,
  created_by_id text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (org_id, id)
);
-- Webhooks name only the connection.
CREATE INDEX channel_connections_by_id ON channel_connections (id);

-- A channel that is also a session.
CREATE TABLE channel_mappings (
  org_id text NOT NULL,
  id text NOT NULL,
  project_id text NOT NULL,
  connection_id text NOT NULL,
  workspace_id text NOT NULL,
  channel_id text NOT NULL,
  channel_name text NOT NULL,
  session_id text NOT NULL,
  direction text NOT NULL CHECK (direction IN ('BOTH', 'IN', 'OUT')),
  answers text NOT NULL CHECK (answers IN ('MEMBERS', 'EVERYONE', 'NONE')),
  shares_org_memory boolean NOT NULL,
  status text NOT NULL CHECK (status IN ('ACTIVE', 'PAUSED', 'BROKEN')),
  last_error text,
  -- Nothing older is taken over. Set by pausing, too.
  starts_at timestamptz(3) NOT NULL,
  -- Up to when everything there is known here, by the chat system's clock.
  place timestamptz(3) NOT NULL,
  -- Messages of the session up to this position have been put in the outbox, or don't go there.
  collected_position bigint NOT NULL,
  -- When it was paused: a list of from and to.
  gaps jsonb NOT NULL DEFAULT '[]',
  created_by_id text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (org_id, id),
  UNIQUE (org_id, workspace_id, channel_id),
  UNIQUE (org_id, session_id),
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id),
  FOREIGN KEY (org_id, session_id) REFERENCES sessions (org_id, id),
  FOREIGN KEY (org_id, connection_id) REFERENCES channel_connections (org_id, id) ON DELETE CASCADE
);
CREATE INDEX channel_mappings_by_project ON channel_mappings (org_id, project_id);
CREATE INDEX channel_mappings_by_channel ON channel_mappings (org_id, connection_id, channel_id);

-- Which message there is which message here.
CREATE TABLE channel_messages (
  org_id text NOT NULL,
  connection_id text NOT NULL,
  channel_id text NOT NULL,
  external_id text NOT NULL,
  mapping_id text NOT NULL,
  -- Null while a reply is being written, and for what was deleted before it arrived.
  message_id text,
  -- Our id in their metadata. Null if the message was written there.
  own_id text,
  thread_id text,
  written_at timestamptz(3) NOT NULL,
  edited_at timestamptz(3),
  deleted_at timestamptz(3),
  -- Of the text as it is there.
  text_hash text,
  -- Those that our bot has there.
  emojis text[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (org_id, connection_id, channel_id, external_id),
  FOREIGN KEY (org_id, mapping_id) REFERENCES channel_mappings (org_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX channel_messages_by_own_id ON channel_messages (org_id, mapping_id, own_id)
  WHERE own_id IS NOT NULL;
CREATE INDEX channel_messages_by_message ON channel_messages (org_id, message_id)
  WHERE message_id IS NOT NULL;
CREATE INDEX channel_messages_by_time ON channel_messages (org_id, mapping_id, written_at);

-- What the chat system told us. Without `event` it is done, and kept for a week so that it is not done again.
CREATE TABLE channel_events (
  org_id text NOT NULL,
  connection_id text NOT NULL,
  event_id text NOT NULL,
  mapping_id text NOT NULL,
  event jsonb,
  received_at timestamptz(3) NOT NULL,
  PRIMARY KEY (org_id, connection_id, event_id),
  FOREIGN KEY (org_id, mapping_id) REFERENCES channel_mappings (org_id, id) ON DELETE CASCADE
);
CREATE INDEX channel_events_to_do ON channel_events (org_id, mapping_id, received_at)
  WHERE event IS NOT NULL;
CREATE INDEX channel_events_by_age ON channel_events (received_at);

-- Of the webhook requests of the last minutes, so that none is taken twice.
CREATE TABLE channel_signatures (
  org_id text NOT NULL,
  connection_id text NOT NULL,
  signature text NOT NULL,
  received_at timestamptz(3) NOT NULL,
  PRIMARY KEY (org_id, connection_id, signature),
  FOREIGN KEY (org_id, connection_id) REFERENCES channel_connections (org_id, id) ON DELETE CASCADE
);
CREATE INDEX channel_signatures_by_age ON channel_signatures (received_at);

-- Messages here that are not yet there as they are now. New ones are collected from the session by position;
-- whoever changes an older one adds it in the same commit.
CREATE TABLE channel_outbox (
  org_id text NOT NULL,
  mapping_id text NOT NULL,
  message_id text NOT NULL,
  -- How often it has changed since it was last brought up to date.
  changes bigint NOT NULL DEFAULT 1,
  -- When it was first posted, if nobody knows whether it arrived.
  tried_at timestamptz(3),
  PRIMARY KEY (org_id, mapping_id, message_id),
  FOREIGN KEY (org_id, mapping_id) REFERENCES channel_mappings (org_id, id) ON DELETE CASCADE
);
