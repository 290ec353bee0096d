import type { Priority } from '../text-encoder.ts';

/** A unit of work: a window for the model, or some memories to re-rank. */
export interface Unit {
  /** In tokens. Units that run together are padded to the widest. */
  width: number;
  /** Not for the model, so never in a batch with others. */
  isAlone?: boolean;
}

export interface Work<U extends Unit> {
  orgId: string;
  /** The cost of opening it. */
  characters: number;
  open(): U[];
}

const PRIORITIES: Priority[] = ['query', 'write', 'background'];
/** How many more urgent batches may go first, so that a stream of queries never stops all writes. */
const PASSED_OVER_AT_MOST = 8;
/** The number of units to search for similar lengths. */
const LOOK_AHEAD = 64;
/** Characters opened per batch, in addition to the text whose turn it is: a few milliseconds. */
const MAX_OPENED_CHARACTERS = 4_000;
/** A full window or eight texts of 30 words: 40 ms, the longest anyone else has to wait. */
export const MAX_BATCH_TOKENS = 256;
/** For writes while people search: a query waits for one such batch, and its re-ranking for another. */
export const MAX_BATCH_TOKENS_BESIDE_QUERIES = 96;

/** The waiting work of one org, in order of arrival. */
interface Share<W, U> {
  works: W[];
  units: U[];
}

interface PriorityQueue<W, U> {
  priority: Priority;
  /** The org whose turn it is comes first. */
  shares: Map<string, Share<W, U>>;
  passedOver: number;
}

/**
 * Work goes by priority; within a priority, orgs take turns. A batch has the oldest unit of the org whose
 * turn it is and the units closest to its length, to limit padding. Texts are opened shortly before their
 * turn.
 */
export function createSchedule<W extends Work<U>, U extends Unit>() {
  const queues = PRIORITIES.map((priority): PriorityQueue<W, U> => ({
    priority,
    shares: new Map(),
    passedOver: 0,
  }));
  /** True if a query or a re-ranking is waiting. */
  const hasQueries = () =>
    queues.some(({ priority, shares }) => priority === 'query' && shares.size > 0);

  return {
    add(priority: Priority, work: W): void {
      const shares = queues.find((queue) => queue.priority === priority)?.shares;
      const share = shares?.get(work.orgId) ?? { works: [], units: [] };
      share.works.push(work);
      shares?.set(work.orgId, share);
    },
    /** What to run next, up to this many tokens. Empty if nothing is waiting. */
    takeBatch(mostTokens = MAX_BATCH_TOKENS): U[] {
      const shares = nextQueue(queues)?.shares;
      const [turn] = shares ?? [];
      if (!shares || !turn) return [];
      openNext(shares, turn[1]);
      const batch = pickBatch(inTurn(shares), mostTokens);
      const taken = new Set(batch);
      for (const share of shares.values()) {
        share.units = share.units.filter((unit) => !taken.has(unit));
      }
      // Move the org to the end of the round.
      shares.delete(turn[0]);
      shares.set(...turn);
      forgetEmpty(shares);
      return batch;
    },
    hasQueries,
    /** True if texts are waiting, but no query, and too few of them to fill a batch. */
    hasRoomForMore() {
      if (hasQueries()) return false;
      const shares = queues.flatMap((queue) => [...queue.shares.values()]);
      const texts = shares.reduce((sum, { works, units }) => sum + works.length + units.length, 0);
      return (
        texts > 0 && shares.reduce((sum, share) => sum + tokensOf(share), 0) < MAX_BATCH_TOKENS
      );
    },
    /** Drops work that is not opened yet and units that are not taken yet. */
    drop(isDropped: (each: W | U) => boolean): void {
      for (const { shares } of queues) {
        for (const share of shares.values()) {
          share.works = share.works.filter((work) => !isDropped(work));
          share.units = share.units.filter((unit) => !isDropped(unit));
        }
        forgetEmpty(shares);
      }
    },
  };
}

/** The most urgent queue with work, unless another was passed over too often. */
function nextQueue<W, U>(queues: PriorityQueue<W, U>[]): PriorityQueue<W, U> | undefined {
  const waiting = queues.filter(({ shares }) => shares.size > 0);
  const next = waiting.find(({ passedOver }) => passedOver >= PASSED_OVER_AT_MOST) ?? waiting[0];
  for (const queue of waiting) queue.passedOver++;
  if (next) next.passedOver = 0;
  return next;
}

/** Opens the next text of the org whose turn it is, then short texts of all orgs while there is room. */
function openNext<W extends Work<U>, U extends Unit>(
  shares: Map<string, Share<W, U>>,
  turn: Share<W, U>,
): void {
  const open = (share: Share<W, U>) => share.units.push(...(share.works.shift()?.open() ?? []));
  if (turn.units.length === 0) open(turn);
  let room = MAX_OPENED_CHARACTERS;
  let units = 0;
  for (const share of shares.values()) units += share.units.length;
  for (let isDone = false; !isDone;) {
    isDone = true;
    for (const share of shares.values()) {
      const next = share.works[0];
      if (!next || next.characters > room || units >= LOOK_AHEAD) continue;
      room -= next.characters;
      units -= share.units.length;
      open(share);
      units += share.units.length;
      isDone = false;
    }
  }
}

/** The first unit of each org, then the second of each, up to LOOK_AHEAD. */
function inTurn<W, U>(shares: Map<string, Share<W, U>>): U[] {
  const units: U[] = [];
  for (let at = 0, found = -1; units.length < LOOK_AHEAD && found < units.length; at++) {
    found = units.length;
    for (const share of shares.values()) {
      const unit = share.units[at];
      if (unit) units.push(unit);
    }
  }
  return units;
}

function pickBatch<U extends Unit>(units: U[], mostTokens: number): U[] {
  const [oldest] = units;
  if (!oldest || oldest.isAlone) return units.slice(0, 1);
  const distance = ({ width }: U) => Math.abs(width - oldest.width);
  const batch: U[] = [];
  let widest = 0;
  // A stable sort: the oldest unit, at distance 0 and in front, stays first.
  for (const unit of units.toSorted((a, b) => distance(a) - distance(b))) {
    if (unit.isAlone) continue;
    widest = Math.max(widest, unit.width);
    if (batch.length > 0 && (batch.length + 1) * widest > mostTokens) break;
    batch.push(unit);
  }
  return batch;
}

/** About four characters are a token. */
function tokensOf<W extends Work<U>, U extends Unit>({ works, units }: Share<W, U>): number {
  return (
    works.reduce((sum, { characters }) => sum + characters / 4, 0) +
    units.reduce((sum, { width }) => sum + width, 0)
  );
}

function forgetEmpty<W, U>(shares: Map<string, Share<W, U>>): void {
  for (const [orgId, { works, units }] of shares) {
    if (works.length + units.length === 0) shares.delete(orgId);
  }
}
