import type { Queryable } from '../../../db/types.ts';
import type { MemoryFilter } from '../store.ts';
import type { Reader } from '../visibility.ts';
import { hashTerm, queryVector, rarityOf, saltOf } from '../words/lexical.ts';
import { queryTermsOf } from '../words/terms.ts';
import {
  countFiltered,
  countTerms,
  countVisible,
  findByVector,
  findByWords,
  rankFound,
  searchAll,
  type LookupTerms,
  type Match,
  type QueryVector,
  type VisibleCounts,
} from './store.ts';

/** Up to this many rows, scoring every row is as fast as the indexes: 7 ms here. */
const FEW = 2000;
/** Only the rarest terms of a query count. More don't matter, even for 2,000 characters. */
const MOST_TERMS = 32;
/**
 * Rows each index returns. With all LoCoMo conversations in one org, 75 didn't change the top ten; of the
 * fifty that are re-ranked, 60 missed 4 % and 75 missed 1.6 %.
 */
export const LEG_LIMIT = 80;
/** The same if only a part of the vector is indexed. */
const ROUGH_LEG_LIMIT = 240;
/** The most rows the rare terms of a query may have; 300 were enough there. */
const RARE_ROWS = 1000;
/** Rows scanned for words, including common terms: 4 ms here. */
const WORDS_LOOKED_AT = 2000;
/** Rows scanned if the vector index doesn't find enough: 0.7 s here. */
const LOOKED_AT_MOST = 200_000;

export interface CandidateSearch {
  text: string;
  filter: MemoryFilter;
  model: string;
  tokenModel: string;
  limit: number;
  /** For tests and benchmarks: above this many rows the indexes are used. */
  few?: number;
}

export interface QueryTerm {
  term: string;
  /** Its hash in shared memories. */
  hash: number;
  /** The number of visible memories that contain it. */
  memories: number;
  rarity: number;
}

/** The best by the first ranking. Words are looked up while the model encodes the query. */
export async function findCandidates(
  db: Queryable,
  reader: Reader,
  search: CandidateSearch,
  encoding: Promise<QueryVector | undefined>,
): Promise<{ matches: Match[]; terms: QueryTerm[] }> {
  const visible = await countVisible(db, reader);
  const counts = countsUnder(search.filter, visible);
  const few = await isFew(db, reader, search, counts);
  const counting = readTerms(db, reader, search.text, sum(visible));
  const [terms, vector, byWords, byVector] = await Promise.all([
    counting,
    encoding,
    few ? [] : counting.then((all) => haveWords(db, reader, search, all, sum(visible))),
    few ? undefined : encoding.then((known) => nearest(db, reader, search, known, counts)),
  ]);
  const rankedSearch = { ...search, vector, words: wordsOf(terms) };
  const matches = byVector
    ? await rankFound(db, reader, rankedSearch, [...new Set([...byWords, ...byVector])], counts)
    : await searchAll(db, reader, rankedSearch);
  return { terms, matches };
}

/** The query's terms, rarest first. Memories the reader can't see are not counted. */
async function readTerms(
  db: Queryable,
  reader: Reader,
  text: string,
  visible: number,
): Promise<QueryTerm[]> {
  const terms = queryTermsOf(text);
  const shared = terms.map((term) => hashTerm(term, saltOf(reader.orgId, null)));
  const own = terms.map((term) => hashTerm(term, saltOf(reader.orgId, reader.userId)));
  const counts = await countTerms(db, reader, shared, own);
  const memoriesAt = new Map(counts.map(({ at, memories }) => [at - 1, memories]));
  return terms
    .map((term, at) => {
      const memories = memoriesAt.get(at) ?? 0;
      return { term, hash: shared[at] ?? 0, memories, rarity: rarityOf(memories, visible) };
    })
    .toSorted((a, b) => a.memories - b.memories)
    .slice(0, MOST_TERMS);
}

function wordsOf(terms: readonly QueryTerm[]): string {
  return queryVector(new Map(terms.map(({ term, rarity }) => [term, rarity])));
}

function sum({ org, projects, own }: VisibleCounts): number {
  return org + projects + own;
}

/** The counts if only one visibility is searched. */
export function countsUnder({ visibility }: MemoryFilter, visible: VisibleCounts): VisibleCounts {
  if (visibility === undefined) return visible;
  const none = { ...visible, org: 0, projects: 0, own: 0 };
  if (visibility === 'ORG') return { ...none, org: visible.org };
  return visibility === 'PROJECT'
    ? { ...none, projects: visible.projects }
    : { ...none, own: visible.own };
}

async function isFew(
  db: Queryable,
  reader: Reader,
  { filter, few }: CandidateSearch,
  counts: VisibleCounts,
): Promise<boolean> {
  const most = few ?? fewOf(counts);
  if (sum(counts) <= most) return true;
  const { projectId, tags, createdAfter, createdBefore } = filter;
  const isFiltered = [projectId, tags?.length, createdAfter, createdBefore].some(Boolean);
  return isFiltered && (await countFiltered(db, reader, filter, most + 1)) <= most;
}

/**
 * Scoring a row takes 3 µs and a step in the graph 15 µs; the smaller the visible part of the index, the
 * more steps. The two cost the same when the square of the rows is 400 times the index size.
 */
function fewOf({ indexed }: VisibleCounts): number {
  return Math.max(FEW, Math.round(Math.sqrt(400 * indexed)));
}

function haveWords(
  db: Queryable,
  reader: Reader,
  { filter }: CandidateSearch,
  terms: readonly QueryTerm[],
  visible: number,
): Promise<number[]> {
  const rows = { most: WORDS_LOOKED_AT, limit: LEG_LIMIT };
  return findByWords(
    db,
    reader,
    { filter, words: wordsOf(terms) },
    lookUpTerms(terms, visible),
    rows,
  );
}

/**
 * How to find rows if there are many: by any rare term, or by the rarest common terms together. A row
 * with only one common term would not be among the best.
 */
function lookUpTerms(terms: readonly QueryTerm[], visible: number): LookupTerms {
  const rare: QueryTerm[] = [];
  let rows = 0;
  for (const term of terms) {
    rows += term.memories;
    if (rows > RARE_ROWS) break;
    rare.push(term);
  }
  const together: QueryTerm[] = [];
  // The expected number of rows with all of them, if terms were independent.
  let expected = visible;
  for (const term of terms.slice(rare.length)) {
    if (together.length >= 2 && expected < RARE_ROWS / 4) break;
    expected *= term.memories / visible;
    together.push(term);
  }
  return { any: rare.map(({ hash }) => hash), all: together.map(({ hash }) => hash) };
}

/** Undefined if the index did not find enough rows, so that all of them have to be scored. */
async function nearest(
  db: Queryable,
  reader: Reader,
  search: CandidateSearch,
  vector: QueryVector | undefined,
  counts: VisibleCounts,
): Promise<number[] | undefined> {
  const shared = counts.org + counts.projects;
  if (!vector || shared === 0) return [];
  const limit = vector.whole === undefined ? LEG_LIMIT : ROUGH_LEG_LIMIT;
  const width = widthFor(limit, counts);
  const found = await findByVector(db, reader, search, vector, { width, limit });
  return found.length < Math.min(limit, shared) && sum(counts) <= LOOKED_AT_MOST
    ? undefined
    : found;
}

/** Wide enough to find the rows in one pass. Continuing costs half as much again. */
export function widthFor(limit: number, { org, projects, indexed }: VisibleCounts): number {
  const share = Math.min(1, (org + projects) / Math.max(1, indexed));
  return Math.min(400, Math.max(100, Math.ceil((1.1 * limit) / share)));
}
