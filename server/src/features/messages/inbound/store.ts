import type { OrgDb, OrgTransaction } from '../../../db/types.ts';
import { ANSWERS_IN_PROJECT } from '../../../access/serving-agents.ts';
import { SERVES_PROJECT } from '../../../access/serving-mcp-servers.ts';
import { SERVING_MODELS } from '../../../access/serving-models.ts';
import { peopleIn, RAISE_VERSION, type PostingAccess } from '../store.ts';

/** Who answers in the session, and whom the handles name. People outside can't ask MCP servers. */
export async function findMentionable(
  { db, orgId }: OrgDb,
  sessionId: string,
  handles: readonly string[],
  isMember: boolean,
): Promise<Pick<PostingAccess, 'answeringNames' | 'people'> | undefined> {
  const [row] = await db.query<Pick<PostingAccess, 'answeringNames' | 'people'>>(
    `SELECT ARRAY(
         SELECT i.mention_slug FROM mcp_servers i WHERE i.org_id = $1 AND $4 AND ${SERVES_PROJECT}
         UNION ALL SELECT a.slug FROM agents a WHERE a.org_id = $1 AND ${ANSWERS_IN_PROJECT}
         UNION ALL SELECT m.slug FROM ${SERVING_MODELS} WHERE m.org_id = $1
       ) AS "answeringNames", ${peopleIn('$3')}
     FROM sessions s JOIN projects p ON p.org_id = $1 AND p.id = s.project_id
     WHERE s.org_id = $1 AND s.id = $2`,
    [orgId, sessionId, handles, isMember],
  );
  return row;
}

/** Who reacted in a chat system: their id there, and here if they are a member. */
export interface Reactor {
  externalId: string;
  userId: string | null;
}

export async function saveReaction(
  { db, orgId }: OrgDb,
  messageId: string,
  emoji: string,
  { externalId, userId }: Reactor,
): Promise<void> {
  await db.query(
    `INSERT INTO external_reactions (org_id, message_id, emoji, author_id, user_id)
     SELECT m.org_id, m.id, $3, $4, $5 FROM messages m
     WHERE m.org_id = $1 AND m.id = $2 AND m.deleted_at IS NULL
     ON CONFLICT (org_id, message_id, emoji, author_id) DO NOTHING`,
    [orgId, messageId, emoji, externalId, userId],
  );
}

export async function dropReaction(
  { db, orgId }: OrgDb,
  messageId: string,
  emoji: string,
  { externalId }: Pick<Reactor, 'externalId'>,
): Promise<void> {
  await db.query(
    `DELETE FROM external_reactions
     WHERE org_id = $1 AND message_id = $2 AND emoji = $3 AND author_id = $4`,
    [orgId, messageId, emoji, externalId],
  );
}

export function listExternalReactions(
  { db, orgId }: OrgDb,
  messageId: string,
): Promise<{ emoji: string; externalId: string }[]> {
  return db.query(
    `SELECT emoji, author_id AS "externalId" FROM external_reactions
     WHERE org_id = $1 AND message_id = $2`,
    [orgId, messageId],
  );
}

/** Before other statements of the commit: whoever deletes the message waits for it, or was first. */
export function raiseVersionAtCommit(
  { db, orgId }: OrgTransaction,
  { sessionId }: { sessionId: string },
): void {
  db.atCommit(RAISE_VERSION, [orgId, sessionId], { order: 'last' });
}

/** With the blank line before it, if nothing takes its place. */
export function replaceTextAtCommit(
  { db, orgId }: OrgTransaction,
  { id }: { id: string },
  { text, by }: { text: string; by: string },
): void {
  db.atCommit(
    `UPDATE messages SET body = ltrim(replace(
       CASE WHEN $4 = '' THEN replace(body, E'\\n\\n' || $3, '') ELSE body END, $3, $4), E'\\n')
     WHERE org_id = $1 AND id = $2 AND deleted_at IS NULL AND strpos(body, $3) > 0`,
    [orgId, id, text, by],
    { order: 'last' },
  );
}

export function markWithFilesAtCommit({ db, orgId }: OrgTransaction, { id }: { id: string }): void {
  db.atCommit(
    'UPDATE messages SET has_files = true WHERE org_id = $1 AND id = $2 AND deleted_at IS NULL',
    [orgId, id],
    { order: 'last' },
  );
}

/** What `@model` stands for in a session. */
export async function findChoices({ db, orgId }: OrgDb, sessionId: string): Promise<Choices> {
  const [row] = await db.query<Choices>(
    `SELECT s.model, s.default_agent AS "defaultAgent", p.default_agent AS "projectDefaultAgent"
     FROM sessions s JOIN projects p ON p.org_id = $1 AND p.id = s.project_id
     WHERE s.org_id = $1 AND s.id = $2`,
    [orgId, sessionId],
  );
  return row ?? { model: null, defaultAgent: null, projectDefaultAgent: null };
}

interface Choices {
  model: string | null;
  defaultAgent: string | null;
  projectDefaultAgent: string | null;
}
