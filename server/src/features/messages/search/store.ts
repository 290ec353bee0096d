import type { Role, UserContext } from '../../../core/context.ts';
import { NO_ID } from '../../../db/no-id.ts';
import { plannedForValues, queryWith } from '../../../db/query-with.ts';
import type { OrgDb, Queryable } from '../../../db/types.ts';
import { callerOf, IS_PROJECT_MEMBER } from '../../../access/standing.ts';
import { CAN_READ_SESSION, ONLY_READERS } from '../../../access/readable.ts';
import type { SearchMessages, Thread } from '../schema.ts';
import { MESSAGE_COLUMNS, type MessageRow } from '../store.ts';
import { keysInSession } from './keys.ts';

/** The person on whose behalf messages are searched, or an agent. */
export interface MessageReader {
  orgId: string;
  /** Null for an agent. */
  userId: string | null;
  role: Role;
  /** Only these Projects. Null: all Projects the reader is a member of. */
  projectIds: string[] | null;
  /** A session of theirs that the reader may read, whoever else may: the one that an agent answers in. */
  sessionId: string | null;
}

export type MessageFilter = Omit<SearchMessages, 'query' | 'limit'>;

/** Whether the reader may see messages of session s of Project p, with the parameters of `readerParameters`. */
export const MAY_READ = `(($4::text[] IS NULL OR p.id = ANY ($4)) AND (${CAN_READ_SESSION} OR s.id = $5))`;

export interface FoundMessage extends MessageRow, Pick<Thread, 'session' | 'project'> {
  /** The person's name, or the agent's slug. */
  author: string;
}

/** These messages, without those that the reader can't see or that were deleted or put aside meanwhile. */
export async function readFound(
  db: Queryable,
  reader: MessageReader,
  ids: readonly string[],
): Promise<Map<string, FoundMessage>> {
  const rows = await queryWith<FoundMessage>(
    db,
    plannedForValues(db),
    `SELECT ${MESSAGE_COLUMNS}, coalesce(u.name, m.agent_slug, m.external_author->>'name') AS author,
       jsonb_build_object('id', s.id, 'name', s.name, 'title', s.title) AS session,
       jsonb_build_object('id', p.id, 'slug', p.slug, 'name', p.name) AS project
     FROM messages m
     JOIN sessions s ON s.org_id = $1 AND s.id = m.session_id
     JOIN projects p ON p.org_id = $1 AND p.id = s.project_id
     LEFT JOIN users u ON u.id = m.author_user_id
     WHERE m.org_id = $1 AND m.id = ANY ($6) AND m.deleted_at IS NULL
       AND m.inactive_branch_id IS NULL AND ${MAY_READ}`,
    [...readerParameters(reader), ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** True if the org has messages that no search finds yet. */
export async function hasUnindexed({ db, orgId }: OrgDb): Promise<boolean> {
  const rows = await db.sharedRead(
    'SELECT 1 AS found FROM messages WHERE org_id = $1 AND search_keys IS NULL LIMIT 1',
    [orgId],
  );
  return rows.length > 0;
}

/** The Project and session of a filter. */
export interface FilterPlace {
  isMember: boolean;
  /** Null if the Project has no session that the caller may read by this id. */
  foundSessionId: string | null;
}

export async function findFilterPlace(
  ctx: UserContext,
  { projectId, sessionId }: Pick<MessageFilter, 'projectId' | 'sessionId'>,
): Promise<FilterPlace | undefined> {
  const [row] = await ctx.db.sharedRead<FilterPlace>(
    `SELECT ${IS_PROJECT_MEMBER} AS "isMember", s.id AS "foundSessionId" FROM projects p
     LEFT JOIN sessions s ON s.org_id = $1 AND s.project_id = p.id AND s.id = $5 AND ${CAN_READ_SESSION}
     WHERE p.org_id = $1 AND p.id = coalesce($4, (
       SELECT s.project_id FROM sessions s WHERE s.org_id = $1 AND s.id = $5
         AND (${ONLY_READERS} IS NULL OR $2 = ANY (${ONLY_READERS}))))`,
    [...callerOf(ctx), projectId ?? null, sessionId ?? NO_ID],
  );
  return row;
}

export interface UnindexedMessage {
  id: string;
  body: string;
  /** Of the body, so that an edit in between is noticed. */
  digest: string;
}

/** The newest first: they are searched for most. */
export function listUnindexed(
  db: Queryable,
  orgId: string,
  limit: number,
): Promise<UnindexedMessage[]> {
  return db.query<UnindexedMessage>(
    `SELECT id, body, md5(body) AS digest FROM messages
     WHERE org_id = $1 AND search_keys IS NULL ORDER BY created_at DESC LIMIT $2`,
    [orgId, limit],
  );
}

export interface IndexedMessage extends Pick<UnindexedMessage, 'id' | 'digest'> {
  hashes: readonly number[];
}

export async function saveKeys(
  db: Queryable,
  orgId: string,
  messages: readonly IndexedMessage[],
): Promise<void> {
  await db.query(
    `UPDATE messages SET search_keys = ${keysInSession('indexed.hashes', 'messages.session_id', 'messages.created_at')}
     FROM unnest($2::text[], $3::text[], $4::text[]) AS indexed (id, digest, hashes)
     WHERE messages.org_id = $1 AND messages.id = indexed.id AND messages.search_keys IS NULL
       AND md5(messages.body) = indexed.digest`,
    [
      orgId,
      messages.map(({ id }) => id),
      messages.map(({ digest }) => digest),
      messages.map(({ hashes }) => `{${hashes.join(',')}}`),
    ],
  );
}

/** Hops along an index from one org to the next, so that many messages cost no more than one. */
export async function listOrgsToIndex(db: Queryable): Promise<string[]> {
  const found: string[] = [];
  for (;;) {
    const [next] = await db.query<{ orgId: string }>(
      `/* all orgs */ SELECT org_id AS "orgId" FROM messages
       WHERE search_keys IS NULL AND org_id > $1 ORDER BY org_id LIMIT 1`,
      [found.at(-1) ?? ''],
    );
    if (!next) return found;
    found.push(next.orgId);
  }
}

export function readerParameters(reader: MessageReader): unknown[] {
  const { orgId, userId, role, projectIds, sessionId } = reader;
  return [orgId, userId, role, projectIds, sessionId];
}
