-- Whether a mapped channel may be private: PUBLIC, CLOSED until an OWNER or ADMIN confirms it, or ALLOWED.
ALTER TABLE channel_mappings ADD COLUMN IF NOT EXISTS privacy text NOT NULL DEFAULT 'PUBLIC';
-- The replies that were asked for in the channel within the last minute, for its quota.
ALTER TABLE channel_mappings ADD COLUMN IF NOT EXISTS answered jsonb NOT NULL DEFAULT '[]';

-- New transaction
-- What an OWNER or ADMIN mapped stays mapped. A private channel that a MEMBER mapped is closed when it is served.
UPDATE channel_mappings c SET privacy = 'ALLOWED' FROM memberships m
WHERE m.org_id = c.org_id AND m.user_id = c.created_by_id AND m.role <> 'MEMBER';
