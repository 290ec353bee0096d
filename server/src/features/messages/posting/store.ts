import type { UserContext } from '../../../core/context.ts';
import type { ExplainFailure, Queryable, Statement, Transaction } from '../../../db/types.ts';
import { isoTime } from '../../../db/utc-time.ts';
import { isViolation } from '../../../db/transactions/violations.ts';
import { callerOf } from '../../../access/standing.ts';
import { canReadSession, WITH_CALLER } from '../../../access/readable.ts';
import { findBase, keepBase } from '../search/bases.ts';
import { keyParts, keysFrom, keysOf } from '../search/keys.ts';
import { COUNT_REPLY, PLACE_IN_SESSION, TAKEN_POSITION, type NewMessage } from '../store.ts';

export interface Posted {
  projectId: string;
}

// CAN_READ_SESSION with a role that the planner can't see through. If it could, it would find a cheaper plan
// for each role and make one for every post, which takes longer than the post itself.
const CAN_POST = canReadSession('$2', 'CASE WHEN s.archived_at IS NULL THEN $3::text END');

const TAKE_POSITION = `UPDATE sessions s SET last_position = s.last_position + 1, last_message_at = $6,
    version = s.version + 1, participant_user_ids = ${WITH_CALLER}
  FROM projects p
  WHERE s.org_id = $1 AND s.id = $5 AND s.archived_at IS NULL
    AND p.org_id = $1 AND p.id = s.project_id AND p.slug = $4 AND p.archived_at IS NULL
    AND ${CAN_POST}
  RETURNING s.project_id AS "projectId"`;

const INSERT = `INSERT INTO messages (org_id, author_user_id, session_id, created_at, parent_message_id,
    id, body, mentions, mentioned_user_ids, pending_replies, search_keys, position,
    author_kind, status, citations, tool_calls)`;
const CONSTANTS = `'USER', 'COMPLETED', '[]', '[]'`;

const IN_PARENTS_THREAD = `EXISTS (SELECT 1 FROM messages parent WHERE parent.org_id = $1
  AND parent.id = $5 AND parent.session_id = $3 AND parent.parent_message_id IS NULL)`;

/** With a parent, it has to be a top-level message of the session. */
const insertion = (isReply: boolean, keys: string) => `${INSERT}
  SELECT $1, $2, $3, $4::timestamptz, $5, $6, $7, $8::text[], $9::text[], $10::jsonb, ${keys},
    ${isReply ? `CASE WHEN ${IN_PARENTS_THREAD} THEN ${TAKEN_POSITION} END` : TAKEN_POSITION}, ${CONSTANTS}
  FROM ${PLACE_IN_SESSION}`;
/** With the keys if their base is known here, or else with the hashes, which tells the base. */
const insertions = (isReply: boolean) => ({
  withKeys: insertion(isReply, '$11::bigint[]'),
  withHashes: `${insertion(isReply, keysOf('$11', `(SELECT ${keyParts('$4::timestamptz')}) AS parts`))}
    RETURNING search_keys[1]::text AS base`,
});
const INSERT_MESSAGE = insertions(false);
const INSERT_REPLY = insertions(true);

/** Most posts in a busy session. One statement costs the database about a tenth less than the two. */
const TAKE_POSITION_AND_INSERT = `WITH place AS (${TAKE_POSITION}, s.last_position)
  ${INSERT}
  VALUES ($1, $2, $5, $6, NULL, $7, $8, $9, $10, $11, $12, (SELECT last_position FROM place), ${CONSTANTS})
  RETURNING (SELECT "projectId" FROM place) AS "projectId"`;

/**
 * Takes the session's next position and inserts, in the last statements before COMMIT. This keeps the lock
 * on the session short and the positions in commit order. Whoever may not post there takes no position, so
 * that the message has none, or one that is taken; `refuse` then finds out why.
 */
export function insertAtCommit(
  ctx: UserContext & { db: Transaction },
  slug: string,
  message: NewMessage,
  { refuse, posted }: { refuse: (db: Queryable) => Promise<Error>; posted: (at: Posted) => void },
): void {
  const { sessionId, parentMessageId } = message;
  const createdAt = isoTime(message.createdAt);
  const base = findBase(ctx.orgId, sessionId);
  const content = [
    message.id,
    message.body,
    message.mentions,
    message.mentionedUserIds,
    JSON.stringify(message.pendingReplies),
    base === undefined ? message.hashes : keysFrom(base, message.hashes),
  ];
  const texts = parentMessageId === null ? INSERT_MESSAGE : INSERT_REPLY;
  const take: Statement = {
    text: TAKE_POSITION,
    values: [...callerOf(ctx), slug, sessionId, createdAt],
  };
  const insert: Statement = {
    text: base === undefined ? texts.withHashes : texts.withKeys,
    values: [ctx.orgId, ctx.actor.userId, sessionId, createdAt, parentMessageId, ...content],
  };
  const tellPlace = ([row]: readonly object[]) => posted(row as Posted);
  const explain: ExplainFailure = (error, db) => (hasNoPosition(error) ? refuse(db) : undefined);
  if (base !== undefined && parentMessageId === null) {
    ctx.db.atCommit(TAKE_POSITION_AND_INSERT, [...take.values, ...content], {
      apart: [take, insert],
      explain,
      returned: tellPlace,
      last: true,
      waitsFor: `${sessionId}/`,
    });
    return;
  }
  ctx.db.atCommit(take.text, take.values, {
    returned: tellPlace,
    last: true,
    waitsFor: `${sessionId}/${parentMessageId ?? ''}`,
  });
  if (parentMessageId !== null) {
    ctx.db.atCommit(COUNT_REPLY, [ctx.orgId, parentMessageId, sessionId], {
      last: true,
      waitsFor: '',
    });
  }
  ctx.db.atCommit(insert.text, insert.values, {
    explain,
    returned: ([row]) => {
      if (row) keepBase(ctx.orgId, sessionId, BigInt((row as { base: string }).base));
    },
    last: true,
    waitsFor: '',
  });
}

function hasNoPosition(error: unknown): boolean {
  return isViolation(error, 'noPosition') || isViolation(error, 'positionTaken');
}
