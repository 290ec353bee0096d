-- The embedded engine computes half precision in software: adding a row to this index took 20 ms. In single
-- precision it takes 3. PostgreSQL has hardware for both, and keeps the smaller index.
DO $$ BEGIN
  IF version() LIKE '%wasm%' THEN
    SET LOCAL maintenance_work_mem = '256MB';
    DROP INDEX memories_by_vector;
    CREATE INDEX memories_by_vector ON memories USING hnsw ((head::vector(384)) vector_cosine_ops)
      WITH (m = 16, ef_construction = 64) WHERE visibility <> 'PRIVATE';
  END IF;
END $$;

-- A batch whose memories the embedded engine commits one by one. If the server stops before the last one,
-- the next start deletes them.
CREATE TABLE memory_batches (
  org_id text NOT NULL REFERENCES orgs,
  id text NOT NULL,
  memory_ids text[] NOT NULL,
  PRIMARY KEY (org_id, id)
);
