export interface EncodedText {
  /** Of unit length. Null if the service was unavailable or refused this text. */
  vector: Float32Array | null;
  /** Token vectors for re-ranking, in the format of local/token-vectors.ts. Null if the engine has none. */
  tokens: Uint8Array | null;
}

export interface EncodedQuery extends EncodedText {
  /** For each token vector, the word it belongs to, in lower case and without accents. */
  words: string[];
  /** For each token vector, how much it counts besides the rarity of its word. 1 is usual. */
  emphasis: Float32Array;
  /** For each token vector, whether the local model has learnt its word rather than only letters of it. */
  isKnown: boolean[];
}

/** What a text has that could not be encoded. */
export const NOT_ENCODED: EncodedQuery = {
  vector: null,
  tokens: null,
  words: [],
  emphasis: new Float32Array(),
  isKnown: [],
};

/** Searches go before writes, and writes before background jobs. */
export type Priority = 'query' | 'write' | 'background';

export interface EncodeOptions {
  /** Orgs take turns, so that none waits for everything another org has sent. */
  orgId: string;
  signal?: AbortSignal;
}

export interface TextEncoder {
  /** Stored with each row: vectors of different models cannot be compared. */
  readonly model: string;
  /** The length of `vector`. */
  readonly dimensions: number;
  /** The version of the token vectors, also stored with each row. */
  readonly tokenModel: string;
  /**
   * Default priority: write. `tokensOnly`: a service is not asked for vectors. Texts that can't be encoded now become null, and this is logged. Rejects with
   * QueueFull if too much is waiting, and with the signal's reason.
   */
  encode(
    texts: readonly string[],
    options: EncodeOptions & { priority?: Priority; tokensOnly?: boolean },
  ): Promise<EncodedText[]>;
  /** Only the beginning of a very long query counts. `isReranked`: a call of `rerank` follows in a moment. */
  encodeQuery(
    text: string,
    options: EncodeOptions & { isReranked?: boolean },
  ): Promise<EncodedQuery>;
  /**
   * Late interaction: for each memory, the weighted mean over the query's tokens of the best cosine among
   * the memory's tokens, 0-1. `weights` has one entry per `query.words`. Null if nothing can be compared.
   */
  rerank(
    query: EncodedQuery,
    weights: Float32Array,
    memories: readonly (Uint8Array | null)[],
    options: EncodeOptions,
  ): Promise<(number | null)[]>;
  /** Loads the model now instead of on the first call. Rejects if it can't be loaded. */
  warmUp(): Promise<void>;
  /** Running calls fail. */
  close(): Promise<void>;
}

/** Too many texts are waiting to be encoded. A later attempt may succeed. */
export class QueueFull extends Error {
  constructor(priority: Priority) {
    super(`too many texts waiting to be encoded (${priority})`);
    this.name = 'QueueFull';
  }
}
