import type { Row } from './list/rows.ts';

/** The message that ↑ in an empty composer edits. */
export function findLastOwn(rows: readonly Row[], userId: string): string | null {
  const row = rows.findLast(
    (row) =>
      row.kind === 'message' && row.message.authorUserId === userId && !row.message.deletedAt,
  );
  return row?.key ?? null;
}
