import type { Queryable } from '../../../db/types.ts';
import { filterConditions, MEMORY_COLUMNS, type MemoryFilter, type MemoryRow } from '../store.ts';
import { readerParameters, VISIBLE_SCOPES, type Reader } from '../visibility.ts';
import { LEXICAL_WEIGHT, VECTOR_WEIGHT } from './ranking.ts';

export interface Match extends MemoryRow {
  vector: number | null;
  lexical: number;
  tokenVectors: Uint8Array | null;
}

/** What is searched for, in the forms that rows have. */
export interface RankedSearch {
  filter: MemoryFilter;
  /** Undefined where none could be made. */
  vector: QueryVector | undefined;
  model: string;
  tokenModel: string;
  /** The rarity of the query's terms, as a sparse vector. */
  words: string;
  limit: number;
}

export interface QueryVector {
  /** The part that is indexed. */
  head: string;
  /** All of it, zero-padded, where the indexed part is not all that counts. */
  whole: string | undefined;
}

/** Terms to look rows up by where there are too many to look at them all. */
export interface LookupTerms {
  /** A row with any of these is looked at. */
  any: number[];
  /** A row with all of these is looked at too. */
  all: number[];
}

/** How many memories the reader can see, by who else does, and how many the vector index has of all orgs. */
export interface VisibleCounts {
  org: number;
  projects: number;
  own: number;
  indexed: number;
}

/** Of the vector index, for each row in it: counting them would take longer than the search. */
const INDEX_BYTES = 1170;

export async function countVisible(db: Queryable, reader: Reader): Promise<VisibleCounts> {
  const [row] = await db.query<VisibleCounts>(
    `SELECT coalesce(sum(memories) FILTER (WHERE scope = 'ORG'), 0)::bigint AS org,
       coalesce(sum(memories) FILTER (WHERE scope NOT IN ('ORG', coalesce($2, ''))), 0)::bigint AS projects,
       coalesce(sum(memories) FILTER (WHERE scope = $2), 0)::bigint AS own,
       pg_relation_size('memories_by_vector') / ${INDEX_BYTES} AS indexed
     FROM memory_scopes WHERE org_id = $1 AND scope = ANY (${VISIBLE_SCOPES})`,
    readerParameters(reader),
  );
  return row ?? { org: 0, projects: 0, own: 0, indexed: 0 };
}

export interface TermCount {
  /** The place of the term in the arrays that were asked for. */
  at: number;
  memories: number;
}

/**
 * In how many visible memories each term is. Terms of one's own memory are hashed apart. OFFSET 0: a
 * term's counts lie side by side, and reading them all beats looking for each scope's.
 */
export async function countTerms(
  db: Queryable,
  reader: Reader,
  shared: readonly number[],
  own: readonly number[],
): Promise<TermCount[]> {
  return db.query<TermCount>(
    `SELECT asked.at, sum(t.memories)::bigint AS memories
     FROM unnest($5::bigint[], $6::bigint[]) WITH ORDINALITY asked (shared, own, at)
     CROSS JOIN LATERAL (SELECT scope, memories FROM memory_terms
       WHERE org_id = $1 AND term = ANY (ARRAY[asked.shared, asked.own]) OFFSET 0) t
     WHERE t.scope = ANY (${VISIBLE_SCOPES})
     GROUP BY asked.at`,
    [...readerParameters(reader), shared, own],
  );
}

/** How many visible memories the filter lets through, counted up to `most`. */
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

/** Looks at every visible row: exact, and the fastest way while there are few. */
export function searchAll(db: Queryable, reader: Reader, search: RankedSearch): Promise<Match[]> {
  const query = startQuery(reader, search);
  const visible = visibleRows(search.filter, query.values);
  return db.query<Match>(ranked(query, `SELECT * FROM memories m WHERE ${visible}`), query.values);
}

/** The positions of the best by words, of at most `most` shared rows that have the terms. */
export async function findByWords(
  db: Queryable,
  reader: Reader,
  { filter, words }: Pick<RankedSearch, 'filter' | 'words'>,
  { any, all }: LookupTerms,
  { most, limit }: { most: number; limit: number },
): Promise<number[]> {
  if (any.length + all.length === 0) return [];
  const values: unknown[] = readerParameters(reader);
  const visible = visibleRows(filter, values);
  const put = (value: unknown) => `$${values.push(value)}`;
  const has = [
    ...(any.length > 0 ? [`terms && ${put(any)}::bigint[]`] : []),
    ...(all.length > 0 ? [`terms @> ${put(all)}::bigint[]`] : []),
  ];
  // Terms are hashed with the org's salt. OFFSET 0 keeps the planner from reading the index of all that
  // is visible as well, which at 60,000 rows took four times as long as the rest.
  const rows = await db.query<{ position: number }>(
    `SELECT m.position FROM (
       SELECT m.* FROM (SELECT * FROM memories WHERE ${has.join(' OR ')} OFFSET 0) m
       WHERE ${visible} AND m.visibility <> 'PRIVATE' LIMIT ${put(most)}) m
     ORDER BY ${lexicalScore(put(words))} DESC LIMIT ${put(limit)}`,
    values,
  );
  return rows.map(({ position }) => position);
}

/** How far the graph search goes on when filters refuse what it finds: 0.3 s here. */
const VISITED_AT_MOST = 20_000;

/** The positions of the nearest shared rows by the index; `width` is the queue of its graph search. */
export function findByVector(
  db: Queryable,
  reader: Reader,
  { filter, model }: Pick<RankedSearch, 'filter' | 'model'>,
  { head }: QueryVector,
  { width, limit }: { width: number; limit: number },
): Promise<number[]> {
  const values: unknown[] = readerParameters(reader);
  const visible = visibleRows(filter, values);
  const put = (value: unknown) => `$${values.push(value)}`;
  const text = `SELECT m.position FROM memories m
     WHERE ${visible} AND m.visibility <> 'PRIVATE' AND m.embedding_model = ${put(model)}
     ORDER BY m.head <=> ${put(head)}::halfvec(384) LIMIT ${limit}`;
  return db.transaction(async (tx) => {
    // Without sorts the vector index is the only way, however few rows the planner takes an org to have.
    // Relaxed order found all of the nearest ten where strict order, when filtered, missed a twelfth.
    const settings = tx.script(
      `SET LOCAL hnsw.ef_search = ${width}; SET LOCAL hnsw.iterative_scan = relaxed_order;
       SET LOCAL hnsw.max_scan_tuples = ${VISITED_AT_MOST};
       SET LOCAL enable_sort = off; SET LOCAL jit = off`,
    );
    const [, rows] = await Promise.all([settings, tx.query<{ position: number }>(text, values)]);
    return rows.map(({ position }) => position);
  });
}

/**
 * The best of the found rows and of the reader's own, which no index mixes with anybody else's: all of
 * those are looked at.
 */
export function rankFound(
  db: Queryable,
  reader: Reader,
  search: RankedSearch,
  positions: readonly number[],
  { own }: Pick<VisibleCounts, 'own'>,
): Promise<Match[]> {
  const query = startQuery(reader, search);
  const visible = visibleRows(search.filter, query.values);
  const found = `SELECT * FROM memories m WHERE ${visible} AND m.visibility <> 'PRIVATE'
    AND m.position = ANY ($${query.values.push(positions)}::bigint[])`;
  const ownRows = `SELECT * FROM memories m WHERE ${visible} AND m.scope = $2`;
  return db.query<Match>(
    ranked(query, own > 0 ? `${found} UNION ALL ${ownRows}` : found),
    query.values,
  );
}

/** What the reader may see and the filter lets through, as a condition on `m`: in every leg of a search. */
function visibleRows(filter: MemoryFilter, values: unknown[]): string {
  const scopes = `m.org_id = $1 AND m.scope = ANY (${VISIBLE_SCOPES})`;
  // Follows from the visibility, and lets the scan of the index begin there.
  const scope = { ORG: ` AND m.scope = 'ORG'`, PRIVATE: ' AND m.scope = $2', PROJECT: '' };
  const narrower = filter.visibility ? scope[filter.visibility] : '';
  return `${scopes}${narrower}${filterConditions(filter, values)}`;
}

interface StartedQuery {
  values: unknown[];
  vectorScore: string;
  lexicalScore: string;
  tokenModel: string;
  limit: string;
}

/** The parameters and expressions of a statement that ranks. */
function startQuery(reader: Reader, search: RankedSearch): StartedQuery {
  const values: unknown[] = readerParameters(reader);
  const put = (value: unknown) => `$${values.push(value)}`;
  return {
    values,
    vectorScore: search.vector
      ? vectorScore(search.vector, put(search.model), put)
      : 'NULL::float8',
    lexicalScore: lexicalScore(put(search.words)),
    tokenModel: put(search.tokenModel),
    limit: put(search.limit),
  };
}

/** Never across models. Vectors that point away from each other are as unlike as can be: 0. */
function vectorScore(
  { head, whole }: QueryVector,
  model: string,
  put: (value: unknown) => string,
): string {
  const distance = whole
    ? `m.embedding <=> ${put(whole)}::halfvec(1536)`
    : `m.head <=> ${put(head)}::halfvec(384)`;
  return `(CASE WHEN m.embedding_model = ${model} THEN greatest(0, 1 - (${distance})) END)`;
}

function lexicalScore(words: string): string {
  return `least(1, -(m.term_weights <#> ${words}::sparsevec))`;
}

/** The best of the given rows by the first ranking, with all that the second needs. */
function ranked(query: StartedQuery, rows: string): string {
  return `SELECT ${MEMORY_COLUMNS}, m.vector, m.lexical,
      CASE WHEN m.token_model = ${query.tokenModel} THEN m.token_vectors END AS "tokenVectors"
    FROM (SELECT m.*, ${query.vectorScore} AS vector, ${query.lexicalScore} AS lexical FROM (${rows}) m) m
    ORDER BY ${VECTOR_WEIGHT} * coalesce(m.vector, 0) + ${LEXICAL_WEIGHT} * m.lexical DESC,
      m.position DESC LIMIT ${query.limit}`;
}
