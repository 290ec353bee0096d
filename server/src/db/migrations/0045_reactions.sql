-- Any emoji can be a reaction, so their number needs a bound. The last release knows nine, and never reaches it.
-- Checked in the commit, under the session's lock, so people who react at the same time can't exceed it together.
ALTER TABLE messages ADD CONSTRAINT messages_reactions_check
  CHECK (jsonb_array_length(reactions) <= 20) NOT VALID;
