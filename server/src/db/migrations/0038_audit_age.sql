-- Entries older than AUDIT_DAYS are deleted, the oldest first.
CREATE INDEX IF NOT EXISTS audit_entries_by_age ON audit_entries (created_at);
