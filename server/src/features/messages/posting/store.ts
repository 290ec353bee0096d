import type { Role } from '../../../core/context.ts';
import type { ExplainFailure, Queryable, Transaction } from '../../../db/types.ts';
import { isViolation } from '../../../db/transactions/violations.ts';
import { canReadSession, withParticipant } from '../../../access/readable.ts';
import { findBase, keepBase } from '../search/bases.ts';
import { keyParts, keysFrom, keysOf } from '../search/keys.ts';
import { BLANK_MESSAGE, WRITTEN_COLUMNS, type MessageRow, type WrittenFields } from '../store.ts';
import { joinThreadAtCommit } from '../threads/store.ts';

type Field = keyof typeof WRITTEN_COLUMNS;

export type NewMessage = Partial<Pick<WrittenFields, Field | 'authorUserId'>> &
  Pick<MessageRow, 'id' | 'sessionId' | 'parentMessageId' | 'body'> & {
    createdAt: Date | string;
    /** Of the body's terms, for searches. */
    hashes: readonly number[];
  };

/**
 * Where a message may be posted: by a caller, to an open session of this Project that they may read; to any open
 * session; or to any session at all.
 */
export type Place = { slug: string; role: Role } | 'open session' | 'any session';

export interface Posted {
  projectId: string;
}

// In every statement: $1 is the org, $2 the session, $3 the author, or null, $4 the time.
const FIRST_FIELD = 5;
const FIELDS = Object.entries(WRITTEN_COLUMNS).map(([field, [column, type]], at) => ({
  field: field as Field,
  column,
  isJson: type === 'jsonb',
  value: `$${FIRST_FIELD + at}::${type}`,
}));
const PARENT = FIELDS.find(({ field }) => field === 'parentMessageId')?.value;
const AFTER_FIELDS = FIRST_FIELD + FIELDS.length;
const KEYS = `$${AFTER_FIELDS}`;

/** The condition on session s and Project p, whose own parameters begin with this number. */
const CONDITIONS = {
  any: () => 'true',
  open: () => 's.archived_at IS NULL AND p.archived_at IS NULL',
  // The role is one that the planner can't see through. If it could, it would find a cheaper plan for each
  // role and make one for every post, which takes longer than the post itself.
  caller: (first: number) => `s.archived_at IS NULL AND p.slug = $${first} AND p.archived_at IS NULL
    AND ${canReadSession('$3', `CASE WHEN s.archived_at IS NULL THEN $${first + 1}::text END`)}`,
};

/** Locks the session until the commit, so that positions are in commit order. */
const takePosition = (condition: string) => `UPDATE sessions s
  SET last_position = s.last_position + 1, last_message_at = $4, version = s.version + 1,
    participant_user_ids = ${withParticipant('$3')}
  FROM projects p
  WHERE s.org_id = $1 AND s.id = $2 AND p.org_id = $1 AND p.id = s.project_id AND ${condition}
  RETURNING s.project_id AS "projectId"`;

const INSERT = `INSERT INTO messages (org_id, session_id, author_user_id, created_at,
    ${FIELDS.map(({ column }) => column).join(', ')}, search_keys, position)`;
const VALUES = `$1::text, $2::text, $3::text, $4::timestamptz, ${FIELDS.map(({ value }) => value).join(', ')}`;

/**
 * The position that the statement before has taken. If it took none, because the message may not be posted
 * there, this is the last message's, which a constraint refuses: messages are never removed, so every position
 * up to it is in use. 0 is a session without messages, and null one that does not exist: NOT NULL refuses both.
 */
const TAKEN_POSITION = 'nullif(s.last_position, 0)';

/** What a caller names as parent has to be a top-level message of the session. If not, there is no position. */
const TAKEN_IN_THREAD = `CASE WHEN EXISTS (SELECT 1 FROM messages parent WHERE parent.org_id = $1
  AND parent.id = ${PARENT} AND parent.session_id = $2 AND parent.parent_message_id IS NULL)
  THEN ${TAKEN_POSITION} END`;

/** With the keys if their base is known here, or else with the hashes, which tells the base. */
const insertions = (position: string) => ({
  withKeys: insertion(position, `${KEYS}::bigint[]`),
  withHashes: `${insertion(position, keysOf(KEYS, `(SELECT ${keyParts('$4::timestamptz')}) AS parts`))}
    RETURNING search_keys[1]::text AS base`,
});

function insertion(position: string, keys: string): string {
  return `${INSERT} SELECT ${VALUES}, ${keys}, ${position}
    FROM (SELECT 1) one LEFT JOIN sessions s ON s.org_id = $1 AND s.id = $2`;
}

const INSERTIONS = insertions(TAKEN_POSITION);
const INSERTIONS_IN_THREAD = insertions(TAKEN_IN_THREAD);

/** Most posts in a busy session. One statement costs the database about a tenth less than the two. */
const takeAndInsert = (
  condition: string,
) => `WITH place AS (${takePosition(condition)}, s.last_position)
  ${INSERT}
  VALUES (${VALUES}, ${KEYS}::bigint[], (SELECT last_position FROM place))
  RETURNING (SELECT "projectId" FROM place) AS "projectId"`;

const textsOf = (condition: (first: number) => string) => ({
  take: takePosition(condition(FIRST_FIELD)),
  takeAndInsert: takeAndInsert(condition(AFTER_FIELDS + 1)),
});
const TEXTS = {
  any: textsOf(CONDITIONS.any),
  open: textsOf(CONDITIONS.open),
  caller: textsOf(CONDITIONS.caller),
};

const COUNT_REPLY = `UPDATE messages SET reply_count = reply_count + 1
  WHERE org_id = $1 AND id = $2 AND session_id = $3 AND parent_message_id IS NULL`;

/**
 * The only way a message is written: takes the session's next position and inserts, in the last statements
 * before COMMIT. `explain` has to say why, if there was no position: see `unplaced`.
 */
export function insertMessage(
  { db, orgId }: { db: Transaction; orgId: string },
  message: NewMessage,
  {
    place,
    explain,
    posted,
  }: { place: Place; explain: ExplainFailure; posted?: (at: Posted) => void },
): void {
  const { sessionId, parentMessageId, authorUserId = null, hashes } = message;
  const common = [orgId, sessionId, authorUserId, message.createdAt];
  const [texts, insertionTexts, conditionValues] = formsFor(place, parentMessageId);
  const base = findBase(orgId, sessionId);
  const take = { text: texts.take, values: [...common, ...conditionValues] };
  const insert = {
    text: base === undefined ? insertionTexts.withHashes : insertionTexts.withKeys,
    values: [
      ...common,
      ...fieldValues(message),
      base === undefined ? hashes : keysFrom(base, hashes),
    ],
  };
  const isLocking = { order: 'last', lock: sessionId } as const;
  const returned = ([row]: readonly object[]) => posted?.(row as Posted);
  if (base !== undefined && parentMessageId === null) {
    const values = [...insert.values, ...conditionValues];
    const onCitus = [take, insert];
    db.atCommit(texts.takeAndInsert, values, { ...isLocking, onCitus, explain, returned });
    return;
  }
  db.atCommit(take.text, take.values, { ...isLocking, returned });
  if (parentMessageId !== null) {
    db.atCommit(COUNT_REPLY, [orgId, parentMessageId, sessionId], isLocking);
  }
  db.atCommit(insert.text, insert.values, {
    explain,
    returned: ([row]) => {
      if (row) keepBase(orgId, sessionId, BigInt((row as { base: string }).base));
    },
    order: 'last',
    lock: '',
  });
  if (parentMessageId !== null && message.authorKind !== 'AGENT') {
    joinThreadAtCommit({ db, orgId }, { sessionId, parentMessageId, authorUserId });
  }
}

function formsFor(place: Place, parentMessageId: string | null) {
  if (place === 'any session') return [TEXTS.any, INSERTIONS, []] as const;
  if (place === 'open session') return [TEXTS.open, INSERTIONS, []] as const;
  const insertionTexts = parentMessageId === null ? INSERTIONS : INSERTIONS_IN_THREAD;
  return [TEXTS.caller, insertionTexts, [place.slug, place.role]] as const;
}

/** The driver would send an array as a PostgreSQL array, so JSON is sent as text. */
function fieldValues(message: NewMessage): unknown[] {
  const blank: Partial<WrittenFields> = BLANK_MESSAGE;
  return FIELDS.map(({ field, isJson }) => {
    const value = message[field] ?? blank[field] ?? null;
    return isJson && value !== null ? JSON.stringify(value) : value;
  });
}

/** For a message that has no position, or one that is taken: it may not be posted there. */
export function unplaced(refuse: (db: Queryable) => Error | Promise<Error>): ExplainFailure {
  return (error, db) =>
    isViolation(error, 'noPosition') || isViolation(error, 'positionTaken')
      ? refuse(db)
      : undefined;
}
