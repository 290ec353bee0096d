import type { OuterTransaction, Transaction } from '../types.ts';

/** For the two that are given a transaction by a feature: query-with.ts, and batches of memories. */
export function outerOf(tx: Transaction): OuterTransaction {
  if (!('script' in tx)) throw new Error('this transaction has nothing but atCommit');
  return tx as OuterTransaction;
}
