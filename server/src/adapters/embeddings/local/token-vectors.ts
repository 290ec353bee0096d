import { isPunctuation, UNKNOWN, type TokenizedText } from './tokenizer.ts';

/**
 * The token vectors of one text as bytes: version, dimensions, count (2 bytes, little endian), then one int8
 * per dimension and token. Each vector is scaled to fill the range, which doesn't change a cosine.
 */
export const TOKEN_FORMAT = 1;
export const HEADER_BYTES = 4;
/** About 49 KB per row. */
export const MAX_TOKEN_VECTORS = 512;

/**
 * For each token its place among the packed vectors, or -1. Punctuation has none. In a long text, first
 * occurrences go before repetitions, because a repeated word adds little to the best match.
 */
export function placeTokens(text: TokenizedText): { places: Int32Array; count: number } {
  const places = new Int32Array(text.ids.length).fill(-1);
  const spoken = [...text.ids.keys()].filter((at) => !isPunctuation(wordAt(text, at)));
  const kept = spoken.length > MAX_TOKEN_VECTORS ? firstOfEachKind(text, spoken) : spoken;
  kept.forEach((at, place) => (places[at] = place));
  return { places, count: kept.length };
}

export function wordAt({ words, wordOf }: TokenizedText, token: number): string {
  return words[wordOf[token] as number] as string;
}

/** A word in more pieces is spelt rather than known. */
const MOST_PIECES = 2;
/** The model has learnt some of their characters, one by one, but not what words of them mean. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** For each of the tokens, whether the model knows the word that it belongs to. */
export function areKnown(text: TokenizedText, tokens: readonly number[]): boolean[] {
  const { ids, words, wordOf } = text;
  const pieces = new Uint16Array(words.length);
  for (const word of wordOf) pieces[word] = (pieces[word] as number) + 1;
  return tokens.map((at) => {
    const isSpelt = (pieces[wordOf[at] as number] as number) > MOST_PIECES;
    return ids[at] !== UNKNOWN && !isSpelt && !UNSPACED.test(wordAt(text, at));
  });
}

export function createTokenPack(dimensions: number, count: number): Uint8Array<ArrayBuffer> {
  const pack = new Uint8Array(HEADER_BYTES + dimensions * count);
  pack.set([TOKEN_FORMAT, dimensions, count & 0xff, count >> 8]);
  return pack;
}

/** Quantises a vector and stores it at its place. */
export function packToken(pack: Uint8Array, place: number, vector: Float32Array): void {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  const scale = largest > 0 ? 127 / largest : 0;
  const from = HEADER_BYTES + place * vector.length;
  for (let at = 0; at < vector.length; at++) {
    pack[from + at] = Math.round((vector[at] as number) * scale);
  }
}

/** Reads the vectors without copying. Undefined for another format. */
export function openTokenPack(
  pack: Uint8Array,
): { dimensions: number; count: number; values: Int8Array } | undefined {
  const [version, dimensions = 0, low = 0, high = 0] = pack;
  const count = low | (high << 8);
  if (version !== TOKEN_FORMAT || pack.length !== HEADER_BYTES + dimensions * count)
    return undefined;
  const values = new Int8Array(pack.buffer, pack.byteOffset + HEADER_BYTES, dimensions * count);
  return { dimensions, count, values };
}

function firstOfEachKind({ ids }: TokenizedText, tokens: number[]): number[] {
  const seen = new Map<number, number>();
  const ranked = tokens.map((at) => {
    const id = ids[at] as number;
    const repeat = seen.get(id) ?? 0;
    seen.set(id, repeat + 1);
    return { at, repeat };
  });
  return ranked
    .toSorted((a, b) => a.repeat - b.repeat || a.at - b.at)
    .slice(0, MAX_TOKEN_VECTORS)
    .map(({ at }) => at)
    .toSorted((a, b) => a - b);
}
