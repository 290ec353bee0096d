-- Other MCP servers whose tools a session's model may use.
CREATE TABLE mcp_servers (
  org_id text NOT NULL REFERENCES orgs,
  id text NOT NULL,
  display_name text NOT NULL,
  mention_slug text NOT NULL,
  endpoint_url text NOT NULL,
  auth_type text NOT NULL CHECK (auth_type IN ('NONE', 'BEARER', 'API_KEY')),
  -- Encrypted under SECRETS_KEY, and gone with the row.
  sealed_secret bytea,
  last_tested_at timestamptz(3),
  last_error text,
  created_by_id text NOT NULL REFERENCES users,
  created_at timestamptz(3) NOT NULL,
  position bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (org_id, id),
  UNIQUE (org_id, mention_slug),
  CHECK ((auth_type = 'NONE') = (sealed_secret IS NULL))
);

-- The Projects that a server is bound to. Without a row it serves them all.
CREATE TABLE mcp_server_projects (
  org_id text NOT NULL,
  server_id text NOT NULL,
  project_id text NOT NULL,
  PRIMARY KEY (org_id, server_id, project_id),
  FOREIGN KEY (org_id, server_id) REFERENCES mcp_servers (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id)
);
