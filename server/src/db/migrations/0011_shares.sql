-- What one person or one org may have, so that nobody multiplies their share.

ALTER TABLE orgs
  -- The person who made it. Null for an org made by an operator: it counts against nobody. No reference:
  -- users refer to orgs, and are never deleted.
  ADD COLUMN IF NOT EXISTS created_by_id text,
  -- Whether the free plan brings credits every month: not to the second org that a person makes.
  ADD COLUMN IF NOT EXISTS has_free_credits boolean NOT NULL DEFAULT true;

-- New transaction

-- An org that a person made has its making as the first entry of its audit log. Orgs of open sign-up
-- have no such entry, and look like those of an operator. All existing orgs keep their free credits.
UPDATE orgs o SET created_by_id = first.actor_user_id
FROM orgs made CROSS JOIN LATERAL (
  SELECT a.action, a.actor_user_id FROM audit_entries a
  WHERE a.org_id = made.id ORDER BY a.position LIMIT 1
) first
WHERE o.id = made.id AND o.created_by_id IS NULL AND first.action = 'org.created';

CREATE INDEX IF NOT EXISTS orgs_by_creator ON orgs (created_by_id) WHERE created_by_id IS NOT NULL;

-- One row for each invitation mail of the last 24 hours, whatever became of the invitation.
CREATE TABLE invitation_mails (
  org_id text NOT NULL REFERENCES orgs,
  position bigint GENERATED ALWAYS AS IDENTITY,
  -- HMAC of the address under the secrets key: nobody can test addresses against it without the key.
  address_hash bytea NOT NULL,
  sent_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (org_id, position)
);
CREATE INDEX invitation_mails_by_org ON invitation_mails (org_id, sent_at);
CREATE INDEX invitation_mails_by_address ON invitation_mails (address_hash, sent_at);
CREATE INDEX invitation_mails_by_age ON invitation_mails (sent_at);
