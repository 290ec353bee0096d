/** A whole list, as a response has it. */
export function presentList<Row, Item>(rows: readonly Row[], present: (row: Row) => Item) {
  return { items: rows.map((row) => present(row)), total: rows.length };
}

/** One page of a list, as a response has it. */
export function presentPage<Row, Item>(
  { items, total }: { items: readonly Row[]; total: number },
  { page, limit }: { page: number; limit: number },
  present: (row: Row) => Item,
) {
  return { items: items.map((row) => present(row)), total, page, limit };
}
