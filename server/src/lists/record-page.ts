/** Which records of an organisation to read: all of them, or those that the caller wrote or owns. */
export interface RecordQuery {
  isOwn: boolean;
  /** The `next` of the page before; empty for the first page. */
  after: string;
}

export interface RecordPage<Row> {
  rows: Row[];
  /** Null after the last page. */
  next: string | null;
}

/** How many rows a page looks at. It bounds what an export holds in memory, and how long a statement runs. */
export const RECORDS_PER_PAGE = 100;

/** A row that the page looked at. Its `id` is null if it is not to be read. */
export type ScannedRow<Row extends { id: unknown }> = { at: string } & (Row | { id: null });

export function recordPage<Row extends { id: unknown }>(
  scanned: readonly ScannedRow<Row>[],
): RecordPage<Row> {
  return {
    rows: scanned.filter((row): row is { at: string } & Row => row.id !== null),
    next: scanned.length < RECORDS_PER_PAGE ? null : (scanned.at(-1)?.at ?? null),
  };
}
