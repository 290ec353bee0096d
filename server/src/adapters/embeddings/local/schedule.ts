import type { Priority } from '../text-encoder.ts';

/** What the thread does at one go: a window for the model, or some memories to be ranked again. */
export interface Unit {
  /** Tokens, with padding counted when units run together. */
  width: number;
  /** Not something for the model, so never in a batch with others. */
  isAlone?: boolean;
}

export interface Work<U extends Unit> {
  orgId: string;
  /** What opening it costs. */
  characters: number;
  open(): U[];
}

export interface Schedule<W extends Work<U>, U extends Unit> {
  add(priority: Priority, work: W): void;
  /** What to run next; empty when nothing waits. */
  takeBatch(): U[];
  /** Forgets what is not opened yet, and units that are not taken yet. */
  drop(isWork: (work: W) => boolean, isUnit: (unit: U) => boolean): void;
}

const PRIORITIES: Priority[] = ['query', 'write', 'background'];
/** Batches of more urgent work that may go first, so that a stream of queries never stops all writes. */
const PASSED_OVER_AT_MOST = 8;
/** Units among which those of similar length are looked for. */
const LOOK_AHEAD = 64;
/** Read in one turn, beside the text whose turn it is: a few milliseconds. */
const MAX_OPENED_CHARACTERS = 4_000;
/** A full window, or eight texts of 30 words: 40 ms, which is how long anybody else may have to wait. */
export const MAX_BATCH_TOKENS = 256;

/** What one org waits for, in order of arrival. */
interface Share<W, U> {
  works: W[];
  units: U[];
}

interface Lane<W, U> {
  priority: Priority;
  /** The org whose turn it is comes first. */
  shares: Map<string, Share<W, U>>;
  passedOver: number;
}

/**
 * Work by priority, and within it by org in turn, each in order of arrival. A batch has the oldest unit of
 * the org whose turn it is, and those nearest to its length, so that little is padded and nobody waits for
 * all that another org has sent. Texts are opened only when their turn is near.
 */
export function createSchedule<W extends Work<U>, U extends Unit>(): Schedule<W, U> {
  const lanes = PRIORITIES.map((priority): Lane<W, U> => ({
    priority,
    shares: new Map(),
    passedOver: 0,
  }));

  return {
    add(priority, work) {
      const shares = lanes.find((lane) => lane.priority === priority)?.shares;
      const share = shares?.get(work.orgId) ?? { works: [], units: [] };
      share.works.push(work);
      shares?.set(work.orgId, share);
    },
    takeBatch() {
      const shares = nextLane(lanes)?.shares;
      const [turn] = shares ?? [];
      if (!shares || !turn) return [];
      openNext(shares, turn[1]);
      const batch = pickBatch(inTurn(shares));
      const taken = new Set(batch);
      for (const share of shares.values()) {
        share.units = share.units.filter((unit) => !taken.has(unit));
      }
      // To the end of the round.
      shares.delete(turn[0]);
      shares.set(...turn);
      forgetEmpty(shares);
      return batch;
    },
    drop(isWork, isUnit) {
      for (const { shares } of lanes) {
        for (const share of shares.values()) {
          share.works = share.works.filter((work) => !isWork(work));
          share.units = share.units.filter((unit) => !isUnit(unit));
        }
        forgetEmpty(shares);
      }
    },
  };
}

/** The most urgent that has work, unless another was passed over too often. */
function nextLane<W, U>(lanes: Lane<W, U>[]): Lane<W, U> | undefined {
  const waiting = lanes.filter(({ shares }) => shares.size > 0);
  const next = waiting.find(({ passedOver }) => passedOver >= PASSED_OVER_AT_MOST) ?? waiting[0];
  for (const lane of waiting) lane.passedOver++;
  if (next) next.passedOver = 0;
  return next;
}

/** The next text of the org whose turn it is, then short ones of all orgs in turn while there is room. */
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

/** The first unit of each org, then the second of each, as far as anybody looks ahead. */
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

function pickBatch<U extends Unit>(units: U[]): U[] {
  const [oldest] = units;
  if (!oldest || oldest.isAlone) return units.slice(0, 1);
  const distance = ({ width }: U) => Math.abs(width - oldest.width);
  const batch: U[] = [];
  let widest = 0;
  // A stable sort: the oldest unit, at distance 0 and in front, stays first.
  for (const unit of units.toSorted((a, b) => distance(a) - distance(b))) {
    if (unit.isAlone) continue;
    widest = Math.max(widest, unit.width);
    if (batch.length > 0 && (batch.length + 1) * widest > MAX_BATCH_TOKENS) break;
    batch.push(unit);
  }
  return batch;
}

function forgetEmpty<W, U>(shares: Map<string, Share<W, U>>): void {
  for (const [orgId, { works, units }] of shares) {
    if (works.length + units.length === 0) shares.delete(orgId);
  }
}
