-- Generated from the migrations by `npm run generate`; do not edit.

CREATE TABLE agents (
  org_id text NOT NULL,
  id text NOT NULL,
  slug text NOT NULL,
  name text NOT NULL,
  description text,
  instructions text NOT NULL,
  model text,
  tools text[] NOT NULL,
  mcp_server_ids text[] NOT NULL,
  project_ids text[] NOT NULL,
  is_enabled boolean NOT NULL,
  created_by_id text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  archived_at timestamp(3) with time zone,
  position bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  CONSTRAINT agents_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id),
  CONSTRAINT agents_org_id_fkey FOREIGN KEY (org_id) REFERENCES orgs(id),
  CONSTRAINT agents_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT agents_org_id_slug_key UNIQUE (org_id, slug)
);

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
CREATE INDEX audit_entries_by_age ON public.audit_entries USING btree (created_at);

CREATE TABLE channel_connections (
  org_id text NOT NULL,
  id text NOT NULL,
  provider text NOT NULL,
  display_name text NOT NULL,
  server_url text,
  workspace_id text NOT NULL,
  workspace_name text NOT NULL,
  bot_id text NOT NULL,
  bot_name text NOT NULL,
  mode text NOT NULL,
  trusts_emails boolean NOT NULL,
  sealed_secrets bytea NOT NULL,
  status text NOT NULL,
  last_error text,
  last_event_at timestamp(3) with time zone,
  version bigint DEFAULT 1 NOT NULL,
  holder text,
  held_until timestamp with time zone,
  created_by_id text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT channel_connections_mode_check CHECK ((mode = ANY (ARRAY['SOCKET'::text, 'WEBHOOK'::text]))),
  CONSTRAINT channel_connections_provider_check CHECK ((provider = ANY (ARRAY['SLACK'::text, 'MATTERMOST'::text]))),
  CONSTRAINT channel_connections_status_check CHECK ((status = ANY (ARRAY['CONNECTING'::text, 'CONNECTED'::text, 'BROKEN'::text]))),
  CONSTRAINT channel_connections_org_id_fkey FOREIGN KEY (org_id) REFERENCES orgs(id),
  CONSTRAINT channel_connections_pkey PRIMARY KEY (org_id, id)
);
CREATE INDEX channel_connections_by_id ON public.channel_connections USING btree (id);

CREATE TABLE channel_events (
  org_id text NOT NULL,
  connection_id text NOT NULL,
  event_id text NOT NULL,
  mapping_id text NOT NULL,
  event jsonb,
  received_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT channel_events_org_id_mapping_id_fkey FOREIGN KEY (org_id, mapping_id) REFERENCES channel_mappings(org_id, id) ON DELETE CASCADE,
  CONSTRAINT channel_events_pkey PRIMARY KEY (org_id, connection_id, event_id)
);
CREATE INDEX channel_events_by_age ON public.channel_events USING btree (received_at);
CREATE INDEX channel_events_to_do ON public.channel_events USING btree (org_id, mapping_id, received_at) WHERE (event IS NOT NULL);

CREATE TABLE channel_files (
  org_id text NOT NULL,
  mapping_id text NOT NULL,
  message_id text NOT NULL,
  file_id text NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  external_id text,
  refusal text,
  shown_at timestamp(3) with time zone,
  is_shown boolean DEFAULT false NOT NULL,
  CONSTRAINT channel_files_refusal_check CHECK ((refusal = ANY (ARRAY['TOO_LARGE'::text, 'CHECKING'::text, 'MISSING'::text, 'REFUSED'::text, 'FAILED'::text]))),
  CONSTRAINT channel_files_org_id_mapping_id_fkey FOREIGN KEY (org_id, mapping_id) REFERENCES channel_mappings(org_id, id) ON DELETE CASCADE,
  CONSTRAINT channel_files_pkey PRIMARY KEY (org_id, mapping_id, message_id, file_id)
);
CREATE INDEX channel_files_by_file ON public.channel_files USING btree (org_id, file_id);

CREATE TABLE channel_late_files (
  org_id text NOT NULL,
  message_id text NOT NULL,
  position integer NOT NULL,
  project_id text NOT NULL,
  session_id text NOT NULL,
  connection_id text NOT NULL,
  name text NOT NULL,
  media_type text NOT NULL,
  size bigint NOT NULL,
  source text NOT NULL,
  shown text NOT NULL,
  uploaded_by_id text,
  CONSTRAINT channel_late_files_pkey PRIMARY KEY (org_id, message_id, "position")
);

CREATE TABLE channel_mappings (
  org_id text NOT NULL,
  id text NOT NULL,
  project_id text NOT NULL,
  connection_id text NOT NULL,
  workspace_id text NOT NULL,
  channel_id text NOT NULL,
  channel_name text NOT NULL,
  session_id text NOT NULL,
  direction text NOT NULL,
  answers text NOT NULL,
  shares_org_memory boolean NOT NULL,
  status text NOT NULL,
  last_error text,
  starts_at timestamp(3) with time zone NOT NULL,
  place timestamp(3) with time zone NOT NULL,
  collected_position bigint NOT NULL,
  gaps jsonb DEFAULT '[]'::jsonb NOT NULL,
  created_by_id text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  privacy text DEFAULT 'PUBLIC'::text NOT NULL,
  answered jsonb DEFAULT '[]'::jsonb NOT NULL,
  CONSTRAINT channel_mappings_answers_check CHECK ((answers = ANY (ARRAY['MEMBERS'::text, 'EVERYONE'::text, 'NONE'::text]))),
  CONSTRAINT channel_mappings_direction_check CHECK ((direction = ANY (ARRAY['BOTH'::text, 'IN'::text, 'OUT'::text]))),
  CONSTRAINT channel_mappings_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'PAUSED'::text, 'BROKEN'::text]))),
  CONSTRAINT channel_mappings_org_id_connection_id_fkey FOREIGN KEY (org_id, connection_id) REFERENCES channel_connections(org_id, id) ON DELETE CASCADE,
  CONSTRAINT channel_mappings_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id),
  CONSTRAINT channel_mappings_org_id_session_id_fkey FOREIGN KEY (org_id, session_id) REFERENCES sessions(org_id, id),
  CONSTRAINT channel_mappings_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT channel_mappings_org_id_session_id_key UNIQUE (org_id, session_id),
  CONSTRAINT channel_mappings_org_id_workspace_id_channel_id_key UNIQUE (org_id, workspace_id, channel_id)
);
CREATE INDEX channel_mappings_by_channel ON public.channel_mappings USING btree (org_id, connection_id, channel_id);
CREATE INDEX channel_mappings_by_project ON public.channel_mappings USING btree (org_id, project_id);

CREATE TABLE channel_messages (
  org_id text NOT NULL,
  connection_id text NOT NULL,
  channel_id text NOT NULL,
  external_id text NOT NULL,
  mapping_id text NOT NULL,
  message_id text,
  own_id text,
  thread_id text,
  written_at timestamp(3) with time zone NOT NULL,
  edited_at timestamp(3) with time zone,
  deleted_at timestamp(3) with time zone,
  text_hash text,
  emojis text[] DEFAULT '{}'::text[] NOT NULL,
  CONSTRAINT channel_messages_org_id_mapping_id_fkey FOREIGN KEY (org_id, mapping_id) REFERENCES channel_mappings(org_id, id) ON DELETE CASCADE,
  CONSTRAINT channel_messages_pkey PRIMARY KEY (org_id, connection_id, channel_id, external_id)
);
CREATE INDEX channel_messages_by_message ON public.channel_messages USING btree (org_id, message_id) WHERE (message_id IS NOT NULL);
CREATE UNIQUE INDEX channel_messages_by_own_id ON public.channel_messages USING btree (org_id, mapping_id, own_id) WHERE (own_id IS NOT NULL);
CREATE INDEX channel_messages_by_time ON public.channel_messages USING btree (org_id, mapping_id, written_at);

CREATE TABLE channel_outbox (
  org_id text NOT NULL,
  mapping_id text NOT NULL,
  message_id text NOT NULL,
  changes bigint DEFAULT 1 NOT NULL,
  tried_at timestamp(3) with time zone,
  CONSTRAINT channel_outbox_org_id_mapping_id_fkey FOREIGN KEY (org_id, mapping_id) REFERENCES channel_mappings(org_id, id) ON DELETE CASCADE,
  CONSTRAINT channel_outbox_pkey PRIMARY KEY (org_id, mapping_id, message_id)
);

CREATE TABLE channel_signatures (
  org_id text NOT NULL,
  connection_id text NOT NULL,
  signature text NOT NULL,
  received_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT channel_signatures_org_id_connection_id_fkey FOREIGN KEY (org_id, connection_id) REFERENCES channel_connections(org_id, id) ON DELETE CASCADE,
  CONSTRAINT channel_signatures_pkey PRIMARY KEY (org_id, connection_id, signature)
);
CREATE INDEX channel_signatures_by_age ON public.channel_signatures USING btree (received_at);

CREATE TABLE checkouts (
  id text NOT NULL,
  provider_id text NOT NULL,
  org_id text NOT NULL,
  plan text,
  credits bigint,
  created_by_id text NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT checkouts_check CHECK (((plan IS NULL) <> (credits IS NULL))),
  CONSTRAINT checkouts_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id),
  CONSTRAINT checkouts_org_id_fkey FOREIGN KEY (org_id) REFERENCES orgs(id),
  CONSTRAINT checkouts_pkey PRIMARY KEY (id),
  CONSTRAINT checkouts_provider_id_key UNIQUE (provider_id)
);

CREATE TABLE credit_accounts (
  org_id text NOT NULL,
  plan text DEFAULT 'free'::text NOT NULL,
  customer_id text,
  subscription_id text,
  is_paid boolean DEFAULT false NOT NULL,
  ends_with_period boolean DEFAULT false NOT NULL,
  period_start timestamp(3) with time zone,
  period_end timestamp(3) with time zone,
  included_until timestamp(3) with time zone,
  revision bigint DEFAULT 0 NOT NULL,
  unpaid_credits bigint DEFAULT 0 NOT NULL,
  unpaid_since timestamp(3) with time zone,
  CONSTRAINT credit_accounts_plan_check CHECK ((plan = ANY (ARRAY['free'::text, 'pro'::text, 'team'::text, 'enterprise'::text]))),
  CONSTRAINT credit_accounts_org_id_fkey FOREIGN KEY (org_id) REFERENCES orgs(id),
  CONSTRAINT credit_accounts_pkey PRIMARY KEY (org_id),
  CONSTRAINT credit_accounts_customer_id_key UNIQUE (customer_id),
  CONSTRAINT credit_accounts_subscription_id_key UNIQUE (subscription_id)
);
CREATE INDEX credit_accounts_due ON public.credit_accounts USING btree (included_until);

CREATE TABLE credit_reservations (
  org_id text NOT NULL,
  id text NOT NULL,
  credits bigint NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT credit_reservations_org_id_fkey FOREIGN KEY (org_id) REFERENCES orgs(id),
  CONSTRAINT credit_reservations_pkey PRIMARY KEY (org_id, id)
);

CREATE TABLE deleted_memories (
  org_id text NOT NULL,
  id text NOT NULL,
  scope text NOT NULL,
  project_id text,
  position bigint NOT NULL,
  deleted_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT deleted_memories_pkey PRIMARY KEY (org_id, id)
);
CREATE INDEX deleted_memories_by_age ON public.deleted_memories USING brin (deleted_at);

CREATE TABLE departures (
  org_id text NOT NULL,
  user_id text NOT NULL,
  left_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT departures_org_id_fkey FOREIGN KEY (org_id) REFERENCES orgs(id),
  CONSTRAINT departures_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT departures_pkey PRIMARY KEY (org_id, user_id)
);

CREATE TABLE documents (
  org_id text NOT NULL,
  id text NOT NULL,
  project_id text NOT NULL,
  file_id text NOT NULL,
  source_id text,
  url text,
  language text NOT NULL,
  passages integer NOT NULL,
  characters bigint NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT documents_org_id_file_id_fkey FOREIGN KEY (org_id, file_id) REFERENCES files(org_id, id) ON DELETE CASCADE,
  CONSTRAINT documents_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id),
  CONSTRAINT documents_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT documents_org_id_file_id_key UNIQUE (org_id, file_id)
);
CREATE INDEX documents_of_project ON public.documents USING btree (org_id, project_id);

CREATE TABLE email_undos (
  id text NOT NULL,
  position bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  token_hash bytea NOT NULL,
  user_id text NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  used_at timestamp(3) with time zone,
  CONSTRAINT email_undos_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT email_undos_pkey PRIMARY KEY (id),
  CONSTRAINT email_undos_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX email_undos_by_expiry ON public.email_undos USING btree (expires_at);
CREATE INDEX email_undos_by_user ON public.email_undos USING btree (user_id, "position");

CREATE TABLE external_reactions (
  org_id text NOT NULL,
  message_id text NOT NULL,
  emoji text NOT NULL,
  author_id text NOT NULL,
  user_id text,
  CONSTRAINT external_reactions_org_id_message_id_fkey FOREIGN KEY (org_id, message_id) REFERENCES messages(org_id, id),
  CONSTRAINT external_reactions_pkey PRIMARY KEY (org_id, message_id, emoji, author_id)
);

CREATE TABLE file_pages (
  org_id text NOT NULL,
  file_id text NOT NULL,
  page integer NOT NULL,
  text text NOT NULL,
  is_scanned boolean NOT NULL,
  CONSTRAINT file_pages_org_id_file_id_fkey FOREIGN KEY (org_id, file_id) REFERENCES files(org_id, id) ON DELETE CASCADE,
  CONSTRAINT file_pages_pkey PRIMARY KEY (org_id, file_id, page)
);

CREATE TABLE file_readings (
  org_id text NOT NULL,
  file_id text NOT NULL,
  token text NOT NULL,
  held_until timestamp(3) with time zone NOT NULL,
  attempts integer NOT NULL,
  pages integer,
  CONSTRAINT file_readings_org_id_file_id_fkey FOREIGN KEY (org_id, file_id) REFERENCES files(org_id, id) ON DELETE CASCADE,
  CONSTRAINT file_readings_pkey PRIMARY KEY (org_id, file_id)
);

CREATE TABLE file_remains (
  org_id text NOT NULL,
  storage_key text NOT NULL,
  storage_upload_id text,
  delete_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT file_remains_pkey PRIMARY KEY (org_id, storage_key)
);
CREATE INDEX file_remains_by_time ON public.file_remains USING btree (delete_at);

CREATE TABLE file_uploads (
  org_id text NOT NULL,
  file_id text NOT NULL,
  storage_key text NOT NULL,
  storage_upload_id text,
  received bigint DEFAULT 0 NOT NULL,
  parts jsonb DEFAULT '[]'::jsonb NOT NULL,
  token text,
  held_until timestamp(3) with time zone,
  expires_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT file_uploads_org_id_file_id_fkey FOREIGN KEY (org_id, file_id) REFERENCES files(org_id, id) ON DELETE CASCADE,
  CONSTRAINT file_uploads_pkey PRIMARY KEY (org_id, file_id)
);
CREATE INDEX file_uploads_by_time ON public.file_uploads USING btree (expires_at);

CREATE TABLE file_uses (
  org_id text NOT NULL,
  file_id text NOT NULL,
  used_by_id text NOT NULL,
  message_id text,
  task_id text,
  position integer NOT NULL,
  added_by_id text,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT file_uses_check CHECK ((num_nonnulls(message_id, task_id) = 1)),
  CONSTRAINT file_uses_org_id_file_id_fkey FOREIGN KEY (org_id, file_id) REFERENCES files(org_id, id) ON DELETE CASCADE,
  CONSTRAINT file_uses_org_id_message_id_fkey FOREIGN KEY (org_id, message_id) REFERENCES messages(org_id, id),
  CONSTRAINT file_uses_org_id_task_id_fkey FOREIGN KEY (org_id, task_id) REFERENCES tasks(org_id, id),
  CONSTRAINT file_uses_pkey PRIMARY KEY (org_id, used_by_id, file_id)
);
CREATE INDEX file_uses_of_file ON public.file_uses USING btree (org_id, file_id);

CREATE TABLE files (
  org_id text NOT NULL,
  id text NOT NULL,
  project_id text NOT NULL,
  position bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  name text NOT NULL,
  media_type text NOT NULL,
  size bigint NOT NULL,
  sha256 text,
  status text NOT NULL,
  reason text,
  text_status text DEFAULT 'NONE'::text NOT NULL,
  text_reason text,
  pages integer,
  image_width integer,
  image_height integer,
  is_shared boolean DEFAULT false NOT NULL,
  uploaded_by_id text,
  uploaded_by_agent text,
  storage_key text,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  purge_at timestamp(3) with time zone,
  CONSTRAINT files_check CHECK (((status <> 'READY'::text) OR ((sha256 IS NOT NULL) AND (storage_key IS NOT NULL)))),
  CONSTRAINT files_status_check CHECK ((status = ANY (ARRAY['UPLOADING'::text, 'CHECKING'::text, 'READY'::text, 'FAILED'::text, 'REFUSED'::text]))),
  CONSTRAINT files_text_status_check CHECK ((text_status = ANY (ARRAY['NONE'::text, 'PENDING'::text, 'READY'::text, 'EMPTY'::text, 'FAILED'::text]))),
  CONSTRAINT files_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id),
  CONSTRAINT files_pkey PRIMARY KEY (org_id, id)
);
CREATE INDEX files_being_checked ON public.files USING btree (org_id, id) WHERE (status = 'CHECKING'::text);
CREATE INDEX files_by_size ON public.files USING btree (org_id) INCLUDE (size) WHERE (status <> ALL (ARRAY['FAILED'::text, 'REFUSED'::text]));
CREATE INDEX files_of_project ON public.files USING btree (org_id, project_id, "position");
CREATE INDEX files_to_purge ON public.files USING btree (purge_at) WHERE (purge_at IS NOT NULL);
CREATE INDEX files_without_text ON public.files USING btree (org_id, "position") WHERE (text_status = 'PENDING'::text);

CREATE TABLE followed_sessions (
  org_id text NOT NULL,
  user_id text NOT NULL,
  session_id text NOT NULL,
  position bigint DEFAULT 0 NOT NULL,
  CONSTRAINT followed_sessions_pkey PRIMARY KEY (org_id, user_id, session_id)
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
  is_compressed boolean DEFAULT false NOT NULL,
  is_read boolean DEFAULT false NOT NULL,
  caller_id text,
  counted_bytes integer,
  CONSTRAINT idempotency_keys_check CHECK (((status IS NULL) = (sealed_response IS NULL))),
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (org_id, scope_hash)
);
CREATE INDEX idempotency_keys_by_age ON public.idempotency_keys USING brin (created_at);
CREATE INDEX idempotency_keys_by_caller ON public.idempotency_keys USING btree (org_id, caller_id) WHERE (counted_bytes IS NOT NULL);

CREATE TABLE invitation_mails (
  org_id text NOT NULL,
  position bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  address_hash bytea NOT NULL,
  sent_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT invitation_mails_org_id_fkey FOREIGN KEY (org_id) REFERENCES orgs(id),
  CONSTRAINT invitation_mails_pkey PRIMARY KEY (org_id, "position")
);
CREATE INDEX invitation_mails_by_address ON public.invitation_mails USING btree (address_hash, sent_at);
CREATE INDEX invitation_mails_by_age ON public.invitation_mails USING btree (sent_at);
CREATE INDEX invitation_mails_by_org ON public.invitation_mails USING btree (org_id, sent_at);

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
CREATE INDEX invitations_by_email ON public.invitations USING btree (email_key) WHERE (status = 'PENDING'::text);
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
  lane text,
  CONSTRAINT jobs_check CHECK (((lease_token IS NULL) = (lease_expires_at IS NULL))),
  CONSTRAINT jobs_check1 CHECK (((dead_at IS NULL) OR (lease_token IS NULL))),
  CONSTRAINT jobs_pkey PRIMARY KEY (id)
);
CREATE INDEX jobs_by_lane ON public.jobs USING btree (lane, run_at, id) WHERE ((lane IS NOT NULL) AND (dead_at IS NULL));
CREATE INDEX jobs_due ON public.jobs USING btree (run_at, id) WHERE (dead_at IS NULL);
CREATE INDEX jobs_running ON public.jobs USING btree (lane) WHERE ((lane IS NOT NULL) AND (lease_token IS NOT NULL));

CREATE TABLE ledger_entries (
  org_id text NOT NULL,
  id text NOT NULL,
  kind text NOT NULL,
  credits bigint NOT NULL,
  source text NOT NULL,
  message_id text,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  position bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  CONSTRAINT ledger_entries_kind_check CHECK ((kind = ANY (ARRAY['GRANT'::text, 'TOPUP'::text, 'USAGE'::text, 'LAPSE'::text, 'REFUND'::text]))),
  CONSTRAINT ledger_entries_org_id_fkey FOREIGN KEY (org_id) REFERENCES orgs(id),
  CONSTRAINT ledger_entries_pkey PRIMARY KEY (org_id, "position"),
  CONSTRAINT ledger_entries_org_id_source_key UNIQUE (org_id, source)
);
CREATE INDEX ledger_entries_balance ON public.ledger_entries USING btree (org_id) INCLUDE (credits);
CREATE INDEX ledger_entries_by_kind ON public.ledger_entries USING btree (org_id, kind, "position" DESC);

CREATE TABLE link_pages (
  org_id text NOT NULL,
  url_hash text NOT NULL,
  token text,
  summary jsonb,
  fresh_until timestamp(3) with time zone NOT NULL,
  CONSTRAINT link_pages_pkey PRIMARY KEY (org_id, url_hash)
);
CREATE INDEX link_pages_by_time ON public.link_pages USING btree (fresh_until);

CREATE TABLE mcp_server_projects (
  org_id text NOT NULL,
  server_id text NOT NULL,
  project_id text NOT NULL,
  CONSTRAINT mcp_server_projects_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id),
  CONSTRAINT mcp_server_projects_org_id_server_id_fkey FOREIGN KEY (org_id, server_id) REFERENCES mcp_servers(org_id, id) ON DELETE CASCADE,
  CONSTRAINT mcp_server_projects_pkey PRIMARY KEY (org_id, server_id, project_id)
);

CREATE TABLE mcp_servers (
  org_id text NOT NULL,
  id text NOT NULL,
  display_name text NOT NULL,
  mention_slug text NOT NULL,
  endpoint_url text NOT NULL,
  auth_type text NOT NULL,
  sealed_secret bytea,
  last_tested_at timestamp(3) with time zone,
  last_error text,
  created_by_id text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  position bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  CONSTRAINT mcp_servers_auth_type_check CHECK ((auth_type = ANY (ARRAY['NONE'::text, 'BEARER'::text, 'API_KEY'::text]))),
  CONSTRAINT mcp_servers_check CHECK (((auth_type = 'NONE'::text) = (sealed_secret IS NULL))),
  CONSTRAINT mcp_servers_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id),
  CONSTRAINT mcp_servers_org_id_fkey FOREIGN KEY (org_id) REFERENCES orgs(id),
  CONSTRAINT mcp_servers_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT mcp_servers_org_id_mention_slug_key UNIQUE (org_id, mention_slug)
);

CREATE TABLE memberships (
  org_id text NOT NULL,
  user_id text NOT NULL,
  role text NOT NULL,
  joined_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  promoted_at timestamp(3) with time zone,
  handle text,
  email_notifications text DEFAULT 'MENTIONS'::text NOT NULL,
  title text,
  status_emoji text,
  status_text text,
  status_until timestamp(3) with time zone,
  CONSTRAINT memberships_role_check CHECK ((role = ANY (ARRAY['OWNER'::text, 'ADMIN'::text, 'MEMBER'::text]))),
  CONSTRAINT memberships_org_id_fkey FOREIGN KEY (org_id) REFERENCES orgs(id),
  CONSTRAINT memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT memberships_pkey PRIMARY KEY (org_id, user_id)
);
CREATE INDEX memberships_by_handle ON public.memberships USING btree (org_id, handle);
CREATE INDEX memberships_by_status_end ON public.memberships USING btree (status_until) WHERE (status_until IS NOT NULL);
CREATE INDEX memberships_by_user ON public.memberships USING btree (user_id);
CREATE INDEX memberships_without_handle ON public.memberships USING btree (org_id, user_id) WHERE (handle IS NULL);

CREATE TABLE memories (
  org_id text NOT NULL,
  id text NOT NULL,
  owner_user_id text,
  visibility text NOT NULL,
  project_id text,
  scope text GENERATED ALWAYS AS (
CASE visibility
    WHEN 'PROJECT'::text THEN project_id
    WHEN 'PRIVATE'::text THEN owner_user_id
    ELSE 'ORG'::text
END) STORED NOT NULL,
  content text NOT NULL,
  tags text[] NOT NULL,
  source_url text,
  terms bigint[] NOT NULL,
  term_weights sparsevec(1000000000) NOT NULL,
  embedding halfvec(1536),
  embedding_model text,
  head halfvec(384) GENERATED ALWAYS AS ((subvector(embedding, 1, 384))::halfvec(384)) STORED,
  token_vectors bytea,
  token_model text,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  position bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  import_hash text,
  CONSTRAINT memories_check CHECK (((visibility <> 'PROJECT'::text) OR (project_id IS NOT NULL))),
  CONSTRAINT memories_check1 CHECK (((visibility <> 'PRIVATE'::text) OR (owner_user_id IS NOT NULL))),
  CONSTRAINT memories_check2 CHECK (((embedding IS NULL) = (embedding_model IS NULL))),
  CONSTRAINT memories_visibility_check CHECK ((visibility = ANY (ARRAY['PRIVATE'::text, 'PROJECT'::text, 'ORG'::text]))),
  CONSTRAINT memories_org_id_fkey FOREIGN KEY (org_id) REFERENCES orgs(id),
  CONSTRAINT memories_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id),
  CONSTRAINT memories_pkey PRIMARY KEY (org_id, id)
);
CREATE UNIQUE INDEX memories_by_import ON public.memories USING btree (org_id, import_hash) WHERE (import_hash IS NOT NULL);
CREATE INDEX memories_by_model ON public.memories USING btree (embedding_model, org_id);
CREATE UNIQUE INDEX memories_by_org_and_position ON public.memories USING btree (org_id, "position");
CREATE INDEX memories_by_project ON public.memories USING btree (org_id, project_id, scope, "position" DESC) WHERE (project_id IS NOT NULL);
CREATE INDEX memories_by_scope ON public.memories USING btree (org_id, scope, "position" DESC);
CREATE INDEX memories_by_scope_and_vector ON public.memories USING btree (org_id, scope) INCLUDE ("position", head, embedding_model);
CREATE INDEX memories_by_term ON public.memories USING gin (terms);
CREATE INDEX memories_by_token_model ON public.memories USING btree (token_model, org_id);
CREATE INDEX memories_by_vector ON public.memories USING hnsw (head halfvec_cosine_ops) WITH (m='16', ef_construction='100') WHERE (visibility <> 'PRIVATE'::text);

CREATE TABLE memory_batches (
  org_id text NOT NULL,
  id text NOT NULL,
  memory_ids text[] NOT NULL,
  CONSTRAINT memory_batches_org_id_fkey FOREIGN KEY (org_id) REFERENCES orgs(id),
  CONSTRAINT memory_batches_pkey PRIMARY KEY (org_id, id)
);

CREATE TABLE memory_scopes (
  org_id text NOT NULL,
  scope text NOT NULL,
  memories bigint NOT NULL,
  CONSTRAINT memory_scopes_pkey PRIMARY KEY (org_id, scope)
);

CREATE TABLE memory_terms (
  org_id text NOT NULL,
  scope text NOT NULL,
  term bigint NOT NULL,
  memories bigint NOT NULL,
  CONSTRAINT memory_terms_pkey PRIMARY KEY (org_id, term, scope)
);

CREATE TABLE mention_names (
  org_id text NOT NULL,
  name text NOT NULL,
  server_id text,
  agent_id text,
  user_id text,
  former_user_id text,
  freed_at timestamp(3) with time zone,
  model_provider_id text,
  CONSTRAINT mention_names_org_id_agent_id_fkey FOREIGN KEY (org_id, agent_id) REFERENCES agents(org_id, id),
  CONSTRAINT mention_names_org_id_server_id_fkey FOREIGN KEY (org_id, server_id) REFERENCES mcp_servers(org_id, id) ON DELETE CASCADE,
  CONSTRAINT mention_names_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES memberships(org_id, user_id) ON DELETE CASCADE NOT VALID,
  CONSTRAINT mention_names_pkey PRIMARY KEY (org_id, name),
  CONSTRAINT mention_names_org_id_agent_id_key UNIQUE (org_id, agent_id),
  CONSTRAINT mention_names_org_id_server_id_key UNIQUE (org_id, server_id)
);
CREATE INDEX mention_names_by_freed_at ON public.mention_names USING btree (freed_at) WHERE (freed_at IS NOT NULL);
CREATE UNIQUE INDEX mention_names_by_person ON public.mention_names USING btree (org_id, user_id);

CREATE TABLE message_periods (
  org_id text NOT NULL,
  starts_at timestamp(3) with time zone NOT NULL,
  number integer NOT NULL,
  messages_before bigint NOT NULL,
  CONSTRAINT message_periods_number_check CHECK (((number >= 0) AND (number <= 4095))),
  CONSTRAINT message_periods_pkey PRIMARY KEY (org_id, starts_at)
);

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
  mention text,
  pending_replies jsonb DEFAULT '[]'::jsonb NOT NULL,
  reactions jsonb DEFAULT '[]'::jsonb,
  mentioned_user_ids text[] DEFAULT '{}'::text[] NOT NULL,
  search_keys bigint[],
  tasks jsonb DEFAULT '[]'::jsonb NOT NULL,
  external_author jsonb,
  pinned_at timestamp(3) with time zone,
  pinned_by_id text,
  broadcast text,
  previews jsonb DEFAULT '[]'::jsonb NOT NULL,
  previewed_at timestamp(3) with time zone,
  hides_previews boolean DEFAULT false NOT NULL,
  turn_id text,
  inactive_branch_id text,
  has_files boolean DEFAULT false NOT NULL,
  CONSTRAINT messages_author_check CHECK (((author_kind = 'USER'::text) = ((author_user_id IS NOT NULL) OR (external_author IS NOT NULL)))) NOT VALID,
  CONSTRAINT messages_author_kind_check CHECK ((author_kind = ANY (ARRAY['USER'::text, 'AGENT'::text]))),
  CONSTRAINT messages_check1 CHECK (((author_kind = 'AGENT'::text) = (agent_slug IS NOT NULL))),
  CONSTRAINT messages_reactions_check CHECK ((jsonb_array_length(reactions) <= 20)) NOT VALID,
  CONSTRAINT messages_status_check CHECK ((status = ANY (ARRAY['COMPLETED'::text, 'FAILED'::text, 'STOPPED'::text]))) NOT VALID,
  CONSTRAINT messages_org_id_parent_message_id_fkey FOREIGN KEY (org_id, parent_message_id) REFERENCES messages(org_id, id),
  CONSTRAINT messages_org_id_session_id_fkey FOREIGN KEY (org_id, session_id) REFERENCES sessions(org_id, id),
  CONSTRAINT messages_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT messages_org_id_session_id_position_key UNIQUE (org_id, session_id, "position")
);
CREATE UNIQUE INDEX messages_by_mention ON public.messages USING btree (org_id, in_reply_to_message_id, mention) WHERE (mention IS NOT NULL);
CREATE INDEX messages_by_preview ON public.messages USING btree (previewed_at) WHERE (previewed_at IS NOT NULL);
CREATE INDEX messages_by_replier ON public.messages USING btree (org_id, parent_message_id, author_user_id, "position") WHERE (parent_message_id IS NOT NULL);
CREATE INDEX messages_by_search_key ON public.messages USING gin (search_keys) WITH (fastupdate=off);
CREATE INDEX messages_by_thread ON public.messages USING btree (org_id, parent_message_id, "position") WHERE (parent_message_id IS NOT NULL);
CREATE INDEX messages_by_turn ON public.messages USING btree (org_id, turn_id, "position") WHERE (turn_id IS NOT NULL);
CREATE INDEX messages_pinned ON public.messages USING btree (org_id, session_id, pinned_at) WHERE (pinned_at IS NOT NULL);
CREATE INDEX messages_put_aside ON public.messages USING btree (org_id, session_id, inactive_branch_id) WHERE (inactive_branch_id IS NOT NULL);
CREATE INDEX messages_to_index ON public.messages USING btree (org_id, created_at) WHERE (search_keys IS NULL);
CREATE INDEX messages_with_pending_replies ON public.messages USING btree (org_id, id) WHERE (pending_replies <> '[]'::jsonb);

CREATE TABLE model_providers (
  org_id text NOT NULL,
  id text NOT NULL,
  name text NOT NULL,
  kind text NOT NULL,
  base_url text NOT NULL,
  sealed_key bytea,
  is_enabled boolean DEFAULT true NOT NULL,
  last_tested_at timestamp(3) with time zone,
  last_error text,
  created_by_id text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT model_providers_kind_check CHECK ((kind = ANY (ARRAY['openai'::text, 'anthropic'::text, 'openai-compatible'::text, 'ollama'::text]))),
  CONSTRAINT model_providers_pkey PRIMARY KEY (org_id, id)
);

CREATE TABLE model_results (
  org_id text NOT NULL,
  model text NOT NULL,
  status text NOT NULL,
  error jsonb,
  at timestamp(3) with time zone NOT NULL,
  CONSTRAINT model_results_status_check CHECK ((status = ANY (ARRAY['COMPLETED'::text, 'FAILED'::text]))),
  CONSTRAINT model_results_pkey PRIMARY KEY (org_id, model)
);

CREATE TABLE model_usage (
  org_id text NOT NULL,
  message_id text NOT NULL,
  user_id text NOT NULL,
  model text NOT NULL,
  input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  credits bigint NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT model_usage_pkey PRIMARY KEY (org_id, message_id)
);
CREATE INDEX model_usage_by_day ON public.model_usage USING btree (org_id, created_at);

CREATE TABLE muted_sessions (
  org_id text NOT NULL,
  session_id text NOT NULL,
  user_id text NOT NULL,
  level text DEFAULT 'NONE'::text NOT NULL,
  CONSTRAINT muted_sessions_org_id_session_id_fkey FOREIGN KEY (org_id, session_id) REFERENCES sessions(org_id, id),
  CONSTRAINT muted_sessions_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES memberships(org_id, user_id) ON DELETE CASCADE,
  CONSTRAINT muted_sessions_pkey PRIMARY KEY (org_id, session_id, user_id)
);

CREATE TABLE notification_digests (
  org_id text NOT NULL,
  user_id text NOT NULL,
  number integer NOT NULL,
  claimed_at timestamp(3) with time zone NOT NULL,
  started_at timestamp(3) with time zone,
  CONSTRAINT notification_digests_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES memberships(org_id, user_id) ON DELETE CASCADE,
  CONSTRAINT notification_digests_pkey PRIMARY KEY (org_id, user_id)
);

CREATE TABLE notifications (
  org_id text NOT NULL,
  user_id text NOT NULL,
  id text NOT NULL,
  kind text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  read_at timestamp(3) with time zone,
  is_mail_due boolean NOT NULL,
  project_id text,
  task_id text,
  actor_user_id text,
  actor_agent text,
  is_quiet boolean DEFAULT false NOT NULL,
  message_id text,
  note text,
  CONSTRAINT notifications_kind_check CHECK ((kind = ANY (ARRAY['MENTION'::text, 'DIRECT_MESSAGE'::text, 'BROADCAST'::text, 'THREAD_REPLY'::text, 'AGENT_REPLY'::text, 'TASK_ASSIGNED'::text, 'TASK_FINISHED'::text, 'INVITATION_ACCEPTED'::text, 'CHANNEL_BROKEN'::text, 'REMINDER'::text, 'SCHEDULED_FAILED'::text]))) NOT VALID,
  CONSTRAINT notifications_pkey PRIMARY KEY (org_id, user_id, created_at, id)
);
CREATE INDEX notifications_by_age ON public.notifications USING brin (created_at);
CREATE INDEX notifications_to_mail ON public.notifications USING btree (created_at) WHERE is_mail_due;

CREATE TABLE orgs (
  id text NOT NULL,
  name text NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  created_by_id text,
  has_free_credits boolean DEFAULT true NOT NULL,
  has_plain_questions boolean DEFAULT false NOT NULL,
  link_previews boolean DEFAULT true NOT NULL,
  CONSTRAINT orgs_pkey PRIMARY KEY (id)
);
CREATE INDEX orgs_by_creator ON public.orgs USING btree (created_by_id) WHERE (created_by_id IS NOT NULL);

CREATE TABLE owed_events (
  org_id text NOT NULL,
  listener text NOT NULL,
  record_id text NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  event jsonb NOT NULL,
  actor_user_id text,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  due_at timestamp with time zone DEFAULT now() NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  CONSTRAINT owed_events_pkey PRIMARY KEY (org_id, listener, record_id, id)
);

CREATE TABLE passages (
  org_id text NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  document_id text NOT NULL,
  position integer NOT NULL,
  page integer NOT NULL,
  heading text,
  start_at integer NOT NULL,
  end_at integer NOT NULL,
  text text NOT NULL,
  terms bigint[] NOT NULL,
  term_weights sparsevec(1000000000) NOT NULL,
  embedding halfvec(1536),
  embedding_model text,
  head halfvec(384) GENERATED ALWAYS AS ((subvector(embedding, 1, 384))::halfvec(384)) STORED,
  token_vectors bytea,
  token_model text,
  CONSTRAINT passages_check CHECK (((embedding IS NULL) = (embedding_model IS NULL))),
  CONSTRAINT passages_org_id_document_id_fkey FOREIGN KEY (org_id, document_id) REFERENCES documents(org_id, id) ON DELETE CASCADE,
  CONSTRAINT passages_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT passages_org_id_document_id_position_key UNIQUE (org_id, document_id, "position")
);
CREATE INDEX passages_by_document_and_vector ON public.passages USING btree (org_id, document_id) INCLUDE (id, head, embedding_model);
CREATE INDEX passages_by_model ON public.passages USING btree (embedding_model, org_id);
CREATE INDEX passages_by_term ON public.passages USING gin (terms);
CREATE INDEX passages_by_token_model ON public.passages USING btree (token_model, org_id);
CREATE INDEX passages_by_vector ON public.passages USING hnsw (head halfvec_cosine_ops) WITH (m='16', ef_construction='100');

CREATE TABLE payment_events (
  id text NOT NULL,
  type text NOT NULL,
  processed_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT payment_events_pkey PRIMARY KEY (id)
);

CREATE TABLE photos (
  user_id text NOT NULL,
  content_type text NOT NULL,
  bytes bytea NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT photos_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT photos_pkey PRIMARY KEY (user_id)
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
  default_agent text,
  opened_at timestamp(3) with time zone,
  last_task_number bigint DEFAULT 0 NOT NULL,
  is_direct boolean DEFAULT false NOT NULL,
  broadcasts text DEFAULT 'EVERYONE'::text NOT NULL,
  CONSTRAINT projects_access_check CHECK ((access = ANY (ARRAY['ORG'::text, 'MEMBERS'::text]))),
  CONSTRAINT projects_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id),
  CONSTRAINT projects_org_id_fkey FOREIGN KEY (org_id) REFERENCES orgs(id),
  CONSTRAINT projects_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT projects_org_id_slug_key UNIQUE (org_id, slug)
);
CREATE INDEX projects_listed ON public.projects USING btree (org_id, "position" DESC) WHERE (archived_at IS NULL);

CREATE TABLE provider_models (
  org_id text NOT NULL,
  slug text NOT NULL,
  provider_id text NOT NULL,
  model text NOT NULL,
  input_credits double precision NOT NULL,
  output_credits double precision NOT NULL,
  ordinal integer NOT NULL,
  vision boolean DEFAULT false NOT NULL,
  CONSTRAINT provider_models_input_credits_check CHECK ((input_credits >= (0)::double precision)),
  CONSTRAINT provider_models_output_credits_check CHECK ((output_credits >= (0)::double precision)),
  CONSTRAINT provider_models_org_id_provider_id_fkey FOREIGN KEY (org_id, provider_id) REFERENCES model_providers(org_id, id) ON DELETE CASCADE,
  CONSTRAINT provider_models_pkey PRIMARY KEY (org_id, slug)
);
CREATE INDEX provider_models_by_provider ON public.provider_models USING btree (org_id, provider_id);

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
  set_back_at timestamp(3) with time zone,
  CONSTRAINT read_marks_org_id_session_id_fkey FOREIGN KEY (org_id, session_id) REFERENCES sessions(org_id, id),
  CONSTRAINT read_marks_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES memberships(org_id, user_id) ON DELETE CASCADE,
  CONSTRAINT read_marks_pkey PRIMARY KEY (org_id, session_id, user_id)
);

CREATE TABLE reminders (
  org_id text NOT NULL,
  id text NOT NULL,
  user_id text NOT NULL,
  remind_at timestamp(3) with time zone NOT NULL,
  message_id text,
  task_id text,
  note text,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT reminders_check CHECK ((num_nonnulls(message_id, task_id, note) = 1)),
  CONSTRAINT reminders_org_id_message_id_fkey FOREIGN KEY (org_id, message_id) REFERENCES messages(org_id, id),
  CONSTRAINT reminders_org_id_task_id_fkey FOREIGN KEY (org_id, task_id) REFERENCES tasks(org_id, id),
  CONSTRAINT reminders_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES memberships(org_id, user_id) ON DELETE CASCADE,
  CONSTRAINT reminders_pkey PRIMARY KEY (org_id, id)
);
CREATE INDEX reminders_of_person ON public.reminders USING btree (org_id, user_id, remind_at);

CREATE TABLE running_exports (
  org_id text NOT NULL,
  subject text NOT NULL,
  lease_token text NOT NULL,
  started_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT running_exports_org_id_fkey FOREIGN KEY (org_id) REFERENCES orgs(id),
  CONSTRAINT running_exports_pkey PRIMARY KEY (org_id, subject)
);

CREATE TABLE sandbox_objects (
  id text NOT NULL,
  type text NOT NULL,
  data jsonb NOT NULL,
  due_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  position bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  CONSTRAINT sandbox_objects_pkey PRIMARY KEY (id)
);
CREATE INDEX sandbox_objects_data ON public.sandbox_objects USING gin (data jsonb_path_ops);
CREATE INDEX sandbox_objects_due ON public.sandbox_objects USING btree (type, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX sandbox_objects_lists ON public.sandbox_objects USING btree (type, "position" DESC);

CREATE TABLE saved_messages (
  org_id text NOT NULL,
  user_id text NOT NULL,
  message_id text NOT NULL,
  saved_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT saved_messages_org_id_message_id_fkey FOREIGN KEY (org_id, message_id) REFERENCES messages(org_id, id),
  CONSTRAINT saved_messages_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES memberships(org_id, user_id) ON DELETE CASCADE,
  CONSTRAINT saved_messages_pkey PRIMARY KEY (org_id, user_id, message_id)
);

CREATE TABLE scheduled_messages (
  org_id text NOT NULL,
  id text NOT NULL,
  user_id text NOT NULL,
  session_id text NOT NULL,
  parent_message_id text,
  body text NOT NULL,
  send_at timestamp(3) with time zone NOT NULL,
  failure text,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  by_person boolean DEFAULT false NOT NULL,
  file_ids text[] DEFAULT '{}'::text[] NOT NULL,
  CONSTRAINT scheduled_messages_org_id_session_id_fkey FOREIGN KEY (org_id, session_id) REFERENCES sessions(org_id, id),
  CONSTRAINT scheduled_messages_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES memberships(org_id, user_id) ON DELETE CASCADE,
  CONSTRAINT scheduled_messages_pkey PRIMARY KEY (org_id, id)
);
CREATE INDEX scheduled_messages_of_person ON public.scheduled_messages USING btree (org_id, user_id, send_at);
CREATE INDEX scheduled_messages_with_files ON public.scheduled_messages USING btree (org_id) WHERE (file_ids <> '{}'::text[]);

CREATE TABLE schema_migrations (
  version integer NOT NULL,
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT schema_migrations_pkey PRIMARY KEY (version)
);

CREATE TABLE session_summaries (
  org_id text NOT NULL,
  session_id text NOT NULL,
  text text NOT NULL,
  until_position bigint NOT NULL,
  until_message_id text NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT session_summaries_org_id_session_id_fkey FOREIGN KEY (org_id, session_id) REFERENCES sessions(org_id, id),
  CONSTRAINT session_summaries_pkey PRIMARY KEY (org_id, session_id)
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
  version bigint DEFAULT 0 NOT NULL,
  access text DEFAULT 'PROJECT'::text NOT NULL,
  task_id text,
  answers_without_mention boolean DEFAULT false NOT NULL,
  summary_calls integer DEFAULT 0 NOT NULL,
  summary_calls_since timestamp(3) with time zone,
  is_for_everyone boolean DEFAULT false NOT NULL,
  left_user_ids text[] DEFAULT '{}'::text[] NOT NULL,
  direct_key text,
  named_by_turn_id text,
  CONSTRAINT sessions_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id),
  CONSTRAINT sessions_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id),
  CONSTRAINT sessions_pkey PRIMARY KEY (org_id, id)
);
CREATE INDEX sessions_by_participant ON public.sessions USING gin (participant_user_ids);
CREATE INDEX sessions_by_project ON public.sessions USING btree (org_id, project_id);
CREATE UNIQUE INDEX sessions_direct ON public.sessions USING btree (org_id, direct_key) WHERE (direct_key IS NOT NULL);
CREATE INDEX sessions_for_everyone ON public.sessions USING btree (org_id) WHERE is_for_everyone;

CREATE TABLE sign_in_links (
  id text NOT NULL,
  purpose text NOT NULL,
  token_hash bytea NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  user_id text,
  previous_email text,
  return_to text,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  used_at timestamp(3) with time zone,
  CONSTRAINT sign_in_links_check CHECK (((purpose = 'email-change'::text) = (user_id IS NOT NULL))),
  CONSTRAINT sign_in_links_purpose_check CHECK ((purpose = ANY (ARRAY['sign-in'::text, 'email-change'::text]))),
  CONSTRAINT sign_in_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT sign_in_links_pkey PRIMARY KEY (id),
  CONSTRAINT sign_in_links_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX sign_in_links_by_email ON public.sign_in_links USING btree (email_key);
CREATE INDEX sign_in_links_by_expiry ON public.sign_in_links USING btree (expires_at);
CREATE INDEX sign_in_links_by_user ON public.sign_in_links USING btree (user_id) WHERE (user_id IS NOT NULL);

CREATE TABLE task_activity (
  org_id text NOT NULL,
  task_id text NOT NULL,
  version bigint NOT NULL,
  id text NOT NULL,
  actor_user_id text NOT NULL,
  actor_agent text,
  changes jsonb NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT task_activity_org_id_task_id_fkey FOREIGN KEY (org_id, task_id) REFERENCES tasks(org_id, id),
  CONSTRAINT task_activity_pkey PRIMARY KEY (org_id, task_id, version)
);

CREATE TABLE task_views (
  org_id text NOT NULL,
  id text NOT NULL,
  user_id text NOT NULL,
  project_id text,
  name text NOT NULL,
  layout text NOT NULL,
  filters jsonb NOT NULL,
  sort text NOT NULL,
  group_by text NOT NULL,
  position integer NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT task_views_check CHECK (((layout = 'LIST'::text) OR ((layout = 'BOARD'::text) AND (project_id IS NOT NULL)))),
  CONSTRAINT task_views_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id),
  CONSTRAINT task_views_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES memberships(org_id, user_id) ON DELETE CASCADE,
  CONSTRAINT task_views_pkey PRIMARY KEY (org_id, id)
);
CREATE INDEX task_views_of_person ON public.task_views USING btree (org_id, user_id, "position");

CREATE TABLE tasks (
  org_id text NOT NULL,
  id text NOT NULL,
  project_id text NOT NULL,
  number bigint NOT NULL,
  title text NOT NULL,
  description text,
  status text NOT NULL,
  rank text NOT NULL,
  priority text NOT NULL,
  assignee_user_id text,
  assignee_agent text,
  due_on date,
  labels text[] NOT NULL,
  parent_task_id text,
  session_id text,
  source_message_id text,
  created_by_id text NOT NULL,
  created_by_agent text,
  words tsvector NOT NULL,
  version bigint DEFAULT 1 NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  started_at timestamp(3) with time zone,
  completed_at timestamp(3) with time zone,
  archived_at timestamp(3) with time zone,
  run jsonb,
  has_files boolean DEFAULT false NOT NULL,
  CONSTRAINT tasks_check CHECK (((assignee_user_id IS NULL) OR (assignee_agent IS NULL))),
  CONSTRAINT tasks_priority_check CHECK ((priority = ANY (ARRAY['NONE'::text, 'LOW'::text, 'MEDIUM'::text, 'HIGH'::text, 'URGENT'::text]))),
  CONSTRAINT tasks_status_check CHECK ((status = ANY (ARRAY['PROPOSED'::text, 'TODO'::text, 'IN_PROGRESS'::text, 'IN_REVIEW'::text, 'DONE'::text, 'CANCELLED'::text]))),
  CONSTRAINT tasks_org_id_parent_task_id_fkey FOREIGN KEY (org_id, parent_task_id) REFERENCES tasks(org_id, id),
  CONSTRAINT tasks_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id),
  CONSTRAINT tasks_org_id_session_id_fkey FOREIGN KEY (org_id, session_id) REFERENCES sessions(org_id, id),
  CONSTRAINT tasks_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT tasks_org_id_project_id_number_key UNIQUE (org_id, project_id, number)
);
CREATE INDEX tasks_by_agent ON public.tasks USING btree (org_id, assignee_agent) WHERE (assignee_agent IS NOT NULL);
CREATE INDEX tasks_by_assignee ON public.tasks USING btree (org_id, assignee_user_id) WHERE (assignee_user_id IS NOT NULL);
CREATE INDEX tasks_by_change ON public.tasks USING btree (org_id, project_id, updated_at DESC, number DESC) WHERE (archived_at IS NULL);
CREATE INDEX tasks_by_column ON public.tasks USING btree (org_id, project_id, status, rank, number, id) WHERE (archived_at IS NULL);
CREATE INDEX tasks_by_due_date ON public.tasks USING btree (org_id, project_id, due_on, number) WHERE (archived_at IS NULL);
CREATE INDEX tasks_by_parent ON public.tasks USING btree (org_id, parent_task_id) WHERE (parent_task_id IS NOT NULL);
CREATE INDEX tasks_by_priority ON public.tasks USING btree (org_id, project_id, array_position(ARRAY['URGENT'::text, 'HIGH'::text, 'MEDIUM'::text, 'LOW'::text, 'NONE'::text], priority), number) WHERE (archived_at IS NULL);
CREATE INDEX tasks_by_rank ON public.tasks USING btree (org_id, project_id, status, rank);
CREATE INDEX tasks_by_source ON public.tasks USING btree (org_id, source_message_id) WHERE (source_message_id IS NOT NULL);
CREATE INDEX tasks_by_words ON public.tasks USING gin (words);

CREATE TABLE thread_marks (
  org_id text NOT NULL,
  user_id text NOT NULL,
  parent_message_id text NOT NULL,
  session_id text NOT NULL,
  takes_part boolean NOT NULL,
  position bigint NOT NULL,
  set_back_at timestamp(3) with time zone,
  CONSTRAINT thread_marks_pkey PRIMARY KEY (org_id, user_id, parent_message_id)
);
CREATE INDEX thread_marks_by_session ON public.thread_marks USING btree (org_id, user_id, session_id) WHERE takes_part;

CREATE TABLE untold_messages (
  org_id text NOT NULL,
  message_id text NOT NULL,
  CONSTRAINT untold_messages_pkey PRIMARY KEY (org_id, message_id)
);

CREATE TABLE unversioned_changes (
  org_id text NOT NULL,
  session_id text NOT NULL,
  message_id text NOT NULL,
  position bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  CONSTRAINT unversioned_changes_pkey PRIMARY KEY (org_id, session_id, message_id, "position")
);

CREATE TABLE users (
  id text NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  name text NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  password_hash text,
  last_org_id text,
  device_generation integer DEFAULT 0 NOT NULL,
  deleted_at timestamp(3) with time zone,
  time_zone text,
  photo_hash text,
  CONSTRAINT users_last_org_id_fkey FOREIGN KEY (last_org_id) REFERENCES orgs(id),
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_email_key_key UNIQUE (email_key)
);

CREATE TABLE web_sessions (
  id text NOT NULL,
  token_hash bytea NOT NULL,
  user_id text NOT NULL,
  opened_by_link boolean NOT NULL,
  user_agent text NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  last_seen_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  confirmed_at timestamp(3) with time zone,
  cookie_sent_at timestamp(3) with time zone,
  CONSTRAINT web_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT web_sessions_pkey PRIMARY KEY (id),
  CONSTRAINT web_sessions_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX web_sessions_by_expiry ON public.web_sessions USING btree (expires_at);
CREATE INDEX web_sessions_by_user ON public.web_sessions USING btree (user_id);

CREATE OR REPLACE FUNCTION public.note_unversioned_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
END $function$;

CREATE CONSTRAINT TRIGGER note_unversioned_change AFTER UPDATE OF body ON public.messages DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_unversioned_change('id');

CREATE CONSTRAINT TRIGGER note_unversioned_change AFTER INSERT OR DELETE ON public.reactions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_unversioned_change('message_id');
