-- PROJECT: every member of the Project reads the session. PARTICIPANTS: only its participants do.
ALTER TABLE sessions ADD COLUMN IF NOT EXISTS access text NOT NULL DEFAULT 'PROJECT';

-- New transaction
-- Whoever leaves a Project or the org leaves its sessions in the same commit.
CREATE INDEX IF NOT EXISTS sessions_by_participant ON sessions USING gin (participant_user_ids);
