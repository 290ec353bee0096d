import type { Queryable } from '../../../db/types.ts';
import type { MemoryFilter } from '../store.ts';
import type { Reader } from '../visibility.ts';
import { countFiled, countFiltered, type VisibleCounts } from './store.ts';

/** Up to this many rows, scoring every row is as fast as the indexes: 7 ms here. */
const FEW = 2000;
/** Microseconds: comparing a vector in an index of scopes, reading and scoring a row, a step in the graph. */
const COMPARE = 0.65;
const READ = 3;
const STEP = 15;

/** How many rows a search is about. */
export interface Reach {
  shared: number;
  /** The reader's PRIVATE rows. */
  own: number;
  /** Those that can't be compared without reading the table. */
  unindexed: number;
  /** True if scoring every row is the best way. */
  isSmall: boolean;
}

/** `few`: above this many rows the indexes are used. */
export async function reachOf(
  db: Queryable,
  reader: Reader,
  filter: MemoryFilter,
  visible: VisibleCounts,
  few?: number,
): Promise<Reach> {
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

type Counts = Omit<Reach, 'isSmall'>;

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
  return Math.max(FEW, Math.round(Math.sqrt(400 * indexed)));
}

/**
 * The smaller the visible part of the graph, the more steps until enough visible rows are found. An index
 * returns vectors by itself only where the table is settled.
 */
export function isScanFaster(
  { shared, own, unindexed }: Reach,
  { indexed, settled }: VisibleCounts,
  limit: number,
): boolean {
  const compare = settled * COMPARE + (1 - settled) * READ;
  const scan = (shared + own - unindexed) * compare + unindexed * READ;
  return scan < (STEP * limit * indexed) / Math.max(1, shared) + own * compare;
}

/** Wide enough to find the rows in one pass. Continuing costs half as much again. */
export function widthFor(limit: number, { shared }: Reach, { indexed }: VisibleCounts): number {
  const share = Math.min(1, shared / Math.max(1, indexed));
  return Math.min(400, Math.max(100, Math.ceil((1.1 * limit) / share)));
}
