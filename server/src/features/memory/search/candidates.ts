import type { Queryable } from '../../../db/types.ts';
import type { Reader } from '../visibility.ts';
import { hashTerm, queryVector, rarityOf, saltOf } from '../../../text/words/lexical.ts';
import type { ReadQuery } from '../../../text/words/terms.ts';
import {
  isScanFaster,
  LEG_LIMIT,
  searchScopeOf,
  walkFor,
  type SearchScope,
} from './search-scope.ts';
import {
  countTerms,
  countVisible,
  findByVector,
  findByWords,
  rankFound,
  scanVectors,
  searchAll,
  type LookupTerms,
  type Match,
  type QueryVector,
  type RankedSearch,
  type VisibleCounts,
} from './store.ts';

/** Only the rarest words of a query count. More don't matter, even for 2,000 characters. */
const MOST_WORDS = 32;
/** Rows each index returns if only a part of the vector is indexed. */
const ROUGH_LEG_LIMIT = 240;
/** The most rows the rare terms of a query may have; 300 were enough there. */
const RARE_ROWS = 1000;
/** Rows scanned for words, including common terms: 4 ms here. */
const WORD_ROWS = { most: 2000, limit: LEG_LIMIT };
/** Rows scanned if the vector index doesn't find enough. */
const LOOKED_AT_MOST = 200_000;

export interface CandidateSearch extends Omit<RankedSearch, 'vector' | 'words'> {
  query: ReadQuery;
  /** For tests and benchmarks: above this many rows the indexes are used. */
  few?: number;
}

export interface QueryTerm {
  /** A word has a term for each language that it may be in. */
  word: string;
  term: string;
  /** Its hash in shared memories, and in the reader's PRIVATE ones. */
  hash: number;
  ownHash: number;
  /** The number of visible memories that contain it, and how many of them are PRIVATE. */
  memories: number;
  own: number;
  /** Of the word, whichever of its terms a memory has. */
  rarity: number;
}

/** The best by the first ranking. Words are looked up while the model encodes the query. */
export async function findCandidates(
  db: Queryable,
  reader: Reader,
  search: CandidateSearch,
  encoding: Promise<QueryVector | undefined>,
): Promise<{ matches: Match[]; terms: QueryTerm[]; among: number }> {
  const [visible, counted] = await Promise.all([
    countVisible(db, reader, search.filter.projectId),
    countQueryTerms(db, reader, search.query),
  ]);
  const reach = await searchScopeOf(db, reader, search.filter, visible, search.few);
  const among = visible.org + visible.projects + visible.own;
  const terms = rarestOf(counted, among);
  const words = queryVector(raritiesOf(terms, 'term'), sumOfRarities(terms));
  if (reach.isSmall) {
    const whole = { ...search, words, vector: await encoding };
    return { terms, among, matches: await searchAll(db, reader, whole) };
  }
  const [vector, byWords, byVector] = await Promise.all([
    encoding,
    findByWords(db, reader, { ...search, words }, lookUps(terms, visible, reach), WORD_ROWS),
    encoding.then((known) => (known ? nearest(db, reader, search, known, visible, reach) : [])),
  ]);
  const positions = [...new Set([...byWords, ...byVector])];
  const matches = await rankFound(db, reader, { ...search, words, vector }, positions);
  return { terms, among, matches };
}

type CountedTerm = Omit<QueryTerm, 'rarity'>;

/** Memories the reader can't see are not counted. */
async function countQueryTerms(
  db: Queryable,
  reader: Reader,
  query: ReadQuery,
): Promise<CountedTerm[]> {
  const terms = query.words.flatMap(({ word, terms: some }) =>
    some.map((term) => ({ word, term })),
  );
  const hashes = terms.map(({ term }) => hashTerm(term, saltOf(reader.orgId, null)));
  const ownHashes = terms.map(({ term }) => hashTerm(term, saltOf(reader.orgId, reader.userId)));
  const counts = await countTerms(db, reader, hashes, ownHashes);
  const countAt = new Map(counts.map(({ at, memories, own }) => [at - 1, { memories, own }]));
  return terms.map(({ word, term }, at) => ({
    word,
    term,
    hash: hashes[at] ?? 0,
    ownHash: ownHashes[at] ?? 0,
    ...(countAt.get(at) ?? { memories: 0, own: 0 }),
  }));
}

/** The terms of the rarest words. */
export function rarestOf<Term extends Pick<CountedTerm, 'word' | 'memories'>>(
  terms: readonly Term[],
  visible: number,
): (Term & { rarity: number })[] {
  const byWord = Map.groupBy(terms, ({ word }) => word);
  return [...byWord.values()]
    .map((some) => ({ some, memories: some.reduce((sum, { memories }) => sum + memories, 0) }))
    .toSorted((a, b) => a.memories - b.memories)
    .slice(0, MOST_WORDS)
    .flatMap(({ some, memories }) => {
      const rarity = rarityOf(Math.min(memories, visible), visible);
      return some.map((term) => ({ ...term, rarity }));
    });
}

/** By term, or by word. */
export function raritiesOf(
  terms: readonly Pick<QueryTerm, 'word' | 'term' | 'rarity'>[],
  by: 'term' | 'word',
): ReadonlyMap<string, number> {
  return new Map(terms.map((term) => [term[by], term.rarity]));
}

export function sumOfRarities(
  terms: readonly Pick<QueryTerm, 'word' | 'term' | 'rarity'>[],
): number {
  return [...raritiesOf(terms, 'word').values()].reduce((sum, rarity) => sum + rarity, 0);
}

/** Shared memories and the reader's PRIVATE ones have the same terms under different hashes. */
function lookUps(
  terms: readonly QueryTerm[],
  visible: VisibleCounts,
  reach: SearchScope,
): LookupTerms[] {
  const shared = terms.map(({ word, hash, memories, own }) => ({
    word,
    hash,
    memories: memories - own,
  }));
  const own = terms.map(({ word, ownHash, own: memories }) => ({ word, hash: ownHash, memories }));
  return [
    ...(reach.shared > 0 ? [lookUpTerms(shared, visible.org + visible.projects)] : []),
    ...(reach.own > 0 ? [lookUpTerms(own, visible.own)] : []),
  ];
}

type CountedHash = Pick<QueryTerm, 'word' | 'hash' | 'memories'>;

/**
 * How to find rows if there are many: by any rare term, or by the rarest common terms together. A row
 * with only one common term would not be among the best.
 */
export function lookUpTerms(terms: readonly CountedHash[], visible: number): LookupTerms {
  const rarestFirst = terms
    .filter(({ memories }) => memories > 0)
    .toSorted((a, b) => a.memories - b.memories);
  const rare: CountedHash[] = [];
  let rows = 0;
  for (const term of rarestFirst) {
    rows += term.memories;
    if (rows > RARE_ROWS) break;
    rare.push(term);
  }
  const together: CountedHash[] = [];
  // The expected number of rows with all of them, if terms were independent.
  let expected = visible;
  for (const term of rarestFirst.slice(rare.length)) {
    if (together.length >= 2 && expected < RARE_ROWS / 4) break;
    // No row has two terms of one word.
    if (together.some(({ word }) => word === term.word)) continue;
    expected *= term.memories / visible;
    together.push(term);
  }
  return { any: rare.map(({ hash }) => hash), all: together.map(({ hash }) => hash) };
}

/** The nearest shared rows, and the nearest of the reader's own, which are not in the graph. */
async function nearest(
  db: Queryable,
  reader: Reader,
  search: CandidateSearch,
  vector: QueryVector,
  visible: VisibleCounts,
  reach: SearchScope,
): Promise<number[]> {
  const limit = vector.whole === undefined ? LEG_LIMIT : ROUGH_LEG_LIMIT;
  const scan = () => scanVectors(db, reader, search, vector, limit);
  if (isScanFaster(reach, visible, limit)) return scan();
  const own = { ...search, filter: { ...search.filter, visibility: 'PRIVATE' as const } };
  const walk = walkFor(limit, reach, visible);
  const [found, foundOwn] = await Promise.all([
    findByVector(db, reader, search, vector, walk, limit),
    reach.own > 0 ? scanVectors(db, reader, own, vector, limit) : [],
  ]);
  const isEnough = found.length >= Math.min(limit, reach.shared);
  return isEnough || reach.shared + reach.own > LOOKED_AT_MOST ? [...found, ...foundOwn] : scan();
}
