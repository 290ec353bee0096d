CREATE EXTENSION IF NOT EXISTS vector;

CREATE TABLE memories (
  org_id text NOT NULL REFERENCES orgs,
  id text NOT NULL,
  -- Null for what a v1 key wrote: it belongs to the org.
  owner_user_id text,
  visibility text NOT NULL CHECK (visibility IN ('PRIVATE', 'PROJECT', 'ORG')),
  project_id text,
  -- Who sees it, in one word: the Project's members, its owner, or everybody in the org.
  scope text NOT NULL GENERATED ALWAYS AS (
    CASE visibility WHEN 'PROJECT' THEN project_id WHEN 'PRIVATE' THEN owner_user_id ELSE 'ORG' END
  ) STORED,
  content text NOT NULL,
  tags text[] NOT NULL,
  source_url text,
  -- What the lexical leg finds it by: hashes of its terms, salted with the org or, where PRIVATE, with
  -- the owner too; and the weight of each term in this text, which a search multiplies by its rarity.
  terms bigint[] NOT NULL,
  term_weights sparsevec(1000000000) NOT NULL,
  -- The vector, zero-padded, and the model that made it; null until there is one.
  embedding halfvec(1536),
  embedding_model text,
  -- The part that is indexed. All of the local model's dimensions are in it.
  head halfvec(384) GENERATED ALWAYS AS (subvector(embedding, 1, 384)::halfvec(384)) STORED,
  -- One small vector a token, packed, for re-ranking, and the format's name.
  token_vectors bytea,
  token_model text,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  position bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (org_id, id),
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id),
  CHECK (visibility <> 'PROJECT' OR project_id IS NOT NULL),
  CHECK (visibility <> 'PRIVATE' OR owner_user_id IS NOT NULL),
  CHECK ((embedding IS NULL) = (embedding_model IS NULL))
);
-- Padding compresses to almost nothing; token vectors not at all.
ALTER TABLE memories ALTER COLUMN embedding SET STORAGE EXTENDED;
ALTER TABLE memories ALTER COLUMN token_vectors SET STORAGE EXTERNAL;
-- What a search has found it reads by this: half the time of looking up as many ids.
CREATE UNIQUE INDEX memories_by_position ON memories (position);
CREATE INDEX memories_by_scope ON memories (org_id, scope, position DESC);
CREATE INDEX memories_by_project ON memories (org_id, project_id, scope, position DESC)
  WHERE project_id IS NOT NULL;
CREATE INDEX memories_by_model ON memories (embedding_model, org_id);
CREATE INDEX memories_by_term ON memories USING gin (terms);
-- No PRIVATE row is in it, so that nobody's private rows are in anybody's way.
CREATE INDEX memories_by_vector ON memories USING hnsw (head halfvec_cosine_ops)
  WITH (m = 16, ef_construction = 100) WHERE visibility <> 'PRIVATE';

-- How many memories a scope has, and how many of them a term is in: what a term's rarity is made of.
CREATE TABLE memory_scopes (
  org_id text NOT NULL,
  scope text NOT NULL,
  memories bigint NOT NULL,
  PRIMARY KEY (org_id, scope)
) WITH (fillfactor = 50);
CREATE TABLE memory_terms (
  org_id text NOT NULL,
  scope text NOT NULL,
  term bigint NOT NULL,
  memories bigint NOT NULL,
  -- In this order a search reads a term's counts in all of its scopes side by side.
  PRIMARY KEY (org_id, term, scope)
) WITH (fillfactor = 80);

-- What is left of a deleted memory for seven days, so that it can still be a cursor.
CREATE TABLE deleted_memories (
  org_id text NOT NULL,
  id text NOT NULL,
  scope text NOT NULL,
  project_id text,
  position bigint NOT NULL,
  deleted_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (org_id, id)
);
CREATE INDEX deleted_memories_by_age ON deleted_memories USING brin (deleted_at);

-- Who has left: their PRIVATE memories are erased after thirty days, unless they come back.
CREATE TABLE departures (
  org_id text NOT NULL REFERENCES orgs,
  user_id text NOT NULL REFERENCES users,
  left_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (org_id, user_id)
);
