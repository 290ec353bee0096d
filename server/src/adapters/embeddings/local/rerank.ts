import { openTokenPack } from './token-vectors.ts';

/** A query of 2,000 characters has about 450 tokens, but the rarest ones decide. */
export const MAX_QUERY_TOKENS = 64;

type TokenPack = NonNullable<ReturnType<typeof openTokenPack>>;

/** Compared in one step: ten memories of maximum size against a query of maximum size take 30 ms. */
const MAX_BYTES_AT_ONCE = 500_000;

type Score = (memory: Uint8Array | null) => number | null;

/** See TextEncoder.rerank. Prepares the query once for all memories. */
export function createScore(query: Uint8Array, weights: Float32Array): Score {
  const pack = openTokenPack(query);
  const tokens = pack ? heaviestTokens(pack, weights) : [];
  const total = tokens.reduce((sum, { weight }) => sum + weight, 0);
  return (bytes) => {
    const memory = bytes && openTokenPack(bytes);
    if (!memory || memory.count === 0 || memory.dimensions !== pack?.dimensions) return null;
    return total > 0 ? scoreMemory(tokens, memory) / total : null;
  };
}

/** Splits the memories into slices of limited cost. */
export function sliceMemories(
  memories: readonly (Uint8Array | null)[],
): { from: number; to: number }[] {
  const slices: { from: number; to: number }[] = [];
  let bytes = Infinity;
  for (const [at, memory] of memories.entries()) {
    bytes += memory?.length ?? 0;
    if (bytes > MAX_BYTES_AT_ONCE) {
      slices.push({ from: at, to: at });
      bytes = memory?.length ?? 0;
    }
    const last = slices.at(-1);
    if (last) last.to = at + 1;
  }
  return slices;
}

interface QueryToken {
  weight: number;
  values: Int8Array;
  length: number;
}

function heaviestTokens(pack: TokenPack, weights: Float32Array): QueryToken[] {
  const lengths = lengthsOf(pack);
  return Array.from({ length: pack.count }, (_, at) => ({
    weight: weights[at] ?? 0,
    values: pack.values.subarray(at * pack.dimensions, (at + 1) * pack.dimensions),
    length: lengths[at] as number,
  }))
    .filter(({ weight, length }) => weight > 0 && length > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, MAX_QUERY_TOKENS);
}

function scoreMemory(tokens: QueryToken[], memory: TokenPack): number {
  const lengths = lengthsOf(memory);
  let score = 0;
  for (let at = 0; at < tokens.length; at += 4) {
    const four = tokens.slice(at, at + 4);
    const best = bestMatches(
      four.map(({ values }) => values),
      memory,
      lengths,
    );
    four.forEach(({ weight, length }, each) => {
      score += weight * Math.min(1, (best[each] as number) / length);
    });
  }
  return score;
}

/**
 * For each query token, the largest dot product divided by the length of the memory's vector, at least 0.
 * Four at a time, because each number of the memory is then read once for four products: 2.6 times faster.
 */
function bestMatches(
  [a, b = a, c = a, d = a]: Int8Array[],
  { count, dimensions, values }: TokenPack,
  lengths: Float32Array,
): number[] {
  if (!a || !b || !c || !d) return [];
  const best = [0, 0, 0, 0];
  for (let token = 0, from = 0; token < count; token++, from += dimensions) {
    let dotA = 0;
    let dotB = 0;
    let dotC = 0;
    let dotD = 0;
    for (let at = 0; at < dimensions; at++) {
      const value = values[from + at] as number;
      dotA = (dotA + Math.imul(a[at] as number, value)) | 0;
      dotB = (dotB + Math.imul(b[at] as number, value)) | 0;
      dotC = (dotC + Math.imul(c[at] as number, value)) | 0;
      dotD = (dotD + Math.imul(d[at] as number, value)) | 0;
    }
    // A zero vector matches nothing.
    const length = lengths[token] || Infinity;
    best[0] = Math.max(best[0] as number, dotA / length);
    best[1] = Math.max(best[1] as number, dotB / length);
    best[2] = Math.max(best[2] as number, dotC / length);
    best[3] = Math.max(best[3] as number, dotD / length);
  }
  return best;
}

function lengthsOf({ count, dimensions, values }: TokenPack): Float32Array {
  const lengths = new Float32Array(count);
  for (let token = 0, at = 0; token < count; token++) {
    let sum = 0;
    for (const end = at + dimensions; at < end; at++) sum += (values[at] as number) ** 2;
    lengths[token] = Math.sqrt(sum);
  }
  return lengths;
}
