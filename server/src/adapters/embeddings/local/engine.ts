/** One input of the model: a window of a text. */
export interface EngineInput {
  /** With [CLS] and [SEP]. */
  ids: number[];
  /** The same as text, for an engine with its own tokenizer. */
  text: () => string;
}

export interface EngineOutput {
  /** The mean of the last states, at unit length. */
  vector: Float32Array;
  /**
   * One row per id: `tokenDimensions` numbers, then the logarithm of the token's weight in a query. Null if
   * the engine has no token vectors.
   */
  tokens: Float32Array | null;
}

export interface Engine {
  readonly name: string;
  /** 0 for an engine without token vectors. */
  readonly tokenDimensions: number;
  /** Inputs should have similar lengths, since shorter ones are padded. */
  run(inputs: EngineInput[]): Promise<EngineOutput[]>;
  release(): Promise<void>;
}

export function normalise(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const scale = sum > 0 ? 1 / Math.sqrt(sum) : 0;
  for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] as number) * scale;
  return vector;
}
