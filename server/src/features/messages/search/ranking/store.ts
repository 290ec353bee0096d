import { plannedForValues, queryWith } from '../../../../db/query-with.ts';
import type { Queryable } from '../../../../db/types.ts';
import { IS_PROJECT_MEMBER } from '../../../../access/standing.ts';
import { ONLY_READERS } from '../../../../access/readable.ts';
import { baseOf, hasTerm, keyOf, scopeOf, scopeOfBase } from '../keys.ts';
import { MAY_READ, readerParameters, type MessageFilter, type MessageReader } from '../store.ts';

/** Of each term, the newest messages are ranked: at most this many, and as many of those with all terms. */
export const RANKED_PER_TERM = 500;
/** The same for all terms together. */
const RANKED = 2_000;
/** Messages with each term that are looked at to learn which is the rarest. */
const SAMPLED = 100;
/** Messages with the rarest term that are looked at, to find those that have the others too. */
const LOOKED_AT_FOR_ALL = 4_000;
/**
 * And as many of those, and of the messages to rank, as have this many bytes of keys: all but the longest
 * messages are shorter than a kilobyte. The embedded database compares these in 10 to 20 ms.
 */
const KEY_BYTES = 1_000_000;
/** Messages with a term that are looked at if a filter may refuse them. */
const LOOKED_AT = 6_000;

export interface RankedSearch {
  filter: MessageFilter;
  /** Hashes of the query's terms. */
  hashes: readonly number[];
  /** If there are any, a match has all of these. */
  required: readonly number[];
  limit: number;
}

export interface RankedMessage {
  id: string;
  score: number;
  /** The length of its body. */
  bytes: number;
}

/**
 * The best matches. The keys of a term are looked up from the newest period to the oldest, and only in scopes
 * that the reader sees. A term's rarity is counted among the messages found, so nothing else influences it.
 */
export function rankMessages(
  db: Queryable,
  reader: MessageReader,
  { filter, hashes, required, limit }: RankedSearch,
): Promise<RankedMessage[]> {
  const values = readerParameters(reader);
  const put = (value: unknown) => `$${values.push(value)}`;
  const asked = `unnest(${put(hashes)}::bigint[]) WITH ORDINALITY AS asked (term, nth)`;
  const project = put(filter.projectId ?? null);
  const text = `WITH scopes AS MATERIALIZED (
      SELECT * FROM (${SCOPES}) scopes WHERE ${project}::text IS NULL OR project_id = ${project}),
    parts AS MATERIALIZED (${partsOf(filter, put)}),
    ${candidatesOf(db, { filter, hashes, required, limit }, put)},
    hits AS MATERIALIZED (
      SELECT m.id, m.created_at, m.bytes, asked.nth FROM candidates m CROSS JOIN ${asked}
      WHERE ${hasTerm('asked.term')}),
    rarities AS MATERIALIZED (
      SELECT nth, ln(1 + ((SELECT count(*) FROM candidates) - count(h.id) + 0.5::float8)
        / (count(h.id) + 0.5)) AS rarity
      FROM ${asked} LEFT JOIN hits h USING (nth) GROUP BY nth)
    SELECT h.id, h.bytes, round((sum(rarity) / (SELECT sum(rarity) FROM rarities))::numeric, 6)::float8 AS score
    FROM hits h JOIN rarities USING (nth) GROUP BY h.id, h.created_at, h.bytes
    ORDER BY score DESC, h.created_at DESC, h.id DESC LIMIT ${put(limit)}`;
  return queryWith<RankedMessage>(db, plannedForValues(db), text, values);
}

type Put = (value: unknown) => string;

/** Those that the reader sees: of Projects, and of sessions that not every member of a Project may read. */
const SCOPES = `SELECT p.id AS project_id, ${scopeOf('p.id')} AS scope, p.created_at AS since,
    'infinity'::timestamptz AS until
  FROM projects p
  WHERE p.org_id = $1 AND ($4::text[] IS NULL OR p.id = ANY ($4)) AND ${IS_PROJECT_MEMBER}
  UNION ALL
  SELECT p.id, ${scopeOf('s.id')}, s.created_at, coalesce(s.last_message_at, s.created_at)
  FROM sessions s JOIN projects p ON p.org_id = $1 AND p.id = s.project_id
  WHERE s.org_id = $1 AND (s.participant_user_ids @> ARRAY[$2::text] OR s.id = $5)
    AND ${ONLY_READERS} IS NOT NULL AND ${MAY_READ}`;

/** Without a row, all messages are of period 0. */
const PERIODS = `SELECT mp.number, mp.starts_at,
    lead(mp.starts_at, 1, 'infinity') OVER (ORDER BY mp.starts_at) AS ends_at
  FROM (SELECT mp.number, mp.starts_at FROM message_periods mp WHERE mp.org_id = $1
    UNION ALL SELECT 0, '-infinity' WHERE NOT EXISTS (
      SELECT 1 FROM message_periods mp WHERE mp.org_id = $1 AND mp.number = 0)) mp`;
/** Clocks differ, and what is posted while a period begins may still be of the one before. */
const overlaps = (since: string, until: string) =>
  `${since} < period.ends_at + interval '1 day' AND ${until} > period.starts_at - interval '1 day'`;

/**
 * The bases to look up at once, in parts: the newest period, the one before, and from then on twice as many
 * each time. So a common word needs one or two lookups, and a rare one few.
 */
function partsOf({ createdAfter, createdBefore }: MessageFilter, put: Put): string {
  const after = `coalesce(${put(createdAfter ?? null)}::timestamptz, '-infinity')`;
  const before = `coalesce(${put(createdBefore ?? null)}::timestamptz, 'infinity')`;
  return `SELECT part, array_agg(${baseOf('number', 'scope')}) AS bases FROM (
      SELECT number, starts_at, ends_at,
        ceil(ln(row_number() OVER (ORDER BY starts_at DESC)::float8) / ln(2::float8)) AS part
      FROM (${PERIODS}) period WHERE ${overlaps(after, before)}) period
    JOIN scopes ON ${overlaps('since', 'until')} GROUP BY part`;
}

const FOUND_COLUMNS =
  'm.id, m.created_at, m.author_user_id, m.agent_slug, m.session_id, m.search_keys, m.bytes';
const ROW_COLUMNS = FOUND_COLUMNS.replace('m.bytes', 'octet_length(m.body) AS bytes');

const NEWEST_FIRST = 'ORDER BY m.created_at DESC, m.id DESC';

/**
 * The newest of these rows, as many as may be compared. Appending nothing reads the keys of a long message once
 * and for all, instead of once for each term. OFFSET 0 keeps it that way.
 */
const comparable = (columns: string, rows: string) =>
  `SELECT ${columns.replace('m.search_keys', "m.search_keys || '{}'::bigint[] AS search_keys")} FROM (
    SELECT m.*, sum(pg_column_size(m.search_keys)) OVER (${NEWEST_FIRST} ROWS UNBOUNDED PRECEDING) AS key_bytes
    FROM (${rows}) m) m WHERE m.key_bytes <= ${KEY_BYTES} OFFSET 0`;

/**
 * The messages to rank, as CTEs: the newest with each term, and the newest with all of them. The latter are
 * looked for among those with the rarest term: the one with the fewest, or whose newest go back furthest.
 */
function candidatesOf(
  db: Queryable,
  { filter, hashes, required, limit }: RankedSearch,
  put: Put,
): string {
  const terms = required.length > 0 ? required : hashes;
  const all = put(terms);
  const most = Math.min(RANKED_PER_TERM, Math.ceil(RANKED / terms.length));
  const conditions = rowConditions(filter, put);
  const rows = rowsByKeys(db, filter, put);
  const newest = (looked: string, condition = 'true') =>
    `SELECT ${FOUND_COLUMNS} FROM (${looked}) m WHERE ${[condition, ...conditions].join(' AND ')}
      ${NEWEST_FIRST} LIMIT ${most}`;
  const hasAll = `NOT EXISTS (SELECT 1 FROM unnest(${all}::bigint[]) AS term WHERE NOT ${hasTerm('term')})`;
  const hasAny = `EXISTS (SELECT 1 FROM unnest(${all}::bigint[]) AS term WHERE ${hasTerm('term')})`;
  // Only to learn which term is the rarest, the order of rows would be of no use.
  const withEach =
    required.length > 1
      ? rows('asked.term', SAMPLED, '')
      : newest(
          rows(
            'asked.term',
            conditions.length > 0 ? Math.ceil(LOOKED_AT / terms.length) : most,
            NEWEST_FIRST,
          ),
        );
  // Those among the newest with each term are the newest of their kind. And if there are no more with the
  // rarest, nothing else has all.
  const isMissing = () => `(SELECT count(*) FROM (SELECT 1 FROM found GROUP BY id
      HAVING count(*) = ${terms.length}) m) < ${put(limit)}
    ${conditions.length > 0 ? '' : `AND rarest.found >= ${most}`}`;
  const withAll = `SELECT m.* FROM rarest CROSS JOIN LATERAL (${newest(
    comparable(FOUND_COLUMNS, rows('rarest.term', LOOKED_AT_FOR_ALL, NEWEST_FIRST)),
    hasAll,
  )}) m`;
  const inSession = rowsOfSession(filter, required.length > 0 ? hasAll : hasAny, put);
  const ranked = [
    ...(required.length > 1 ? [withAll] : [`SELECT ${FOUND_COLUMNS} FROM found m`]),
    ...(hashes.length > 1 && required.length === 0 ? [`${withAll} WHERE ${isMissing()}`] : []),
    ...(inSession === undefined ? [] : [inSession]),
  ];
  return `found AS MATERIALIZED (
      SELECT asked.term, m.* FROM unnest(${all}::bigint[]) AS asked (term)
      CROSS JOIN LATERAL (${withEach}) m),
    rarest AS MATERIALIZED (
      SELECT term, count(*) AS found FROM found GROUP BY term
      ORDER BY count(*), min(created_at) LIMIT 1),
    candidates AS MATERIALIZED (${comparable(
      'm.id, m.created_at, m.search_keys, m.bytes',
      `SELECT DISTINCT ON (m.id) m.* FROM (${ranked.join(' UNION ALL ')}) m`,
    )})`;
}

type Rows = (term: string, lookedAt: number, order: string) => string;

/**
 * The embedded engine has no statistics, expects one message of an org, and would compare the keys of all of
 * them. In this form the condition fits no index, and the index of keys is used.
 */
const ofOrg = ({ engine }: Queryable) =>
  engine === 'embedded' ? '(m.org_id = $1) IS TRUE' : 'm.org_id = $1';

/** SQL for rows with a term, of new parts before old ones. Those of one session only if it is long. */
function rowsByKeys(db: Queryable, filter: MessageFilter, put: Put): Rows {
  const created = createdConditions(filter, put);
  const only = filter.sessionId === undefined ? 'true' : isLong(put(filter.sessionId));
  return (term, lookedAt, order) => `SELECT m.* FROM (SELECT * FROM parts ORDER BY part) parts
    CROSS JOIN LATERAL (SELECT ${ROW_COLUMNS} FROM messages m
      WHERE ${ofOrg(db)}${created} AND m.inactive_branch_id IS NULL
        AND m.search_keys && ARRAY(SELECT ${keyOf('base', term)} FROM unnest(parts.bases) AS base)
      ${order} LIMIT ${lookedAt}) m
    WHERE ${only} LIMIT ${lookedAt}`;
}

/** The keys find the rows of a whole Project. So a session is read directly unless it is a large part of one. */
function rowsOfSession(filter: MessageFilter, condition: string, put: Put): string | undefined {
  if (filter.sessionId === undefined) return undefined;
  const session = put(filter.sessionId);
  const rows = `SELECT ${ROW_COLUMNS} FROM messages m
    WHERE m.org_id = $1 AND NOT ${isLong(session)}${createdConditions(filter, put)}
      AND ${rowConditions(filter, put).join(' AND ')} AND m.search_keys IS NOT NULL
      AND m.inactive_branch_id IS NULL`;
  return `SELECT ${FOUND_COLUMNS} FROM (${comparable(FOUND_COLUMNS, rows)}) m
    WHERE ${scopeOfBase('m.search_keys[1]')} IN (SELECT scope FROM scopes) AND ${condition}`;
}

const isLong = (session: string) => `(SELECT s.last_position > ${LOOKED_AT} FROM sessions s
  WHERE s.org_id = $1 AND s.id = ${session})`;

function createdConditions({ createdAfter, createdBefore }: MessageFilter, put: Put): string {
  return [
    ...(createdAfter ? [` AND m.created_at >= ${put(createdAfter)}`] : []),
    ...(createdBefore ? [` AND m.created_at < ${put(createdBefore)}`] : []),
  ].join('');
}

function rowConditions({ authorUserId, agent, sessionId }: MessageFilter, put: Put): string[] {
  return [
    ...(authorUserId === undefined ? [] : [`m.author_user_id = ${put(authorUserId)}`]),
    ...(agent === undefined ? [] : [`m.agent_slug = ${put(agent)}`]),
    ...(sessionId === undefined ? [] : [`m.session_id = ${put(sessionId)}`]),
  ];
}
