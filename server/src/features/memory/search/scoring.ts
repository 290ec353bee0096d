import type { Queryable } from '../../../db/types.ts';

export { firstRanking } from './ranking.ts';

/** What searches of memories and of passages have in common. Rows have the same columns in both tables. */
export interface QueryVector {
  /** The indexed part. */
  head: string;
  /** The whole vector, padded with zeros, if the indexed part is not all of it. */
  whole: string | undefined;
}

/** Size of a row in a vector index. Counting the rows would take longer than the search. */
export const INDEX_BYTES = { embedded: 2050, postgres: 1170 };

/** How to walk the graph of vectors. */
export interface Walk {
  /** The length of its queue, which is how many rows it visits in one pass. */
  width: number;
  /** How many visible rows to visit. Another pass begins if there were fewer. */
  rows: number;
}

/** How many rows the graph search visits if the filter rejects most of them: 0.3 s here. */
const VISITED_AT_MOST = 20_000;

/**
 * Without sorts the planner must use the vector index, however few rows it expects an org to have. Relaxed
 * order found all of the nearest ten; strict order missed a twelfth of them when filtered.
 */
export function settingsOf({ width }: Walk) {
  return {
    'hnsw.ef_search': width,
    'hnsw.iterative_scan': 'relaxed_order',
    'hnsw.max_scan_tuples': VISITED_AT_MOST,
    enable_sort: 'off',
    jit: 'off',
  };
}

/** As the engine's vector index has it: the embedded engine computes half precision in software. */
export function indexedDistance({ engine }: Queryable, row: string, head: string): string {
  return engine === 'embedded'
    ? `${row}.head::vector(384) <=> ${head}::vector(384)`
    : `${row}.head <=> ${head}::halfvec(384)`;
}

/** Never across models. Opposite vectors count as 0, not as negative. */
export function vectorScore(
  row: string,
  { head, whole }: QueryVector,
  model: string,
  put: (value: unknown) => string,
): string {
  const distance = whole
    ? `${row}.embedding <=> ${put(whole)}::halfvec(1536)`
    : `${row}.head <=> ${put(head)}::halfvec(384)`;
  return `(CASE WHEN ${row}.embedding_model = ${model} THEN greatest(0, 1 - (${distance})) END)`;
}

export function lexicalScore(row: string, words: string): string {
  return `least(1, -(${row}.term_weights <#> ${words}::sparsevec))`;
}
