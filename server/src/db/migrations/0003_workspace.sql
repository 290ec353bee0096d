CREATE TABLE sessions (
  org_id text NOT NULL,
  id text NOT NULL,
  project_id text NOT NULL,
  name text NOT NULL,
  title text,
  description text,
  default_agent text,
  model text,
  participant_user_ids text[] NOT NULL,
  created_by_id text NOT NULL REFERENCES users,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  archived_at timestamptz(3),
  last_message_at timestamptz(3),
  -- Each message takes the next one, in the last statement before its commit: the order of the list
  -- is the order of commits, and the counter is also how many messages there are.
  last_position bigint NOT NULL DEFAULT 0,
  position bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (org_id, id),
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id)
) WITH (fillfactor = 50);
-- Nothing that a new message changes is indexed, so that its update stays within the page.
CREATE INDEX sessions_by_project ON sessions (org_id, project_id);

CREATE TABLE messages (
  org_id text NOT NULL,
  id text NOT NULL,
  session_id text NOT NULL,
  position bigint NOT NULL,
  parent_message_id text,
  author_kind text NOT NULL CHECK (author_kind IN ('USER', 'AGENT')),
  -- No reference to users: it would lock the author's row for every message, and users are never deleted.
  author_user_id text,
  agent_slug text,
  in_reply_to_message_id text,
  body text NOT NULL,
  mentions text[] NOT NULL,
  status text NOT NULL CHECK (status IN ('COMPLETED', 'FAILED')),
  error jsonb,
  citations jsonb NOT NULL,
  tool_calls jsonb NOT NULL,
  usage jsonb,
  reply_count integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL,
  edited_at timestamptz(3),
  deleted_at timestamptz(3),
  PRIMARY KEY (org_id, id),
  UNIQUE (org_id, session_id, position),
  FOREIGN KEY (org_id, session_id) REFERENCES sessions (org_id, id),
  FOREIGN KEY (org_id, parent_message_id) REFERENCES messages (org_id, id),
  CHECK ((author_kind = 'USER') = (author_user_id IS NOT NULL)),
  CHECK ((author_kind = 'AGENT') = (agent_slug IS NOT NULL))
);
CREATE INDEX messages_by_thread ON messages (org_id, parent_message_id, position)
  WHERE parent_message_id IS NOT NULL;

CREATE TABLE reactions (
  org_id text NOT NULL,
  message_id text NOT NULL,
  emoji text NOT NULL,
  user_id text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  position bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (org_id, message_id, emoji, user_id),
  FOREIGN KEY (org_id, message_id) REFERENCES messages (org_id, id)
);

-- How far a person has read in a session.
CREATE TABLE read_marks (
  org_id text NOT NULL,
  session_id text NOT NULL,
  user_id text NOT NULL,
  position bigint NOT NULL,
  PRIMARY KEY (org_id, session_id, user_id),
  FOREIGN KEY (org_id, session_id) REFERENCES sessions (org_id, id),
  FOREIGN KEY (org_id, user_id) REFERENCES memberships (org_id, user_id) ON DELETE CASCADE
);

CREATE TABLE invitations (
  id text PRIMARY KEY,
  org_id text NOT NULL REFERENCES orgs,
  email text NOT NULL,
  email_key text NOT NULL,
  role text NOT NULL CHECK (role IN ('ADMIN', 'MEMBER')),
  status text NOT NULL CHECK (status IN ('PENDING', 'ACCEPTED', 'REVOKED', 'EXPIRED')),
  -- The token is derived from this number and the secrets key; a resend takes the next one.
  token_number integer NOT NULL,
  token_hash bytea NOT NULL UNIQUE,
  invited_by_id text NOT NULL REFERENCES users,
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  position bigint GENERATED ALWAYS AS IDENTITY
);
CREATE UNIQUE INDEX invitations_pending ON invitations (org_id, email_key) WHERE status = 'PENDING';

-- Who did what to which resource, from which key; written in the transaction of the change itself.
CREATE TABLE audit_entries (
  org_id text NOT NULL,
  id text NOT NULL,
  action text NOT NULL,
  resource_type text NOT NULL,
  resource_id text NOT NULL,
  actor_kind text NOT NULL,
  actor_user_id text,
  key_id text,
  request_id text NOT NULL,
  details jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  position bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (org_id, position)
);
