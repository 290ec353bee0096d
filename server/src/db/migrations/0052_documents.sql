-- The text of a file, page by page as it was read. A reading that breaks off goes on after the last of them.
CREATE TABLE file_pages (
  org_id text NOT NULL,
  file_id text NOT NULL,
  page integer NOT NULL,
  text text NOT NULL,
  is_scanned boolean NOT NULL,
  PRIMARY KEY (org_id, file_id, page),
  FOREIGN KEY (org_id, file_id) REFERENCES files (org_id, id) ON DELETE CASCADE
);

-- Which files are being read. Until `held_until` they are their reader's, or rest after a failure.
CREATE TABLE file_readings (
  org_id text NOT NULL,
  file_id text NOT NULL,
  token text NOT NULL,
  held_until timestamptz(3) NOT NULL,
  attempts integer NOT NULL,
  -- How many there are, once that is known.
  pages integer,
  PRIMARY KEY (org_id, file_id),
  FOREIGN KEY (org_id, file_id) REFERENCES files (org_id, id) ON DELETE CASCADE
);

-- Texts with a place to go back to. Title and media type are the file's, and so is who may read one.
CREATE TABLE documents (
  org_id text NOT NULL,
  id text NOT NULL,
  project_id text NOT NULL,
  file_id text NOT NULL,
  -- Of the source that it is from; null for what people uploaded.
  source_id text,
  url text,
  language text NOT NULL,
  passages integer NOT NULL,
  -- Of all pages.
  characters bigint NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (org_id, id),
  UNIQUE (org_id, file_id),
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id),
  FOREIGN KEY (org_id, file_id) REFERENCES files (org_id, id) ON DELETE CASCADE
);
CREATE INDEX documents_of_project ON documents (org_id, project_id);

-- Parts of documents, with what they are found by, as memories have it.
CREATE TABLE passages (
  org_id text NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  document_id text NOT NULL,
  -- In the document.
  position integer NOT NULL,
  page integer NOT NULL,
  heading text,
  -- In code points of the page.
  start_at integer NOT NULL,
  end_at integer NOT NULL,
  text text NOT NULL,
  terms bigint[] NOT NULL,
  term_weights sparsevec(1000000000) NOT NULL,
  embedding halfvec(1536),
  embedding_model text,
  head halfvec(384) GENERATED ALWAYS AS (subvector(embedding, 1, 384)::halfvec(384)) STORED,
  token_vectors bytea,
  token_model text,
  PRIMARY KEY (org_id, id),
  UNIQUE (org_id, document_id, position),
  CHECK ((embedding IS NULL) = (embedding_model IS NULL)),
  FOREIGN KEY (org_id, document_id) REFERENCES documents (org_id, id) ON DELETE CASCADE
);
CREATE INDEX passages_by_term ON passages USING gin (terms);
CREATE INDEX passages_by_document_and_vector ON passages (org_id, document_id) INCLUDE (id, head, embedding_model);
CREATE INDEX passages_by_model ON passages (embedding_model, org_id);
CREATE INDEX passages_by_token_model ON passages (token_model, org_id);

-- In single precision on the embedded engine, as memories_by_vector is (ADR 38).
DO $$ BEGIN
  IF version() LIKE '%wasm%' THEN
    CREATE INDEX passages_by_vector ON passages USING hnsw ((head::vector(384)) vector_cosine_ops)
      WITH (m = 16, ef_construction = 64);
  ELSE
    CREATE INDEX passages_by_vector ON passages USING hnsw (head halfvec_cosine_ops)
      WITH (m = 16, ef_construction = 100);
  END IF;
END $$;
