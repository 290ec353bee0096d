import type { Transaction } from '../db/types.ts';
import { insertJobAtCommit, type NewJob } from './store.ts';
import type { WakeUp } from './wake-up.ts';

export interface JobQueue {
  /**
   * Adds a job to what the transaction commits: it runs at least once if there is a commit, and never
   * without one. It is written with COMMIT, in no round trip of its own, and started right after it.
   */
  enqueue(tx: Transaction, job: NewJob): void;
}

/** A lane whose jobs count against a share as well; a share may have many lanes. Both are ids. */
export function laneInShare(share: string, lane: string): string {
  return `${share}/${lane}`;
}

export function createJobQueue(wakeUp: Pick<WakeUp, 'wake'>): JobQueue {
  return {
    enqueue(tx, job) {
      insertJobAtCommit(tx, job);
      tx.afterCommit(() => wakeUp.wake());
    },
  };
}
