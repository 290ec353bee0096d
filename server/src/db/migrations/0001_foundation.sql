-- Tables found without an org: small, read everywhere (reference tables where the tenant tables are sharded).

CREATE TABLE orgs (
  id text PRIMARY KEY,
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE users (
  id text PRIMARY KEY,
  email text NOT NULL,
  -- The address in lower case, folded by us: the engines' own lower() depends on their locale.
  email_key text NOT NULL UNIQUE,
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE memberships (
  org_id text NOT NULL REFERENCES orgs,
  user_id text NOT NULL REFERENCES users,
  role text NOT NULL CHECK (role IN ('OWNER', 'ADMIN', 'MEMBER')),
  joined_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (org_id, user_id)
);
CREATE INDEX memberships_by_user ON memberships (user_id);

-- Both key families: v2 keys act for a person in an org, v1 keys (no user) for the org itself.
CREATE TABLE api_keys (
  id text PRIMARY KEY,
  family text NOT NULL CHECK (family IN ('v1', 'v2')),
  org_id text NOT NULL REFERENCES orgs,
  user_id text REFERENCES users,
  name text NOT NULL,
  prefix text NOT NULL,
  scopes text[] NOT NULL,
  secret_hash bytea NOT NULL UNIQUE,
  created_by_id text REFERENCES users,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  position bigint GENERATED ALWAYS AS IDENTITY,
  CHECK ((family = 'v2') = (user_id IS NOT NULL))
);
CREATE INDEX api_keys_by_owner ON api_keys (org_id, user_id, position);

-- Tenant tables: org_id first in every key, so that one org is one shard.

CREATE TABLE projects (
  org_id text NOT NULL REFERENCES orgs,
  id text NOT NULL,
  slug text NOT NULL,
  name text NOT NULL,
  description text,
  tags text[] NOT NULL,
  access text NOT NULL CHECK (access IN ('ORG', 'MEMBERS')),
  created_by_id text NOT NULL REFERENCES users,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  archived_at timestamptz(3),
  position bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (org_id, id),
  UNIQUE (org_id, slug)
);
CREATE INDEX projects_listed ON projects (org_id, position DESC) WHERE archived_at IS NULL;

-- People added to a MEMBERS Project by hand; its creator, OWNERs and ADMINs belong to it without a row.
CREATE TABLE project_members (
  org_id text NOT NULL,
  project_id text NOT NULL,
  user_id text NOT NULL,
  added_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (org_id, project_id, user_id),
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id),
  FOREIGN KEY (org_id, user_id) REFERENCES memberships (org_id, user_id) ON DELETE CASCADE
);

-- One row per answered (or, for routes that call out, claimed) idempotent request. No reference to the
-- org: each would lock the org's row, and every write of the org goes through here.
CREATE TABLE idempotency_keys (
  org_id text NOT NULL,
  -- SHA-256 of caller, method, path with query, and the Idempotency-Key: the key itself is stored nowhere.
  scope_hash bytea NOT NULL,
  body_hash bytea NOT NULL,
  -- Names the claim to outside providers, so that a re-run after a crash is the same call to them.
  claim_id text NOT NULL,
  lease_token text,
  lease_expires_at timestamptz(3),
  status smallint,
  sealed_response bytea,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (org_id, scope_hash),
  CHECK ((status IS NULL) = (sealed_response IS NULL))
);
-- Rows come in order of time and are purged by it: a few blocks of this say what a tree of them would.
CREATE INDEX idempotency_keys_by_age ON idempotency_keys USING brin (created_at);
