-- Finds the memories whose token vectors are of another model, as memories_by_model does for vectors.
CREATE INDEX IF NOT EXISTS memories_by_token_model ON memories (token_model, org_id);
