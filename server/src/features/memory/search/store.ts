import { indexSize } from '../../../db/index-size.ts';
import { plannedForValues, queryWith } from '../../../db/query-with.ts';
import type { Queryable } from '../../../db/types.ts';
import { filterConditions, MEMORY_COLUMNS, type MemoryFilter, type MemoryRow } from '../store.ts';
import { readerParameters, VISIBLE_SCOPES, type Reader } from '../visibility.ts';
import {
  firstRanking,
  INDEX_BYTES,
  indexedDistance,
  lexicalScore,
  settingsOf,
  vectorScore,
  type QueryVector,
  type Walk,
} from './scoring.ts';

export type { QueryVector, Walk } from './scoring.ts';

export interface Match extends MemoryRow {
  vector: number | null;
  lexical: number;
  tokenVectors: Uint8Array | null;
}

/** What to search for, in the form the rows have. */
export interface RankedSearch {
  filter: MemoryFilter;
  /** Undefined if the query could not be encoded. */
  vector: QueryVector | undefined;
  model: string;
  tokenModel: string;
  /** The rarity of the query's terms, as a sparse vector. */
  words: string;
  limit: number;
}

/** Terms for finding rows if there are too many to score them all. */
export interface LookupTerms {
  /** A row with any of these matches. */
  any: number[];
  /** A row with all of these matches too. */
  all: number[];
}

/** How many memories the reader can see, and how many the vector index has of all orgs that are in it. */
export interface VisibleCounts {
  org: number;
  projects: number;
  own: number;
  /** Of the Project that is searched; 0 if there is none or the reader can't see it. */
  inProject: number;
  indexed: number;
  /** The share of the table whose rows an index can return without reading the table. */
  settled: number;
}

export async function countVisible(
  db: Queryable,
  reader: Reader,
  projectId?: string,
): Promise<VisibleCounts> {
  const [row] = await db.query<VisibleCounts>(
    `SELECT coalesce(sum(memories) FILTER (WHERE scope = 'ORG'), 0)::bigint AS org,
       coalesce(sum(memories) FILTER (WHERE scope NOT IN ('ORG', coalesce($2, ''))), 0)::bigint AS projects,
       coalesce(sum(memories) FILTER (WHERE scope = $2), 0)::bigint AS own,
       coalesce(sum(memories) FILTER (WHERE scope = $5::text), 0)::bigint AS "inProject",
       ${indexSize('memories', 'memories_by_vector')} / ${INDEX_BYTES[db.engine]} AS indexed,
       (SELECT relallvisible::float8 / greatest(1, relpages) FROM pg_class
        WHERE oid = 'memories'::regclass) AS settled
     FROM memory_scopes WHERE org_id = $1 AND scope = ANY (${VISIBLE_SCOPES})`,
    [...readerParameters(reader), projectId ?? null],
  );
  return row ?? { org: 0, projects: 0, own: 0, inProject: 0, indexed: 0, settled: 0 };
}

export interface TermCount {
  /** The term's position in the given arrays, from 1. */
  at: number;
  memories: number;
  /** Those of them that are the reader's PRIVATE ones. */
  own: number;
}

/**
 * How many visible memories contain each term. PRIVATE memories hash their terms differently. OFFSET 0: a
 * term's counts are stored together, and reading them all is faster than searching per scope. The arrays
 * are sub-queries so that the planner doesn't count them, and make a new plan for every search.
 */
export async function countTerms(
  db: Queryable,
  reader: Reader,
  shared: readonly number[],
  own: readonly number[],
): Promise<TermCount[]> {
  return db.query<TermCount>(
    `SELECT asked.at, sum(t.memories)::bigint AS memories,
       coalesce(sum(t.memories) FILTER (WHERE t.scope = $2), 0)::bigint AS own
     FROM unnest((SELECT $5::bigint[]), (SELECT $6::bigint[])) WITH ORDINALITY asked (shared, own, at)
     CROSS JOIN LATERAL (SELECT scope, memories FROM memory_terms
       WHERE org_id = $1 AND term = ANY (ARRAY[asked.shared, asked.own]) OFFSET 0) t
     WHERE t.scope = ANY (${VISIBLE_SCOPES})
     GROUP BY asked.at`,
    [...readerParameters(reader), shared, own],
  );
}

/** How many visible memories match the filter, counted up to `most`. */
export async function countFiltered(
  db: Queryable,
  reader: Reader,
  filter: MemoryFilter,
  most: number,
): Promise<number> {
  const values: unknown[] = readerParameters(reader);
  const visible = visibleRows(filter, values);
  const [row] = await db.query<{ memories: number }>(
    `SELECT count(*) AS memories FROM (SELECT FROM memories m WHERE ${visible}
       LIMIT $${values.push(most)}) m`,
    values,
  );
  return row?.memories ?? 0;
}

/** How many visible memories belong to the Project but not to its scope, counted up to `most`. */
export async function countFiled(
  db: Queryable,
  { orgId, userId }: Reader,
  projectId: string,
  most: number,
): Promise<number> {
  const [row] = await db.query<{ memories: number }>(
    `SELECT count(*) AS memories FROM (
       SELECT FROM memories m WHERE m.org_id = $1 AND m.project_id = $3 AND m.scope = 'ORG'
       UNION ALL
       SELECT FROM memories m WHERE m.org_id = $1 AND m.project_id = $3 AND m.scope = $2
       LIMIT $4) m`,
    [orgId, userId, projectId, most],
  );
  return row?.memories ?? 0;
}

/** Scores every visible row: exact, and the fastest way if there are few. */
export function searchAll(db: Queryable, reader: Reader, search: RankedSearch): Promise<Match[]> {
  const query = startQuery(reader, search);
  const visible = visibleRows(search.filter, query.values);
  return db.query<Match>(ranked(query, `SELECT * FROM memories m WHERE ${visible}`), query.values);
}

/** The positions of the best rows by words, among at most `most` visible rows with the terms. */
export async function findByWords(
  db: Queryable,
  reader: Reader,
  { filter, words }: Pick<RankedSearch, 'filter' | 'words'>,
  lookups: readonly LookupTerms[],
  { most, limit }: { most: number; limit: number },
): Promise<number[]> {
  const values: unknown[] = readerParameters(reader);
  const visible = visibleRows(filter, values);
  const put = (value: unknown) => `$${values.push(value)}`;
  const has = lookups.flatMap(({ any, all }) => [
    ...(any.length > 0 ? [`terms && ${put(any)}::bigint[]`] : []),
    ...(all.length > 0 ? [`terms @> ${put(all)}::bigint[]`] : []),
  ]);
  if (has.length === 0) return [];
  // Terms are hashed with the org's or the owner's salt. OFFSET 0 keeps the planner from also scanning the
  // index of visible rows, which at 60,000 rows took four times as long as the rest.
  const rows = await queryWith<{ position: number }>(
    db,
    plannedForValues(db),
    `SELECT m.position FROM (
       SELECT m.position, m.term_weights FROM (SELECT * FROM memories
         WHERE org_id = $1 AND (${has.join(' OR ')}) OFFSET 0) m
       WHERE ${visible} LIMIT ${put(most)}) m
     ORDER BY ${lexicalScore('m', put(words))} DESC LIMIT ${put(limit)}`,
    values,
  );
  return rows.map(({ position }) => position);
}

/**
 * The positions of the nearest visible rows, PRIVATE ones too, by comparing with each: exact. Scopes and
 * vectors are side by side in `memories_by_scope_and_vector`, so that no row of the table is read.
 */
export async function scanVectors(
  db: Queryable,
  reader: Reader,
  { filter, model }: Pick<RankedSearch, 'filter' | 'model'>,
  { head }: QueryVector,
  limit: number,
): Promise<number[]> {
  const values: unknown[] = readerParameters(reader);
  const { visibility, projectId, ...others } = filter;
  const put = (value: unknown) => `$${values.push(value)}`;
  const [byModel, near] = [put(model), put(head)];
  const rest = filterConditions(others, values);
  const from = (where: string) =>
    `SELECT m.position, m.head <=> ${near}::halfvec(384) AS distance FROM memories m
     WHERE m.org_id = $1 AND ${where} AND m.embedding_model = ${byModel}${rest}`;
  const found =
    projectId === undefined
      ? from(scopesUnder(visibility))
      : inProject(from, visibility, put(projectId));
  const rows = await db.query<{ position: number }>(
    `SELECT m.position FROM (${found}) m ORDER BY m.distance LIMIT ${put(limit)}`,
    values,
  );
  return rows.map(({ position }) => position);
}

/** The positions of the nearest shared rows that a walk through the graph meets. */
export async function findByVector(
  db: Queryable,
  reader: Reader,
  { filter, model }: Pick<RankedSearch, 'filter' | 'model'>,
  { head }: QueryVector,
  walk: Walk,
  limit: number,
): Promise<number[]> {
  const values: unknown[] = readerParameters(reader);
  const visible = visibleRows(filter, values);
  const put = (value: unknown) => `$${values.push(value)}`;
  const distance = indexedDistance(db, 'm', put(head));
  // The planner takes rows from the index for sorted, but another pass may have nearer ones: hence the 0.
  const text = `SELECT m.position FROM (SELECT m.position, ${distance} AS distance FROM memories m
       WHERE ${visible} AND m.visibility <> 'PRIVATE' AND m.embedding_model = ${put(model)}
       ORDER BY ${distance} LIMIT ${put(walk.rows)}) m
     ORDER BY m.distance + 0 LIMIT ${put(limit)}`;
  const rows = await queryWith<{ position: number }>(db, settingsOf(walk), text, values);
  return rows.map(({ position }) => position);
}

/** The best of the found rows by the first ranking. */
export function rankFound(
  db: Queryable,
  reader: Reader,
  search: RankedSearch,
  positions: readonly number[],
): Promise<Match[]> {
  const query = startQuery(reader, search);
  const visible = visibleRows(search.filter, query.values);
  // OFFSET 0: the planner does not know how many positions there are, and may read a whole Project instead.
  const found = `SELECT * FROM (SELECT * FROM memories
      WHERE org_id = $1 AND position = ANY ($${query.values.push(positions)}::bigint[]) OFFSET 0) m
    WHERE ${visible}`;
  return db.query<Match>(ranked(query, found), query.values);
}

/** A condition on `m` for what the reader may see and the filter matches. Every part of a search has it. */
function visibleRows(filter: MemoryFilter, values: unknown[]): string {
  return `m.org_id = $1 AND ${scopesUnder(filter.visibility)}${filterConditions(filter, values)}`;
}

/** The scopes the reader sees, or those of them that have the visibility. */
function scopesUnder(visibility: MemoryFilter['visibility']): string {
  if (visibility === 'PROJECT') {
    return `m.scope = ANY (ARRAY(SELECT seen FROM unnest(${VISIBLE_SCOPES}) seen
      WHERE seen NOT IN ('ORG', coalesce($2, ''))))`;
  }
  const only = { ORG: ` AND m.scope = 'ORG'`, PRIVATE: ' AND m.scope = $2' };
  return `m.scope = ANY (${VISIBLE_SCOPES})${visibility ? only[visibility] : ''}`;
}

/** Of a Project: its own scope, which is in the index, and what else belongs to it. */
function inProject(
  from: (where: string) => string,
  visibility: MemoryFilter['visibility'],
  projectId: string,
): string {
  const visible = `m.scope = ANY (${VISIBLE_SCOPES})`;
  const inScope = `${projectId} = ANY (${VISIBLE_SCOPES}) AND m.scope = ${projectId}`;
  // Equality: with a list of scopes, a prepared statement reads the whole Project and filters it.
  const filed = (scope: string) =>
    from(`${visible} AND m.project_id = ${projectId} AND m.scope = ${scope}`);
  if (visibility === 'PROJECT') return from(inScope);
  if (visibility === 'ORG') return filed(`'ORG'`);
  if (visibility === 'PRIVATE') return filed('$2');
  return [from(inScope), filed(`'ORG'`), filed('$2')].join(' UNION ALL ');
}

interface StartedQuery {
  values: unknown[];
  vectorScore: string;
  lexicalScore: string;
  tokenModel: string;
  limit: string;
}

/** The parameters and expressions of a ranking query. */
function startQuery(reader: Reader, search: RankedSearch): StartedQuery {
  const values: unknown[] = readerParameters(reader);
  const put = (value: unknown) => `$${values.push(value)}`;
  return {
    values,
    vectorScore: search.vector
      ? vectorScore('m', search.vector, put(search.model), put)
      : 'NULL::float8',
    lexicalScore: lexicalScore('m', put(search.words)),
    tokenModel: put(search.tokenModel),
    limit: put(search.limit),
  };
}

/** The best of the given rows by the first ranking, with the columns the second needs. */
function ranked(query: StartedQuery, rows: string): string {
  return `SELECT ${MEMORY_COLUMNS}, m.vector, m.lexical,
      CASE WHEN m.token_model = ${query.tokenModel} THEN m.token_vectors END AS "tokenVectors"
    FROM (SELECT m.*, ${query.vectorScore} AS vector, ${query.lexicalScore} AS lexical FROM (${rows}) m) m
    ORDER BY ${firstRanking('m.vector', 'm.lexical')} DESC, m.position DESC LIMIT ${query.limit}`;
}
