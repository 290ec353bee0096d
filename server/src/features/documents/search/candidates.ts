import type { Queryable } from '../../../db/types.ts';
import { hashTerm, queryVector, saltOf } from '../../../text/words/lexical.ts';
import type { ReadQuery } from '../../../text/words/terms.ts';
import {
  isScanFaster,
  LEG_LIMIT,
  lookUpTerms,
  raritiesOf,
  rarestOf,
  sumOfRarities,
  walkFor,
} from '../../memory/service.ts';
import type { DocumentReader } from '../reader.ts';
import {
  countTerms,
  findByVector,
  findByWords,
  findReadable,
  rankPassages,
  scanVectors,
  type Among,
  type DocumentFilter,
  type PassageMatch,
  type QueryVector,
  type RankedSearch,
  type Readable,
} from './store.ts';

/** Up to this many passages, every one is scored. */
const FEW = 2_000;
/** A term is counted up to here. One that more passages have is taken to be in a tenth of all. */
const COUNTED = 1_000;
/** Passages scanned for words, including common terms. */
const WORD_ROWS = { most: 2_000, limit: LEG_LIMIT };
/** Passages compared if the vector index doesn't find enough. */
const LOOKED_AT_MOST = 200_000;

export interface CandidateSearch extends Omit<RankedSearch, 'vector' | 'words'> {
  query: ReadQuery;
  filter: DocumentFilter;
  /** For tests and benchmarks: above this many passages the indexes are used. */
  few?: number | undefined;
}

interface QueryTerm {
  word: string;
  term: string;
  hash: number;
  /** How many readable passages have it. */
  memories: number;
  rarity: number;
}

/** The best by the first ranking. Words are looked up while the model encodes the query. */
export async function findCandidates(
  db: Queryable,
  reader: DocumentReader,
  search: CandidateSearch,
  encoding: Promise<QueryVector | undefined>,
): Promise<{ matches: PassageMatch[]; terms: QueryTerm[]; among: number }> {
  const terms = search.query.words.flatMap(({ word, terms: some }) =>
    some.map((term) => ({ word, term, hash: hashTerm(term, saltOf(reader.orgId, null)) })),
  );
  const hashes = terms.map(({ hash }) => hash);
  const readable = await findReadable(db, reader, search.filter);
  const { all, filtered } = readable;
  const { orgId } = reader;
  const everything = { orgId, documentIds: all.ids };
  const counted = hashes.length === 0 ? [] : await countTerms(db, everything, hashes, COUNTED);
  const countAt = new Map(counted.map(({ at, passages }) => [at - 1, passages]));
  const known = terms.map((term, at) => ({
    ...term,
    memories: countOf(countAt.get(at) ?? 0, all.passages),
  }));
  const rarest = rarestOf(known, all.passages);
  const words = queryVector(raritiesOf(rarest, 'term'), sumOfRarities(rarest));
  const found = { terms: rarest, among: all.passages };
  if (filtered.passages <= (search.few ?? FEW)) {
    const whole = { ...search, words, vector: await encoding };
    return { ...found, matches: await rankPassages(db, reader, filtered.ids, whole) };
  }
  const among = { orgId, documentIds: filtered.ids };
  const lookup = lookUpTerms(rarest, all.passages);
  const [vector, byWords, byVector] = await Promise.all([
    encoding,
    findByWords(db, among, { words }, lookup, WORD_ROWS),
    encoding.then((query) => (query ? nearest(db, among, search, query, readable) : [])),
  ]);
  const ids = [...new Set([...byWords, ...byVector])];
  const ranked = { ...search, words, vector };
  const matches = await rankPassages(db, reader, among.documentIds, ranked, ids);
  return { ...found, matches };
}

function countOf(counted: number, all: number): number {
  return counted < COUNTED ? counted : Math.max(counted, Math.round(all / 10));
}

async function nearest(
  db: Queryable,
  among: Among,
  search: CandidateSearch,
  vector: QueryVector,
  { filtered: { passages: shared }, indexed, settled }: Readable,
): Promise<number[]> {
  const scan = () => scanVectors(db, among, search, vector, LEG_LIMIT);
  const reach = { shared, own: 0, unindexed: 0, isSmall: false };
  const visible = { org: shared, projects: 0, own: 0, inProject: 0, indexed, settled };
  if (isScanFaster(reach, visible, LEG_LIMIT)) return scan();
  const walk = walkFor(LEG_LIMIT, reach, visible);
  const found = await findByVector(db, among, search, vector, walk, LEG_LIMIT);
  const isEnough = found.length >= LEG_LIMIT;
  return isEnough || shared > LOOKED_AT_MOST ? found : scan();
}
