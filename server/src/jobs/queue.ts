import type { Transaction } from '../db/types.ts';
import { insertJobAtCommit, type NewJob } from './store.ts';
import type { WakeUp } from './wake-up.ts';

export interface JobQueue {
  /**
   * Adds a job to the transaction: it runs at least once if the transaction commits, and never otherwise.
   * It is sent together with COMMIT, without an extra round trip, and starts right after it.
   */
  enqueue(tx: Transaction, job: NewJob): void;
  /** Workers look for work after the commit. */
  wakeAfterCommit(tx: Transaction): void;
}

/** A lane whose jobs also count against a share, which may have many lanes. Both are ids. */
export function laneInShare(share: string, lane: string): string {
  return `${share}/${lane}`;
}

export function createJobQueue(wakeUp: Pick<WakeUp, 'wake'>): JobQueue {
  const wakeAfterCommit = (tx: Transaction) => tx.afterCommit(() => wakeUp.wake());
  return {
    enqueue(tx, job) {
      insertJobAtCommit(tx, job);
      wakeAfterCommit(tx);
    },
    wakeAfterCommit,
  };
}
