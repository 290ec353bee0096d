-- How each model's latest reply in an org ended, so that people see which models work.
CREATE TABLE model_results (
  org_id text NOT NULL,
  model text NOT NULL,
  status text NOT NULL CHECK (status IN ('COMPLETED', 'FAILED')),
  error jsonb,
  at timestamptz(3) NOT NULL,
  PRIMARY KEY (org_id, model)
);
