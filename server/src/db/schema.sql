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
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  position bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  CONSTRAINT audit_entries_pkey PRIMARY KEY (org_id, "position")
);

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
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (org_id, scope_hash)
);
CREATE INDEX idempotency_keys_by_age ON public.idempotency_keys USING brin (created_at);

CREATE TABLE invitations (
  id text NOT NULL,
  org_id text NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  role text NOT NULL,
  status text NOT NULL,
  token_number integer NOT NULL,
  token_hash bytea NOT NULL,
  invited_by_id text NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  position bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  CONSTRAINT invitations_role_check CHECK ((role = ANY (ARRAY['ADMIN'::text, 'MEMBER'::text]))),
  CONSTRAINT invitations_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'ACCEPTED'::text, 'REVOKED'::text, 'EXPIRED'::text]))),
  CONSTRAINT invitations_invited_by_id_fkey FOREIGN KEY (invited_by_id) REFERENCES users(id),
  CONSTRAINT invitations_org_id_fkey FOREIGN KEY (org_id) REFERENCES orgs(id),
  CONSTRAINT invitations_pkey PRIMARY KEY (id),
  CONSTRAINT invitations_token_hash_key UNIQUE (token_hash)
);
CREATE UNIQUE INDEX invitations_pending ON public.invitations USING btree (org_id, email_key) WHERE (status = 'PENDING'::text);

CREATE TABLE jobs (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  kind text NOT NULL,
  payload jsonb NOT NULL,
  run_at timestamp(3) with time zone NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  lease_token text,
  lease_expires_at timestamp(3) with time zone,
  last_error text,
  dead_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT jobs_check CHECK (((lease_token IS NULL) = (lease_expires_at IS NULL))),
  CONSTRAINT jobs_check1 CHECK (((dead_at IS NULL) OR (lease_token IS NULL))),
  CONSTRAINT jobs_pkey PRIMARY KEY (id)
);
CREATE INDEX jobs_due ON public.jobs USING btree (run_at, id) WHERE (dead_at IS NULL);

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

CREATE TABLE messages (
  org_id text NOT NULL,
  id text NOT NULL,
  session_id text NOT NULL,
  position bigint NOT NULL,
  parent_message_id text,
  author_kind text NOT NULL,
  author_user_id text,
  agent_slug text,
  in_reply_to_message_id text,
  body text NOT NULL,
  mentions text[] NOT NULL,
  status text NOT NULL,
  error jsonb,
  citations jsonb NOT NULL,
  tool_calls jsonb NOT NULL,
  usage jsonb,
  reply_count integer DEFAULT 0 NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  edited_at timestamp(3) with time zone,
  deleted_at timestamp(3) with time zone,
  CONSTRAINT messages_author_kind_check CHECK ((author_kind = ANY (ARRAY['USER'::text, 'AGENT'::text]))),
  CONSTRAINT messages_check CHECK (((author_kind = 'USER'::text) = (author_user_id IS NOT NULL))),
  CONSTRAINT messages_check1 CHECK (((author_kind = 'AGENT'::text) = (agent_slug IS NOT NULL))),
  CONSTRAINT messages_status_check CHECK ((status = ANY (ARRAY['COMPLETED'::text, 'FAILED'::text]))),
  CONSTRAINT messages_org_id_parent_message_id_fkey FOREIGN KEY (org_id, parent_message_id) REFERENCES messages(org_id, id),
  CONSTRAINT messages_org_id_session_id_fkey FOREIGN KEY (org_id, session_id) REFERENCES sessions(org_id, id),
  CONSTRAINT messages_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT messages_org_id_session_id_position_key UNIQUE (org_id, session_id, "position")
);
CREATE INDEX messages_by_thread ON public.messages USING btree (org_id, parent_message_id, "position") WHERE (parent_message_id IS NOT NULL);

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

CREATE TABLE reactions (
  org_id text NOT NULL,
  message_id text NOT NULL,
  emoji text NOT NULL,
  user_id text NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  position bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  CONSTRAINT reactions_org_id_message_id_fkey FOREIGN KEY (org_id, message_id) REFERENCES messages(org_id, id),
  CONSTRAINT reactions_pkey PRIMARY KEY (org_id, message_id, emoji, user_id)
);

CREATE TABLE read_marks (
  org_id text NOT NULL,
  session_id text NOT NULL,
  user_id text NOT NULL,
  position bigint NOT NULL,
  CONSTRAINT read_marks_org_id_session_id_fkey FOREIGN KEY (org_id, session_id) REFERENCES sessions(org_id, id),
  CONSTRAINT read_marks_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES memberships(org_id, user_id) ON DELETE CASCADE,
  CONSTRAINT read_marks_pkey PRIMARY KEY (org_id, session_id, user_id)
);

CREATE TABLE schema_migrations (
  version integer NOT NULL,
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT schema_migrations_pkey PRIMARY KEY (version)
);

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
  created_by_id text NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  archived_at timestamp(3) with time zone,
  last_message_at timestamp(3) with time zone,
  last_position bigint DEFAULT 0 NOT NULL,
  position bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  CONSTRAINT sessions_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id),
  CONSTRAINT sessions_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id),
  CONSTRAINT sessions_pkey PRIMARY KEY (org_id, id)
);
CREATE INDEX sessions_by_project ON public.sessions USING btree (org_id, project_id);

CREATE TABLE users (
  id text NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  name text NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_email_key_key UNIQUE (email_key)
);
