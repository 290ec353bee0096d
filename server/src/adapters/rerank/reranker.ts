/** Who re-ranks search results. */
export type Reranker = { kind: 'none' } | { kind: 'local' } | RerankService;

export interface RerankService {
  kind: 'service';
  /**
   * For each text, how likely it answers the query, from 0 to 1. Undefined if the service did not say so in
   * time, which is logged: results are then re-ranked by the local model.
   */
  rank(query: string, texts: readonly string[]): Promise<number[] | undefined>;
}
