import type { Role } from '../../../core/context.ts';
import type { ExplainFailure, OrgTransaction, Queryable } from '../../../db/types.ts';
import { isViolation } from '../../../db/transactions/violations.ts';
import { withoutWriter } from '../../../access/following.ts';
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

// In every statement: $1 is the org, $2 the session, $3 the author, or null, $4 the time, $5 the parent.
const FIRST_FIELD = 5;
const FIELDS = Object.entries(WRITTEN_COLUMNS).map(([name, [column, type]], at) => {
  const field = name as Field;
  const blank: Partial<WrittenFields> = { ...BLANK_MESSAGE, hasFiles: false };
  const constant = `${constantOf(blank[field] ?? null, type)}::${type}`;
  return { field, column, type, constant, bit: 1 << at };
});

function constantOf(blank: unknown, type: string): string {
  if (blank === null) return 'NULL';
  if (typeof blank === 'boolean') return String(blank);
  if (type === 'jsonb') return `'${JSON.stringify(blank)}'`;
  return typeof blank === 'string' ? `'${blank}'` : "'{}'";
}

/** Locks the session until the commit, so that positions are in commit order. */
const takePosition = (condition: string) => `UPDATE sessions s
  SET last_position = s.last_position + 1, last_message_at = $4, version = s.version + 1,
    participant_user_ids = ${withParticipant('$3')}, left_user_ids = ${withoutWriter('$3')}
  FROM projects p
  WHERE s.org_id = $1 AND s.id = $2 AND p.org_id = $1 AND p.id = s.project_id AND ${condition}
  RETURNING s.project_id AS "projectId"`;

// The role is one that the planner can't see through. If it could, it would find a cheaper plan for each role
// and make one for every post, which takes longer than the post itself.
const callerMayPost = (slug: string, role: string) => `s.archived_at IS NULL AND p.slug = ${slug}
  AND p.archived_at IS NULL
  AND ${canReadSession('$3', `CASE WHEN s.archived_at IS NULL THEN ${role}::text END`)}`;

/**
 * The position that the statement before has taken. If it took none, because the message may not be posted
 * there, this is the last message's, which a constraint refuses: messages are never removed, so every position
 * up to it is in use. 0 is a session without messages, and null one that does not exist: NOT NULL refuses both.
 */
const TAKEN_POSITION = 'nullif(s.last_position, 0)';

/** What a caller names as parent has to be a top-level message that is shown. If not, there is no position. */
const TAKEN_IN_THREAD = `CASE WHEN EXISTS (SELECT 1 FROM messages parent WHERE parent.org_id = $1
  AND parent.id = $5 AND parent.session_id = $2 AND parent.parent_message_id IS NULL
  AND parent.inactive_branch_id IS NULL)
  THEN ${TAKEN_POSITION} END`;

interface Statements {
  take: string;
  /** With the keys if their base is known here, or else with the hashes, which tells the base. */
  insertWithKeys: string;
  insertWithHashes: string;
  /** Most posts in a busy session. One statement costs the database about a tenth less than the two. */
  takeAndInsert: string;
}

/** The condition on session s and Project p, the position, and the statements by the fields that they set. */
const FORMS = {
  any: formOf(() => 'true', TAKEN_POSITION),
  open: formOf(() => 's.archived_at IS NULL AND p.archived_at IS NULL', TAKEN_POSITION),
  caller: formOf(callerMayPost, TAKEN_POSITION),
  callersThread: formOf(callerMayPost, TAKEN_IN_THREAD),
};

function formOf(condition: (slug: string, role: string) => string, position: string) {
  return { condition, position, made: new Map<number, Statements>() };
}

/** `sent` has a bit for each field that is a parameter. The others are constants, which cost nothing. */
function makeStatements({ condition, position }: (typeof FORMS)['any'], sent: number): Statements {
  let last = FIRST_FIELD - 1;
  const fields = FIELDS.map(({ type, constant, bit }) =>
    sent & bit ? `$${++last}::${type}` : constant,
  );
  const keys = `$${last + 1}`;
  const insert = `INSERT INTO messages (org_id, session_id, author_user_id, created_at,
    ${FIELDS.map(({ column }) => column).join(', ')}, search_keys, position)`;
  const values = `$1::text, $2::text, $3::text, $4::timestamptz, ${fields.join(', ')}`;
  const insertBehind = (keysText: string) => `${insert} SELECT ${values}, ${keysText}, ${position}
    FROM (SELECT 1) one LEFT JOIN sessions s ON s.org_id = $1 AND s.id = $2`;
  return {
    take: takePosition(condition('$5', '$6')),
    insertWithKeys: insertBehind(`${keys}::bigint[]`),
    insertWithHashes: `${insertBehind(keysOf(keys, `(SELECT ${keyParts('$4::timestamptz')}) AS parts`))}
      RETURNING search_keys[1]::text AS base`,
    takeAndInsert: `WITH place AS (
        ${takePosition(condition(`$${last + 2}`, `$${last + 3}`))}, s.last_position)
      ${insert} VALUES (${values}, ${keys}::bigint[], (SELECT last_position FROM place))
      RETURNING (SELECT "projectId" FROM place) AS "projectId"`,
  };
}

const COUNT_REPLY = `UPDATE messages SET reply_count = reply_count + 1
  WHERE org_id = $1 AND id = $2 AND session_id = $3 AND parent_message_id IS NULL`;

/**
 * The only way a message is written: takes the session's next position and inserts, in the last statements
 * before COMMIT. `explain` has to say why, if there was no position: see `unplaced`.
 */
export function insertMessage(
  { db, orgId }: OrgTransaction,
  message: NewMessage,
  {
    place,
    explain,
    posted,
  }: { place: Place; explain: ExplainFailure; posted?: (at: Posted) => void },
): void {
  const { sessionId, parentMessageId, authorUserId = null, hashes } = message;
  const fields = readFields(message);
  const texts = statementsFor(formFor(place, parentMessageId), fields.sent);
  const common = [orgId, sessionId, authorUserId, message.createdAt];
  const conditionValues = typeof place === 'string' ? [] : [place.slug, place.role];
  const base = findBase(orgId, sessionId);
  const keys = base === undefined ? hashes : keysFrom(base, hashes);
  const take = { text: texts.take, values: [...common, ...conditionValues] };
  const insert = {
    text: base === undefined ? texts.insertWithHashes : texts.insertWithKeys,
    values: [...common, ...fields.values, keys],
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

function formFor(place: Place, parentMessageId: string | null): (typeof FORMS)['any'] {
  if (place === 'any session') return FORMS.any;
  if (place === 'open session') return FORMS.open;
  return parentMessageId === null ? FORMS.caller : FORMS.callersThread;
}

function statementsFor(form: (typeof FORMS)['any'], sent: number): Statements {
  const known = form.made.get(sent);
  if (known) return known;
  const made = makeStatements(form, sent);
  form.made.set(sent, made);
  return made;
}

/** The driver would send an array as a PostgreSQL array, so JSON is sent as text. */
function readFields(message: NewMessage): { sent: number; values: unknown[] } {
  let sent = 0;
  const values: unknown[] = [];
  for (const { field, type, bit } of FIELDS) {
    const value = message[field];
    if (value === undefined) continue;
    sent |= bit;
    values.push(type === 'jsonb' && value !== null ? JSON.stringify(value) : value);
  }
  return { sent, values };
}

/** For a message that has no position, or one that is taken: it may not be posted there. */
export function unplaced(refuse: (db: Queryable) => Error | Promise<Error>): ExplainFailure {
  return (error, db) =>
    isViolation(error, 'noPosition') || isViolation(error, 'positionTaken')
      ? refuse(db)
      : undefined;
}
