export interface EncodedText {
  /** Unit length, `dimensions` long; null where the service was out of reach or refuses this text. */
  vector: Float32Array | null;
  /** Token vectors for re-ranking, packed as local/token-vectors.ts says; null where the engine makes none. */
  tokens: Uint8Array | null;
}

export interface EncodedQuery extends EncodedText {
  /** One per token vector: the word (lower case, accents stripped) that the token is a piece of. */
  words: string[];
}

/** What is asked first is not served first: who searches waits for the answer, a job does not. */
export type Priority = 'query' | 'write' | 'background';

export interface EncodeOptions {
  /** On whose behalf: orgs take turns, so that none waits for all that another has sent. */
  orgId: string;
  signal?: AbortSignal;
}

export interface TextEncoder {
  /** Stored with each row: vectors of different models cannot be compared. */
  readonly model: string;
  /** Of `vector`. */
  readonly dimensions: number;
  /** The version of the token vectors, stored likewise. */
  readonly tokenModel: string;
  /**
   * As a write unless told. What cannot be had now is null, and logged. Rejects with QueueFull where too
   * much is waiting, and with the signal's reason.
   */
  encode(
    texts: readonly string[],
    options: EncodeOptions & { priority?: Priority },
  ): Promise<EncodedText[]>;
  /** Of a query that is longer than people write them, only the beginning counts. */
  encodeQuery(text: string, options: EncodeOptions): Promise<EncodedQuery>;
  /**
   * Late interaction: per memory the weighted mean, over the query's tokens, of the best cosine among the
   * memory's tokens, 0-1. `weights` has one entry per `query.words`. Null where there is nothing to compare.
   */
  rerank(
    query: EncodedQuery,
    weights: Float32Array,
    memories: readonly (Uint8Array | null)[],
    options: EncodeOptions,
  ): Promise<(number | null)[]>;
  /** Loads the model now rather than at the first call; rejects where it does not load. */
  warmUp(): Promise<void>;
  /** Calls under way fail. */
  close(): Promise<void>;
}

/** Too much is waiting to be encoded. Worth trying again later. */
export class QueueFull extends Error {
  constructor(priority: Priority) {
    super(`too many texts wait to be encoded (${priority})`);
    this.name = 'QueueFull';
  }
}
