/**
 * Writes the matrix that reduces token vectors from 384 to 96 dimensions, with the least loss for a
 * sample: this repository's pages, and random words from the model's vocabulary.
 * The same sample gives the same matrix, apart from rounding on another processor.
 *
 * After running it, raise TOKEN_MODEL in model-files.ts: vectors from different matrices can't be compared.
 */
import { glob, readFile, writeFile } from 'node:fs/promises';
import * as runtime from 'onnxruntime-node';
import type { Engine } from '../server/src/adapters/embeddings/local/engine.ts';
import {
  DIMENSIONS,
  PROJECTION_FILE,
  readVocabulary,
  TOKEN_DIMENSIONS,
} from '../server/src/adapters/embeddings/local/model-files.ts';
import { createNativeEngine } from '../server/src/adapters/embeddings/local/native-engine.ts';
import { placeTokens } from '../server/src/adapters/embeddings/local/token-vectors.ts';
import { CLS, createTokenizer, SEP } from '../server/src/adapters/embeddings/local/tokenizer.ts';
import { splitIntoWindows } from '../server/src/adapters/embeddings/local/windows.ts';

const RANDOM_TEXTS = 1_500;
const WORDS_PER_TEXT = 24;
const MAX_SWEEPS = 30;

const root = new URL('../', import.meta.url);
const vocabulary = await readVocabulary();
const tokenize = createTokenizer(vocabulary);
const engine = await createNativeEngine({ runtime, threads: 2 });
const products = new Float64Array(DIMENSIONS * DIMENSIONS);
for (const text of [...(await sentencesOfPages()), ...randomTexts()])
  await addProducts(text, engine);
await engine.release();
const matrix = largestEigenvectors(products);
await writeFile(PROJECTION_FILE, new Uint8Array(Float16Array.from(matrix).buffer));
process.stdout.write(`wrote ${PROJECTION_FILE.pathname}\n`);

async function sentencesOfPages(): Promise<string[]> {
  const pages: string[] = [];
  for await (const page of glob('{README,CONTRIBUTING,docs/**/*}.md', { cwd: root }))
    pages.push(page);
  const texts = await Promise.all(
    pages.toSorted().map((page) => readFile(new URL(page, root), 'utf8')),
  );
  return texts
    .flatMap((text) => text.split(/\n{2,}|(?<=[.:?!])\s+(?=[A-Z])/))
    .filter((sentence) => sentence.trim().length > 20);
}

function randomTexts(): string[] {
  const words = Object.keys(vocabulary).filter((word) => /^[a-z]{2,}$/.test(word));
  const random = createRandom(1);
  const text = () =>
    Array.from({ length: WORDS_PER_TEXT }, () => words[Math.floor(random() * words.length)]);
  return Array.from({ length: RANDOM_TEXTS }, () => text().join(' '));
}

/** mulberry32: a small generator that returns the same numbers on every machine. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Adds x·xᵀ for each token that is kept, where x is the token's state at unit length. */
async function addProducts(text: string, encoder: Engine): Promise<void> {
  const tokenized = tokenize(text);
  const { places } = placeTokens(tokenized);
  for (const { from, to, keepFrom, keepTo } of splitIntoWindows(tokenized)) {
    const ids = [CLS, ...tokenized.ids.slice(from, to), SEP];
    const [output] = await encoder.run([{ ids, text: () => text }]);
    for (let token = keepFrom; token < keepTo; token++) {
      if (places[token] === -1) continue;
      const start = (1 + token - from) * DIMENSIONS;
      addProduct(output?.tokens?.subarray(start, start + DIMENSIONS) ?? new Float32Array());
    }
  }
}

function addProduct(state: Float32Array): void {
  const square = state.reduce((sum, value) => sum + value * value, 0);
  for (let row = 0; row < state.length; row++) {
    const scaled = read(state, row) / square;
    for (let column = 0; column < state.length; column++) {
      const at = row * DIMENSIONS + column;
      products[at] = read(products, at) + scaled * read(state, column);
    }
  }
}

/** Returns them as columns, the largest first. */
function largestEigenvectors(symmetric: Float64Array): Float32Array {
  const { values, vectors } = diagonalise(symmetric, DIMENSIONS);
  const order = [...values.keys()].toSorted((a, b) => read(values, b) - read(values, a));
  const total = values.reduce((sum, value) => sum + value, 0);
  const kept = order.slice(0, TOKEN_DIMENSIONS).reduce((sum, at) => sum + read(values, at), 0);
  process.stdout.write(
    `${TOKEN_DIMENSIONS} dimensions keep ${((100 * kept) / total).toFixed(1)} %\n`,
  );
  const columns = new Float32Array(DIMENSIONS * TOKEN_DIMENSIONS);
  for (let column = 0; column < TOKEN_DIMENSIONS; column++) {
    const from = (order[column] ?? 0) * DIMENSIONS;
    // A vector and its negative are equivalent. A fixed sign makes runs reproducible.
    const sign = vectors.subarray(from, from + DIMENSIONS).reduce((a, b) => a + b, 0) < 0 ? -1 : 1;
    for (let row = 0; row < DIMENSIONS; row++) {
      columns[row * TOKEN_DIMENSIONS + column] = sign * read(vectors, from + row);
    }
  }
  return columns;
}

/** Jacobi's method: rotates the off-diagonal elements to zero. Eigenvectors are rows. */
function diagonalise(
  symmetric: Float64Array,
  size: number,
): { values: Float64Array; vectors: Float64Array } {
  const a = Float64Array.from(symmetric);
  const vectors = Float64Array.from({ length: size * size }, (_, at) =>
    at % (size + 1) === 0 ? 1 : 0,
  );
  const rotate = (of: Float64Array, i: number, j: number, c: number, s: number) => {
    const x = read(of, i);
    const y = read(of, j);
    of[i] = c * x - s * y;
    of[j] = s * x + c * y;
  };
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    let rotations = 0;
    for (let p = 0; p < size; p++) {
      for (let q = p + 1; q < size; q++) {
        const offDiagonal = read(a, p * size + q);
        const [first, second] = [read(a, p * size + p), read(a, q * size + q)];
        const difference = second - first;
        if (Math.abs(offDiagonal) <= 1e-9 * Math.sqrt(Math.abs(first * second))) continue;
        rotations++;
        const theta = difference / (2 * offDiagonal);
        const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.hypot(theta, 1));
        const c = 1 / Math.hypot(t, 1);
        for (let k = 0; k < size; k++) rotate(a, p * size + k, q * size + k, c, t * c);
        for (let k = 0; k < size; k++) rotate(a, k * size + p, k * size + q, c, t * c);
        for (let k = 0; k < size; k++) rotate(vectors, p * size + k, q * size + k, c, t * c);
      }
    }
    if (rotations === 0) break;
  }
  return {
    values: Float64Array.from({ length: size }, (_, at) => read(a, at * size + at)),
    vectors,
  };
}

/** All indices are within bounds, which the compiler can't know. */
function read(array: Float32Array | Float64Array, at: number): number {
  return array[at] ?? 0;
}
