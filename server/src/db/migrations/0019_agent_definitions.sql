-- Agents that a team defines: instructions, a model and tools under a name of their own.
CREATE TABLE agents (
  org_id text NOT NULL REFERENCES orgs,
  id text NOT NULL,
  slug text NOT NULL,
  name text NOT NULL,
  description text,
  instructions text NOT NULL,
  -- Null: the server's default model.
  model text,
  -- Built-in tools by name. Nothing is on unless it is listed.
  tools text[] NOT NULL,
  -- Servers are removed without a word to agents, so readers skip ids that are not there any more.
  mcp_server_ids text[] NOT NULL,
  -- Empty: every Project. Projects are archived and never deleted, so a list never becomes empty by itself.
  project_ids text[] NOT NULL,
  is_enabled boolean NOT NULL,
  created_by_id text NOT NULL REFERENCES users,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  archived_at timestamptz(3),
  position bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (org_id, id),
  UNIQUE (org_id, slug)
);

-- Names that can be mentioned in an org, besides those of models: the primary key keeps them apart.
-- A removed MCP server gives its name back; an archived agent keeps it.
CREATE TABLE mention_names (
  org_id text NOT NULL,
  name text NOT NULL,
  server_id text,
  agent_id text,
  PRIMARY KEY (org_id, name),
  UNIQUE (org_id, server_id),
  UNIQUE (org_id, agent_id),
  FOREIGN KEY (org_id, server_id) REFERENCES mcp_servers (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, agent_id) REFERENCES agents (org_id, id)
);
INSERT INTO mention_names (org_id, name, server_id)
SELECT i.org_id, i.mention_slug, i.id FROM mcp_servers i;
