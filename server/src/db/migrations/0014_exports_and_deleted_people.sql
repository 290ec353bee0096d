-- Exports that are running: the organisation's own (subject 'ORG') and people's (subject: the user id). A
-- process that ends early leaves its row, which counts no longer once it has expired.
CREATE TABLE running_exports (
  org_id text NOT NULL REFERENCES orgs (id),
  subject text NOT NULL,
  lease_token text NOT NULL,
  started_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (org_id, subject)
);

-- Set when the person deletes their account. The row stays, without name and address, for what they wrote.
ALTER TABLE users ADD COLUMN deleted_at timestamptz(3);
