-- Raised in the commit of every write that changes what a list shows of the session or its messages,
-- so that a page read at this version is still true while the version is the same.
ALTER TABLE sessions ADD COLUMN version bigint NOT NULL DEFAULT 0;

-- What lists show of the table `reactions`, which stays the source: [{ emoji, userIds }] in the order
-- of their first reaction. Each reaction computes it again for its message.
ALTER TABLE messages ADD COLUMN reactions jsonb NOT NULL DEFAULT '[]';
UPDATE messages m SET reactions = listed.reactions FROM (
  SELECT grouped.org_id, grouped.message_id, jsonb_agg(
      jsonb_build_object('emoji', grouped.emoji, 'userIds', grouped.user_ids) ORDER BY grouped.first)
    AS reactions
  FROM (SELECT r.org_id, r.message_id, r.emoji, jsonb_agg(r.user_id ORDER BY r.position) AS user_ids,
      min(r.position) AS first
    FROM reactions r GROUP BY r.org_id, r.message_id, r.emoji) grouped
  GROUP BY grouped.org_id, grouped.message_id) listed
WHERE m.org_id = listed.org_id AND m.id = listed.message_id AND m.deleted_at IS NULL;
