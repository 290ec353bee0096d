-- Providers of models that an organisation's OWNERs add themselves, each with its key, which is encrypted.
CREATE TABLE model_providers (
  org_id text NOT NULL,
  id text NOT NULL,
  name text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('openai', 'anthropic', 'openai-compatible', 'ollama')),
  base_url text NOT NULL,
  sealed_key bytea,
  is_enabled boolean NOT NULL DEFAULT true,
  last_tested_at timestamptz(3),
  last_error text,
  created_by_id text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (org_id, id)
);

-- The models they chose, by the names that people mention. Prices are credits per million tokens.
CREATE TABLE provider_models (
  org_id text NOT NULL,
  slug text NOT NULL,
  provider_id text NOT NULL,
  model text NOT NULL,
  input_credits double precision NOT NULL CHECK (input_credits >= 0),
  output_credits double precision NOT NULL CHECK (output_credits >= 0),
  ordinal integer NOT NULL,
  PRIMARY KEY (org_id, slug),
  FOREIGN KEY (org_id, provider_id) REFERENCES model_providers (org_id, id) ON DELETE CASCADE
);

CREATE INDEX provider_models_by_provider ON provider_models (org_id, provider_id);

-- Their names share one namespace with those of agents, MCP servers and people.
ALTER TABLE mention_names ADD COLUMN IF NOT EXISTS model_provider_id text;
