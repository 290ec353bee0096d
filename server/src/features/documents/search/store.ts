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

/** Started with the documents that the reader may read, on which everything else is built. */
interface Started {
  values: unknown[];
  put: (value: unknown) => string;
  /** Ends with `readable (id, passages)`. */
  readable: string;
}

/** The rights are checked once a statement, and not for each passage. */
function start(reader: DocumentReader, filter: DocumentFilter): Started {
  const { values, joins, mayRead } = rightsOf(reader);
  const put = (value: unknown) => `$${values.push(value)}`;
  const { projectId, fileIds, sourceId } = filter;
  const ofFiles = [
    mayRead,
    ...(projectId === undefined ? [] : [`f.project_id = ${put(projectId)}`]),
    ...(fileIds === undefined ? [] : [`f.id = ANY (${put(fileIds)})`]),
  ];
  const ofSource = sourceId === undefined ? '' : ` AND d.source_id = ${put(sourceId)}`;
  // Files first: joined at once, the planner compared each file of a Project with each document of it.
  const readable = `WITH mine AS MATERIALIZED (SELECT f.id FROM files f ${joins}
      WHERE f.org_id = $1 AND f.text_status <> 'NONE' AND ${ofFiles.join(' AND ')}),
    readable AS MATERIALIZED (SELECT d.id, d.passages FROM mine
      JOIN documents d ON d.org_id = $1 AND d.file_id = mine.id${ofSource})`;
  return { values, put, readable };
}

/** Not as a join, which the planner may repeat for each passage: with IS TRUE it is a lookup in a hash. */
const IS_READABLE = '(ps.document_id IN (SELECT r.id FROM readable r)) IS TRUE';

export interface ReadableCounts {
  passages: number;
  /** How many the vector index has across all orgs. */
  indexed: number;
  /** The share of the table whose rows an index can return without reading the table. */
  settled: number;
}

export async function countReadable(
  db: Queryable,
  reader: DocumentReader,
  filter: DocumentFilter,
): Promise<ReadableCounts> {
  const { values, readable } = start(reader, filter);
  const [row] = await db.query<ReadableCounts>(
    `${readable} SELECT coalesce(sum(r.passages), 0)::bigint AS passages,
       pg_relation_size('passages_by_vector') / ${INDEX_BYTES[db.engine]} AS indexed,
       (SELECT relallvisible::float8 / greatest(1, relpages) FROM pg_class
        WHERE oid = 'passages'::regclass) AS settled
     FROM readable r`,
    values,
  );
  return row ?? { passages: 0, indexed: 0, settled: 0 };
}

export interface TermCount {
  /** The term's position in the given array, from 1. */
  at: number;
  passages: number;
}

/** How many readable passages contain each term, counted up to `most`. */
export function countTerms(
  db: Queryable,
  reader: DocumentReader,
  hashes: readonly number[],
  most: number,
): Promise<TermCount[]> {
  const { values, put, readable } = start(reader, {});
  return queryWith<TermCount>(
    db,
    plannedForValues(db),
    `${readable} SELECT asked.at, (SELECT count(*) FROM (
         SELECT FROM passages ps WHERE ps.org_id = $1 AND ps.terms @> ARRAY[asked.term]
           AND ${IS_READABLE} LIMIT ${put(most)}) having_it) AS passages
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
  filter: DocumentFilter;
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

/** The ids of the best passages by words, among at most `most` readable ones with the terms. */
export async function findByWords(
  db: Queryable,
  reader: DocumentReader,
  { filter, words }: Pick<RankedSearch, 'filter' | 'words'>,
  { any, all }: LookupTerms,
  { most, limit }: { most: number; limit: number },
): Promise<number[]> {
  const { values, put, readable } = start(reader, filter);
  const has = [
    ...(any.length > 0 ? [`terms && ${put(any)}::bigint[]`] : []),
    ...(all.length > 0 ? [`terms @> ${put(all)}::bigint[]`] : []),
  ];
  if (has.length === 0) return [];
  // OFFSET 0 keeps the planner from reading all passages of the readable documents instead.
  const rows = await queryWith<{ id: number }>(
    db,
    plannedForValues(db),
    `${readable} SELECT ps.id FROM (
       SELECT ps.id, ps.term_weights FROM (SELECT id, document_id, term_weights FROM passages
         WHERE org_id = $1 AND (${has.join(' OR ')}) OFFSET 0) ps
       WHERE ${IS_READABLE} LIMIT ${put(most)}) ps
     ORDER BY ${lexicalScore('ps', put(words))} DESC LIMIT ${put(limit)}`,
    values,
  );
  return rows.map(({ id }) => id);
}

/**
 * The ids of the nearest readable passages, by comparing with each. Their vectors are in an index by document. With
 * the 0, the planner does not take the graph, which finds only some.
 */
export async function scanVectors(
  db: Queryable,
  reader: DocumentReader,
  { filter, model }: Pick<RankedSearch, 'filter' | 'model'>,
  { head }: QueryVector,
  limit: number,
): Promise<number[]> {
  const { values, put, readable } = start(reader, filter);
  const rows = await queryWith<{ id: number }>(
    db,
    plannedForValues(db),
    `${readable} SELECT ps.id FROM readable r
     JOIN passages ps ON ps.org_id = $1 AND ps.document_id = r.id
       AND ps.embedding_model = ${put(model)}
     ORDER BY (ps.head <=> ${put(head)}::halfvec(384)) + 0 LIMIT ${put(limit)}`,
    values,
  );
  return rows.map(({ id }) => id);
}

/** The ids of the nearest readable passages that a walk through the graph meets. */
export async function findByVector(
  db: Queryable,
  reader: DocumentReader,
  { filter, model }: Pick<RankedSearch, 'filter' | 'model'>,
  { head }: QueryVector,
  walk: Walk,
  limit: number,
): Promise<number[]> {
  const { values, put, readable } = start(reader, filter);
  const distance = indexedDistance(db, 'ps', put(head));
  // The planner takes rows from the index for sorted, but another pass may have nearer ones: hence the 0.
  const rows = await queryWith<{ id: number }>(
    db,
    settingsOf(walk),
    `${readable} SELECT ps.id FROM (SELECT ps.id, ${distance} AS distance FROM passages ps
       WHERE ps.org_id = $1 AND ${IS_READABLE} AND ps.embedding_model = ${put(model)}
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

/** The best by the first ranking: of these passages, or of all readable ones. */
export async function rankPassages(
  db: Queryable,
  reader: DocumentReader,
  search: RankedSearch,
  ids?: readonly number[],
): Promise<PassageMatch[]> {
  const { values, put, readable } = start(reader, search.filter);
  const vector = search.vector
    ? vectorScore('ps', search.vector, put(search.model), put)
    : 'NULL::float8';
  const lexical = lexicalScore('ps', put(search.words));
  // OFFSET 0: the planner does not know how many ids there are, and may read whole documents instead.
  const among = ids
    ? `(SELECT * FROM passages WHERE org_id = $1 AND id = ANY (${put(ids)}::bigint[]) OFFSET 0)`
    : 'passages';
  const order = firstRanking('ps.vector', 'ps.lexical');
  const rows = await queryWith<
    Omit<PassageMatch, 'document' | 'id'> & DocumentRow & { passageId: number }
  >(
    db,
    plannedForValues(db),
    `${readable} SELECT best.id AS "passageId", best.page, best.heading, best.start_at AS start, best.end_at AS end,
       best.text, best.vector, best.lexical,
       CASE WHEN best.token_model = ${put(search.tokenModel)} THEN best.token_vectors END AS "tokenVectors",
       ${DOCUMENT_COLUMNS}
     FROM (SELECT ps.*, row_number() OVER (PARTITION BY ps.document_id
           ORDER BY ${order} DESC, ps.id) AS place
         FROM (SELECT ps.*, ${vector} AS vector, ${lexical} AS lexical FROM ${among} ps
           WHERE ps.org_id = $1 AND ${IS_READABLE}) ps) best
     JOIN documents d ON d.org_id = $1 AND d.id = best.document_id
     JOIN files f ON f.org_id = $1 AND f.id = d.file_id
     WHERE best.place <= ${put(search.perDocument)}
     ORDER BY ${firstRanking('best.vector', 'best.lexical')} DESC, best.id DESC
     LIMIT ${put(search.limit)}`,
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
