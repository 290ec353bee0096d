-- The name by which a person is mentioned: one for each organisation they belong to. Null for a member
-- whom a process of an older version added, until a chore gives them one.
ALTER TABLE memberships ADD COLUMN IF NOT EXISTS handle text;

-- Handles share one namespace with the names of agents and MCP servers. Someone who leaves gives theirs back.
ALTER TABLE mention_names ADD COLUMN IF NOT EXISTS user_id text;
ALTER TABLE mention_names DROP CONSTRAINT IF EXISTS mention_names_org_id_user_id_fkey;
ALTER TABLE mention_names ADD CONSTRAINT mention_names_org_id_user_id_fkey
  FOREIGN KEY (org_id, user_id) REFERENCES memberships (org_id, user_id) ON DELETE CASCADE NOT VALID;

-- The members of the Project whom the body mentions.
ALTER TABLE messages ADD COLUMN IF NOT EXISTS mentioned_user_ids text[] NOT NULL DEFAULT '{}';

-- New transaction

CREATE UNIQUE INDEX IF NOT EXISTS mention_names_by_person ON mention_names (org_id, user_id);
CREATE INDEX IF NOT EXISTS memberships_by_handle ON memberships (org_id, handle);
CREATE INDEX IF NOT EXISTS memberships_without_handle ON memberships (org_id, user_id) WHERE handle IS NULL;

-- New transaction

-- The name in ASCII, or the address if nothing of it is left. Of people with the same name, the first to
-- join gets it as it is, and the others get a number.
INSERT INTO mention_names (org_id, name, user_id)
SELECT m.org_id,
  CASE m.nth WHEN 1 THEN m.base ELSE left(m.base, 31 - length(m.nth::text)) || '-' || m.nth END,
  m.user_id
FROM (
  SELECT w.org_id, w.user_id, w.base,
    row_number() OVER (PARTITION BY w.org_id, w.base ORDER BY w.joined_at, w.user_id) AS nth
  FROM (
    SELECT j.org_id, j.user_id, j.joined_at, CASE WHEN length(n.base) < 2 THEN 'member'
      WHEN n.base IN ('model', 'recall') THEN n.base || '-1' ELSE n.base END AS base
    FROM memberships j JOIN users u ON u.id = j.user_id
    CROSS JOIN LATERAL (
      SELECT btrim(left(btrim(regexp_replace(regexp_replace(
        translate(normalize(written.name, NFKD), 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz'),
        '[\u0300-\u036f''’]', '', 'g'), '[^a-z0-9]+', '-', 'g'), '-'), 32), '-') AS base
      FROM (VALUES (1, u.name), (2, split_part(u.email, '@', 1))) AS written (place, name)
      ORDER BY length(regexp_replace(written.name, '[^A-Za-z0-9]', '', 'g')) < 2, written.place LIMIT 1
    ) n
    WHERE j.handle IS NULL
  ) w
) m
ON CONFLICT DO NOTHING;

-- Whose name was taken by an agent, an MCP server or somebody else's number.
INSERT INTO mention_names (org_id, name, user_id)
SELECT m.org_id, 'member-' || right(m.user_id, 10), m.user_id FROM memberships m
WHERE NOT EXISTS (SELECT 1 FROM mention_names n WHERE n.org_id = m.org_id AND n.user_id = m.user_id)
ON CONFLICT DO NOTHING;

UPDATE memberships m SET handle = n.name FROM mention_names n
WHERE n.org_id = m.org_id AND n.user_id = m.user_id AND m.handle IS NULL;
