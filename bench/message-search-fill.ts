import { keysInSession } from '../server/src/features/messages/search/keys.ts';
import { PERIOD_MESSAGES } from '../server/src/features/messages/search/periods/service.ts';
import { hashTerm, saltOf } from '../server/src/text/words/lexical.ts';
import type { Stage } from './stage.ts';

export const VOCABULARY = 20_000;
/** In each message. */
export const WORDS = 12;
export const PROJECTS = 20;
export const SESSIONS = 2_000;
/** Private sessions of the owner, beside the others, with no messages of their own. */
const PRIVATE_SESSIONS = 200;
const DAYS = 730;
const AT_ONCE = 50_000;
/** Beside the large one, so that it is not of average size: plans that PostgreSQL keeps are for such. */
const SMALL_ORGS = 2_000;
const MESSAGES_OF_EACH = 15;

/** A rank that is log-uniform: the first word is in half of the messages, the last in one of 20,000. */
export const anyRank = () => Math.floor(VOCABULARY ** Math.random()) - 1;
export const word = (nth: number) => `word${nth}x`;
export const sessionId = (nth: number) => `c${String(nth).padStart(24, '0')}`;

const KEYS_INDEX = `CREATE INDEX messages_by_search_key ON messages USING gin (search_keys)
  WITH (fastupdate = off)`;

/**
 * Messages of two years, with words as by `anyRank`. Unsearchable ones are as before there was a search of
 * messages.
 */
export async function fillMessages(
  { db, orgId, userId }: Stage,
  count: number,
  { searchable }: { searchable: boolean },
): Promise<void> {
  await db.query('DROP INDEX messages_by_search_key');
  if (!searchable) await db.query('DROP INDEX messages_to_index');
  await db.query(
    `INSERT INTO projects (org_id, id, slug, name, tags, access, created_by_id, created_at)
     SELECT $1, 'cproject' || n, 'bench-' || n, 'Bench', '{}', CASE WHEN n % 4 = 0 THEN 'MEMBERS' ELSE 'ORG' END,
       $2, now() - $4 * interval '1 day' FROM generate_series(0, $3::int - 1) n`,
    [orgId, userId, PROJECTS, DAYS],
  );
  await db.query(
    `INSERT INTO sessions (org_id, id, project_id, name, participant_user_ids, created_by_id, last_position, created_at)
     SELECT $1, 'c' || lpad(n::text, 24, '0'), 'cproject' || n % $3, 's', '{}', $2, $4::int / $5::int + 1, now() - $6 * interval '1 day'
     FROM generate_series(0, $5::int - 1) n`,
    [orgId, userId, PROJECTS, count, SESSIONS, DAYS],
  );
  await db.query(
    `INSERT INTO sessions (org_id, id, project_id, name, access, participant_user_ids, created_by_id, created_at, last_message_at)
     SELECT $1, 'cprivate' || n, 'cproject1', 's', 'PARTICIPANTS', ARRAY[$2], $2,
       now() - n::float8 / $3 * $4 * interval '1 day', now() - n::float8 / $3 * $4 * interval '1 day' + interval '7 days'
     FROM generate_series(1, $3::int) n`,
    [orgId, userId, PRIVATE_SESSIONS, DAYS],
  );
  await db.query(
    `INSERT INTO message_periods (org_id, starts_at, number, messages_before)
     SELECT $1, now() - $2 * interval '1 day' * (1 - n * $3 / $4::float8), n, n * $3
     FROM generate_series(1, ($4 - 1) / $3) n`,
    [orgId, DAYS, PERIOD_MESSAGES, count],
  );
  const words = Array.from({ length: VOCABULARY }, (_, nth) => word(nth));
  await db.query('CREATE TABLE vocabulary (nth int PRIMARY KEY, word text, hash bigint)');
  await db.query(
    'INSERT INTO vocabulary SELECT * FROM unnest($1::int[], $2::text[], $3::bigint[])',
    [words.map((_, nth) => nth), words, words.map((each) => hashTerm(each, saltOf(orgId, null)))],
  );
  const keys = keysInSession('messages.hashes', 'messages.session_id', 'messages.created_at');
  for (let from = 0; from < count; from += AT_ONCE) {
    await db.query(
      `INSERT INTO messages (org_id, id, session_id, position, author_kind, author_user_id, body, mentions,
         status, citations, tool_calls, created_at, search_keys)
       SELECT $1, 'cmessage' || n, session_id, n / $5::int + 1, 'USER', $2, body, '{}', 'COMPLETED', '[]', '[]',
         messages.created_at, ${searchable ? keys : 'NULL'}
       FROM (SELECT n, 'c' || lpad((n % $5::int)::text, 24, '0') AS session_id,
           now() - $6 * interval '1 day' * (1 - n::float8 / $7::int) AS created_at,
           string_agg(v.word, ' ') AS body, array_agg(DISTINCT v.hash) AS hashes
         FROM (SELECT n, floor(power($8::int, random()))::int - 1 AS nth
           FROM generate_series($3::int, $4::int) n, generate_series(1, $9::int)) drawn
         JOIN vocabulary v USING (nth) GROUP BY n ORDER BY n) messages`,
      [
        orgId,
        userId,
        from,
        Math.min(from + AT_ONCE, count) - 1,
        SESSIONS,
        DAYS,
        count,
        VOCABULARY,
        WORDS,
      ],
    );
  }
  if (db.engine === 'postgres') await addSmallOrgs(db, orgId);
  const alone = (statement: string) => db.runAlone?.(statement) ?? db.query(statement);
  if (searchable) await alone(KEYS_INDEX);
  await alone('VACUUM ANALYZE');
}

/** Copies of the beginning of one session. */
async function addSmallOrgs(db: Stage['db'], orgId: string): Promise<void> {
  const source = sessionId(1);
  const copy = (table: string, where: string, column = 'org_id') =>
    db.query(
      `INSERT INTO ${table} OVERRIDING USER VALUE
       SELECT (jsonb_populate_record(row, jsonb_build_object('${column}', 'csmall' || n))).*
       FROM ${table} row, generate_series(1, $2::int) n WHERE ${where}`,
      [orgId, SMALL_ORGS],
    );
  await copy('orgs', 'row.id = $1', 'id');
  await copy('projects', `row.org_id = $1 AND row.id = 'cproject1'`);
  await copy('sessions', `row.org_id = $1 AND row.id = '${source}'`);
  await copy(
    'messages',
    `row.org_id = $1 AND row.session_id = '${source}' AND row.position <= ${MESSAGES_OF_EACH}`,
  );
}
