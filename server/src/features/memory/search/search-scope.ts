import type { Queryable } from '../../../db/types.ts';
import type { MemoryFilter } from '../store.ts';
import type { Reader } from '../visibility.ts';
import { countFiled, countFiltered, type VisibleCounts, type Walk } from './store.ts';

/**
 * Rows each index returns. With all LoCoMo conversations in one org, 75 didn't change the top ten; of the
 * fifty that are re-ranked, 60 missed 4 % and 75 missed 1.6 %.
 */
export const LEG_LIMIT = 80;
/**
 * What things cost, where reading and scoring a row of the table costs 1: ratios, because a slower machine is
 * slower at all of them. `npm run bench -- search` prints what each statement takes.
 */
const COSTS = { compareInIndex: 13 / 60, stepInGraph: 5 };
/** A search through the indexes at its cheapest. Up to this many rows, every row is scored. */
const FEW = 2000;
const FEWEST_STEPS = 100;
/**
 * A larger graph takes more steps. Of the nearest ten among a million, 155 steps missed 14 in a hundred, 400
 * and 1,000 up to four, and two passes of 1,000 at most one.
 */
const ROWS_PER_STEP = 650;
/** As far as pgvector goes in one pass. */
const WIDEST = 1000;

/** How many rows a search is about. */
export interface SearchScope {
  shared: number;
  /** The reader's PRIVATE rows. */
  own: number;
  /** Those that can't be compared without reading the table. */
  unindexed: number;
  /** True if scoring every row is the best way. */
  isSmall: boolean;
}

/** `few`: above this many rows the indexes are used. */
export async function searchScopeOf(
  db: Queryable,
  reader: Reader,
  filter: MemoryFilter,
  visible: VisibleCounts,
  few?: number,
): Promise<SearchScope> {
  const most = few ?? mostToRead(visible);
  const counts =
    filter.projectId === undefined
      ? countsUnder(filter, visible)
      : await countProject(db, reader, filter.projectId, filter, visible, most);
  const total = counts.shared + counts.own;
  if (!filter.tags?.length && !filter.createdAfter && !filter.createdBefore) {
    return { ...counts, isSmall: total <= (few ?? FEW) };
  }
  const isSmall = total <= most || (await countFiltered(db, reader, filter, most + 1)) <= most;
  return { ...counts, unindexed: total, isSmall };
}

type Counts = Omit<SearchScope, 'isSmall'>;

/** The counts if only one visibility is searched. */
function countsUnder({ visibility }: MemoryFilter, visible: VisibleCounts): Counts {
  const { org, projects, own } = visible;
  if (visibility === 'PRIVATE') return { shared: 0, own, unindexed: 0 };
  if (visibility === 'ORG') return { shared: org, own: 0, unindexed: 0 };
  if (visibility === 'PROJECT') return { shared: projects, own: 0, unindexed: 0 };
  return { shared: org + projects, own, unindexed: 0 };
}

/** A Project has its own scope, and other memories can belong to it. */
async function countProject(
  db: Queryable,
  reader: Reader,
  projectId: string,
  { visibility }: MemoryFilter,
  visible: VisibleCounts,
  most: number,
): Promise<Counts> {
  const inScope = visibility === 'ORG' || visibility === 'PRIVATE' ? 0 : visible.inProject;
  const filed = visibility === 'PROJECT' ? 0 : await countFiled(db, reader, projectId, most + 1);
  const own = Math.min(filed, visible.own);
  return { shared: inScope + filed - own, own, unindexed: filed };
}

/** Reading as many rows costs the same as finding them in the graph. */
function mostToRead({ indexed }: VisibleCounts): number {
  return Math.max(FEW, Math.round(Math.sqrt(COSTS.stepInGraph * LEG_LIMIT * indexed)));
}

/**
 * The smaller the visible part of the graph, the more steps until enough visible rows are found. An index
 * returns vectors by itself only where the table is settled.
 */
export function isScanFaster(reach: SearchScope, visible: VisibleCounts, limit: number): boolean {
  const { shared, own, unindexed } = reach;
  const { settled } = visible;
  const compare = settled * COSTS.compareInIndex + (1 - settled);
  const scan = (shared + own - unindexed) * compare + unindexed;
  return scan < COSTS.stepInGraph * stepsFor(limit, reach, visible) + own * compare;
}

/** As few passes as possible: another one costs about as much as the first. */
export function walkFor(limit: number, reach: SearchScope, visible: VisibleCounts): Walk {
  const steps = stepsFor(limit, reach, visible);
  if (steps <= WIDEST) return { width: steps, rows: limit };
  return { width: WIDEST, rows: Math.floor(steps * shareOf(reach, visible)) };
}

/** Enough to meet the wanted number of visible rows, and not to miss any of the nearest in a large graph. */
function stepsFor(limit: number, reach: SearchScope, visible: VisibleCounts): number {
  const enough = (1.1 * limit) / shareOf(reach, visible);
  return Math.ceil(Math.max(FEWEST_STEPS, visible.indexed / ROWS_PER_STEP, enough));
}

/** The visible part of the graph. */
function shareOf({ shared }: SearchScope, { indexed }: VisibleCounts): number {
  return Math.min(1, Math.max(1, shared) / Math.max(1, indexed));
}
