import { rankBetween, ranksBetween } from './rank.ts';
import { findRank, listAfter, listUpTo, saveRanks, type Column } from './store.ts';

/** Longer ranks are made only by hundreds of moves to the same place. */
const LONGEST_RANK = 200;
/** How many tasks on each side then get new ranks. */
const SPREAD_OVER = 250;

/** After another task of the column, first (null), or last (undefined). */
export type Target = string | null | undefined;

/**
 * A rank at that place; undefined if the target is not in the column. The caller has locked the Project's
 * tasks, so nobody else gets the same one.
 */
export async function findPlace(
  column: Column,
  taskId: string,
  target: Target,
): Promise<string | undefined> {
  const rank = await rankAt(column, taskId, target);
  if (rank === undefined || rank.length <= LONGEST_RANK) return rank;
  await spread(column, rank);
  return rankAt(column, taskId, target);
}

async function rankAt(column: Column, taskId: string, target: Target): Promise<string | undefined> {
  if (target === undefined) {
    const last = (await listUpTo(column, null, 2)).find(({ id }) => id !== taskId);
    return rankBetween(last?.rank ?? null, null);
  }
  if (target === taskId) return undefined;
  const before = target === null ? null : await findRank(column, target);
  if (before === undefined) return undefined;
  // The task itself may be in between.
  const next = (await listAfter(column, before, 2)).find(({ id }) => id !== taskId);
  return rankBetween(before, next?.rank ?? null);
}

/** Gives the tasks around a rank shorter ones, in the same order. */
async function spread(column: Column, rank: string): Promise<void> {
  const [before, after] = await Promise.all([
    listUpTo(column, rank, SPREAD_OVER + 1),
    listAfter(column, rank, SPREAD_OVER + 1),
  ]);
  const low = before.length > SPREAD_OVER ? before.pop() : undefined;
  const high = after.length > SPREAD_OVER ? after.pop() : undefined;
  const tasks = [...before.toReversed(), ...after];
  const ranks = ranksBetween(low?.rank ?? null, high?.rank ?? null, tasks.length);
  await saveRanks(
    column,
    tasks.map(({ id }, at) => ({ id, rank: ranks[at] as string })),
  );
}
