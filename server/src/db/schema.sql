-- Generated from the migrations by `npm run generate`; do not edit.

CREATE TABLE api_keys (
  id text NOT NULL,
  family text NOT NULL,
  org_id text NOT NULL,
  user_id text,
  name text NOT NULL,
  prefix text NOT NULL,
  scopes text[] NOT NULL,
  secret_hash bytea NOT NULL,
  created_by_id text,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  last_used_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  position bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  CONSTRAINT api_keys_check CHECK (((family = 'v2'::text) = (user_id IS NOT NULL))),
  CONSTRAINT api_keys_family_check CHECK ((family = ANY (ARRAY['v1'::text, 'v2'::text]))),
  CONSTRAINT api_keys_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id),
  CONSTRAINT api_keys_org_id_fkey FOREIGN KEY (org_id) REFERENCES orgs(id),
  CONSTRAINT api_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT api_keys_pkey PRIMARY KEY (id),
  CONSTRAINT api_keys_secret_hash_key UNIQUE (secret_hash)
);
CREATE INDEX api_keys_by_owner ON public.api_keys USING btree (org_id, user_id, "position");

CREATE TABLE idempotency_keys (
  org_id text NOT NULL,
  scope_hash bytea NOT NULL,
  body_hash bytea NOT NULL,
  claim_id text NOT NULL,
  lease_token text,
  lease_expires_at timestamp(3) with time zone,
  status smallint,
  sealed_response bytea,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT idempotency_keys_check CHECK (((status IS NULL) = (sealed_response IS NULL))),
  CONSTRAINT idempotency_keys_org_id_fkey FOREIGN KEY (org_id) REFERENCES orgs(id),
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (org_id, scope_hash)
);
CREATE INDEX idempotency_keys_by_age ON public.idempotency_keys USING btree (created_at);

CREATE TABLE memberships (
  org_id text NOT NULL,
  user_id text NOT NULL,
  role text NOT NULL,
  joined_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT memberships_role_check CHECK ((role = ANY (ARRAY['OWNER'::text, 'ADMIN'::text, 'MEMBER'::text]))),
  CONSTRAINT memberships_org_id_fkey FOREIGN KEY (org_id) REFERENCES orgs(id),
  CONSTRAINT memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT memberships_pkey PRIMARY KEY (org_id, user_id)
);
CREATE INDEX memberships_by_user ON public.memberships USING btree (user_id);

CREATE TABLE orgs (
  id text NOT NULL,
  name text NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT orgs_pkey PRIMARY KEY (id)
);

CREATE TABLE project_members (
  org_id text NOT NULL,
  project_id text NOT NULL,
  user_id text NOT NULL,
  added_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT project_members_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id),
  CONSTRAINT project_members_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES memberships(org_id, user_id) ON DELETE CASCADE,
  CONSTRAINT project_members_pkey PRIMARY KEY (org_id, project_id, user_id)
);

CREATE TABLE projects (
  org_id text NOT NULL,
  id text NOT NULL,
  slug text NOT NULL,
  name text NOT NULL,
  description text,
  tags text[] NOT NULL,
  access text NOT NULL,
  created_by_id text NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  archived_at timestamp(3) with time zone,
  position bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  CONSTRAINT projects_access_check CHECK ((access = ANY (ARRAY['ORG'::text, 'MEMBERS'::text]))),
  CONSTRAINT projects_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id),
  CONSTRAINT projects_org_id_fkey FOREIGN KEY (org_id) REFERENCES orgs(id),
  CONSTRAINT projects_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT projects_org_id_slug_key UNIQUE (org_id, slug)
);
CREATE INDEX projects_listed ON public.projects USING btree (org_id, "position" DESC) WHERE (archived_at IS NULL);

CREATE TABLE schema_migrations (
  version integer NOT NULL,
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT schema_migrations_pkey PRIMARY KEY (version)
);

CREATE TABLE users (
  id text NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  name text NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_email_key_key UNIQUE (email_key)
);
