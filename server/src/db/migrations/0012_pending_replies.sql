-- The mentions of a message that are still to be answered. Nothing is backfilled: questions asked
-- before this migration are answered within minutes, and show no pending reply until then.
ALTER TABLE messages ADD COLUMN pending_replies jsonb NOT NULL DEFAULT '[]';
