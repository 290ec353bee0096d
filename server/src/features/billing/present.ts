import type { EntryRow } from './ledger/store.ts';

export function presentLedgerEntry(entry: EntryRow) {
  const { id, kind, credits, source, messageId, createdAt } = entry;
  return { id, kind, credits, source, messageId, createdAt: createdAt.toISOString() };
}
