import { indexSize } from '../../../db/index-size.ts';
import { plannedForValues, queryWith } from '../../../db/query-with.ts';
import type { Queryable } from '../../../db/types.ts';
import {
  firstRanking,
  INDEX_BYTES,
  indexedDistance,
  lexicalScore,
  settingsOf,
  vectorScore,
  type QueryVector,
  type Walk,
} from '../../memory/search/scoring.ts';
import type { DocumentReader } from '../reader.ts';
import { DOCUMENT_COLUMNS, rightsOf, type DocumentRow } from '../store.ts';

export type { QueryVector, Walk } from '../../memory/search/scoring.ts';

export interface DocumentFilter {
  projectId?: string | undefined;
  fileIds?: readonly string[] | undefined;
  sourceId?: string | undefined;
}

/** Documents that a reader may read, all or those of a filter, and how many passages they have. */
export interface ReadableDocuments {
  ids: string[];
  passages: number;
}

export interface Readable {
  all: ReadableDocuments;
  filtered: ReadableDocuments;
  /** How many passages the vector index has, of all orgs that are in it. */
  indexed: number;
  /** The share of the table whose rows an index can return without reading the table. */
  settled: number;
}

/**
 * Read once a search, because it takes longer than some of what uses it. `rankPassages` looks at the rights again for
 * what it returns.
 */
export async function findReadable(
  db: Queryable,
  reader: DocumentReader,
  { projectId, fileIds, sourceId }: DocumentFilter,
): Promise<Readable> {
  const { values, joins, mayRead } = rightsOf(reader);
  const put = (value: unknown) => `$${values.push(value)}`;
  const conditions = [
    ...(projectId === undefined ? [] : [`mine.project_id = ${put(projectId)}`]),
    ...(fileIds === undefined ? [] : [`mine.id = ANY (${put(fileIds)})`]),
    ...(sourceId === undefined ? [] : [`d.source_id = ${put(sourceId)}`]),
  ];
  const isWanted = conditions.length === 0 ? 'true' : conditions.join(' AND ');
  // Files first: joined at once, the planner compared each file of a Project with each document of it.
  const [row] = await db.query<{
    ids: string[];
    passages: number;
    wantedIds: string[] | null;
    wanted: number;
    indexed: number;
    settled: number;
  }>(
    `WITH mine AS MATERIALIZED (SELECT f.id, f.project_id FROM files f ${joins}
       WHERE f.org_id = $1 AND f.text_status <> 'NONE' AND ${mayRead}),
     readable AS MATERIALIZED (SELECT d.id, d.passages, ${isWanted} AS is_wanted FROM mine
       JOIN documents d ON d.org_id = $1 AND d.file_id = mine.id)
     SELECT coalesce(array_agg(r.id), '{}') AS ids, coalesce(sum(r.passages), 0)::bigint AS passages,
       ${conditions.length === 0 ? 'NULL::text[]' : 'array_agg(r.id) FILTER (WHERE r.is_wanted)'} AS "wantedIds",
       coalesce(sum(r.passages) FILTER (WHERE r.is_wanted), 0)::bigint AS wanted,
       ${indexSize('passages', 'passages_by_vector')} / ${INDEX_BYTES[db.engine]} AS indexed,
       (SELECT relallvisible::float8 / greatest(1, relpages) FROM pg_class
        WHERE oid = 'passages'::regclass) AS settled
     FROM readable r`,
    values,
  );
  if (!row) throw new Error('an aggregate has a row');
  const { ids, passages, wantedIds, wanted, indexed, settled } = row;
  const all = { ids, passages };
  const filtered = conditions.length === 0 ? all : { ids: wantedIds ?? [], passages: wanted };
  return { all, filtered, indexed, settled };
}

/** Some of an organisation's documents. */
export interface Among {
  orgId: string;
  documentIds: readonly string[];
}

/** Parameters of a statement about passages of some documents. The first two are the org and the documents. */
function start({ orgId, documentIds }: Among) {
  const values: unknown[] = [orgId, documentIds];
  return { values, put: (value: unknown) => `$${values.push(value)}` };
}

/** Not as a join, which the planner may repeat for each passage: with IS TRUE it is a lookup in a hash. */
const IS_AMONG = '(ps.document_id IN (SELECT unnest($2::text[]))) IS TRUE';

export interface TermCount {
  /** The term's position in the given array, from 1. */
  at: number;
  passages: number;
}

/** How many of the passages contain each term, counted up to `most`. */
export function countTerms(
  db: Queryable,
  among: Among,
  hashes: readonly number[],
  most: number,
): Promise<TermCount[]> {
  const { values, put } = start(among);
  return queryWith<TermCount>(
    db,
    plannedForValues(db),
    `SELECT asked.at, (SELECT count(*) FROM (
         SELECT FROM passages ps WHERE ps.org_id = $1 AND ps.terms @> ARRAY[asked.term]
           AND ${IS_AMONG} LIMIT ${put(most)}) having_it) AS passages
     FROM unnest((SELECT ${put(hashes)}::bigint[])) WITH ORDINALITY asked (term, at)`,
    values,
  );
}

/** Terms for finding passages if there are too many to score them all. */
export interface LookupTerms {
  /** A passage with any of these matches. */
  any: number[];
  /** A passage with all of these matches too. */
  all: number[];
}

export interface RankedSearch {
  /** Undefined if the query could not be encoded. */
  vector: QueryVector | undefined;
  model: string;
  tokenModel: string;
  /** The rarity of the query's terms, as a sparse vector. */
  words: string;
  limit: number;
  /** How many of one document. */
  perDocument: number;
}

/** The ids of the best passages by words, among at most `most` of them with the terms. */
export async function findByWords(
  db: Queryable,
  among: Among,
  { words }: Pick<RankedSearch, 'words'>,
  { any, all }: LookupTerms,
  { most, limit }: { most: number; limit: number },
): Promise<number[]> {
  const { values, put } = start(among);
  const has = [
    ...(any.length > 0 ? [`terms && ${put(any)}::bigint[]`] : []),
    ...(all.length > 0 ? [`terms @> ${put(all)}::bigint[]`] : []),
  ];
  if (has.length === 0) return [];
  // OFFSET 0 keeps the planner from reading all passages of these documents instead.
  const rows = await queryWith<{ id: number }>(
    db,
    plannedForValues(db),
    `SELECT ps.id FROM (
       SELECT ps.id, ps.term_weights FROM (SELECT id, document_id, term_weights FROM passages
         WHERE org_id = $1 AND (${has.join(' OR ')}) OFFSET 0) ps
       WHERE ${IS_AMONG} LIMIT ${put(most)}) ps
     ORDER BY ${lexicalScore('ps', put(words))} DESC LIMIT ${put(limit)}`,
    values,
  );
  return rows.map(({ id }) => id);
}

/**
 * The ids of the nearest passages, by comparing with each. Their vectors are in an index by document. With
 * the 0, the planner does not take the graph, which finds only some.
 */
export async function scanVectors(
  db: Queryable,
  among: Among,
  { model }: Pick<RankedSearch, 'model'>,
  { head }: QueryVector,
  limit: number,
): Promise<number[]> {
  const { values, put } = start(among);
  const rows = await queryWith<{ id: number }>(
    db,
    plannedForValues(db),
    `SELECT ps.id FROM unnest($2::text[]) r (id)
     JOIN passages ps ON ps.org_id = $1 AND ps.document_id = r.id
       AND ps.embedding_model = ${put(model)}
     ORDER BY (ps.head <=> ${put(head)}::halfvec(384)) + 0 LIMIT ${put(limit)}`,
    values,
  );
  return rows.map(({ id }) => id);
}

/** The ids of the nearest passages of these documents that a walk through the graph meets. */
export async function findByVector(
  db: Queryable,
  among: Among,
  { model }: Pick<RankedSearch, 'model'>,
  { head }: QueryVector,
  walk: Walk,
  limit: number,
): Promise<number[]> {
  const { values, put } = start(among);
  const distance = indexedDistance(db, 'ps', put(head));
  // The planner takes rows from the index for sorted, but another pass may have nearer ones: hence the 0.
  const rows = await queryWith<{ id: number }>(
    db,
    settingsOf(walk),
    `SELECT ps.id FROM (SELECT ps.id, ${distance} AS distance FROM passages ps
       WHERE ps.org_id = $1 AND ${IS_AMONG} AND ps.embedding_model = ${put(model)}
       ORDER BY ${distance} LIMIT ${put(walk.rows)}) ps
     ORDER BY ps.distance + 0 LIMIT ${put(limit)}`,
    values,
  );
  return rows.map(({ id }) => id);
}

export interface PassageMatch {
  id: number;
  document: DocumentRow;
  page: number;
  heading: string | null;
  start: number;
  end: number;
  text: string;
  vector: number | null;
  lexical: number;
  tokenVectors: Uint8Array | null;
}

/** The best by the first ranking: of these passages, or of all of these documents. */
export async function rankPassages(
  db: Queryable,
  reader: DocumentReader,
  documentIds: readonly string[],
  search: RankedSearch,
  ids?: readonly number[],
): Promise<PassageMatch[]> {
  const { values, joins, mayRead } = rightsOf(reader);
  const put = (value: unknown) => `$${values.push(value)}`;
  const vector = search.vector
    ? vectorScore('ps', search.vector, put(search.model), put)
    : 'NULL::float8';
  const lexical = lexicalScore('ps', put(search.words));
  const among = `(ps.document_id IN (SELECT unnest(${put(documentIds)}::text[]))) IS TRUE`;
  // OFFSET 0: the planner does not know how many ids there are, and may read whole documents instead.
  const from = ids
    ? `(SELECT * FROM passages WHERE org_id = $1 AND id = ANY (${put(ids)}::bigint[]) OFFSET 0)`
    : 'passages';
  const order = firstRanking('ps.vector', 'ps.lexical');
  const rows = await queryWith<
    Omit<PassageMatch, 'document' | 'id'> & DocumentRow & { passageId: number }
  >(
    db,
    plannedForValues(db),
    `SELECT best.id AS "passageId", best.page, best.heading, best.start_at AS start, best.end_at AS end,
       best.text, best.vector, best.lexical,
       CASE WHEN best.token_model = ${put(search.tokenModel)} THEN best.token_vectors END AS "tokenVectors",
       ${DOCUMENT_COLUMNS}
     FROM (SELECT * FROM (SELECT ps.*, row_number() OVER (PARTITION BY ps.document_id
             ORDER BY ${order} DESC, ps.id) AS place
           FROM (SELECT ps.*, ${vector} AS vector, ${lexical} AS lexical FROM ${from} ps
             WHERE ps.org_id = $1 AND ${among}) ps) ps
         WHERE ps.place <= ${put(search.perDocument)}
         ORDER BY ${order} DESC, ps.id DESC LIMIT ${put(search.limit)}) best
     JOIN documents d ON d.org_id = $1 AND d.id = best.document_id
     JOIN files f ON f.org_id = $1 AND f.id = d.file_id ${joins}
     WHERE ${mayRead}
     ORDER BY ${firstRanking('best.vector', 'best.lexical')} DESC, best.id DESC`,
    values,
  );
  return rows.map(matchOf);
}

function matchOf(
  row: Omit<PassageMatch, 'document' | 'id'> & DocumentRow & { passageId: number },
): PassageMatch {
  const { passageId, page, heading, start, end, text, vector, lexical, tokenVectors, ...document } =
    row;
  const passage = { id: passageId, page, heading, start, end, text };
  return { ...passage, document, vector, lexical, tokenVectors };
}
