import { z } from 'zod';
import { parseJson } from '../../http-service/post.ts';
import { normalise } from '../local/engine.ts';

const EmbeddingsResponse = z.object({
  data: z.array(
    z.object({
      index: z.int().nonnegative(),
      embedding: z.union([z.array(z.number()), z.string()]),
    }),
  ),
});

/** The vectors in the order of the inputs, at unit length. Throws if one is missing or invalid. */
export function readVectors(body: string, count: number, dimensions: number): Float32Array[] {
  const { data } = EmbeddingsResponse.parse(parseJson(body));
  if (data.length !== count) {
    throw new Error(`the service sent ${data.length} vectors for ${count} texts`);
  }
  const vectors = new Map(data.map(({ index, embedding }) => [index, embedding]));
  return Array.from({ length: count }, (_, at) => {
    const embedding = vectors.get(at);
    if (embedding === undefined) throw new Error(`the service sent no vector for text ${at}`);
    return checkVector(decode(embedding), dimensions);
  });
}

/** We request base64, which is a third of the size. Some services send numbers anyway. */
function decode(embedding: number[] | string): Float32Array {
  if (typeof embedding !== 'string') return Float32Array.from(embedding);
  const bytes = Uint8Array.from(Buffer.from(embedding, 'base64'));
  if (bytes.length % 4 !== 0) throw new Error('the service sent an incomplete vector');
  return new Float32Array(bytes.buffer);
}

function checkVector(vector: Float32Array, dimensions: number): Float32Array {
  if (vector.length !== dimensions) {
    throw new Error(`the service sent ${vector.length} dimensions instead of ${dimensions}`);
  }
  const square = vector.reduce((sum, value) => sum + value * value, 0);
  if (!Number.isFinite(square) || square === 0) {
    throw new Error('the service sent a zero or non-finite vector');
  }
  return normalise(vector);
}
