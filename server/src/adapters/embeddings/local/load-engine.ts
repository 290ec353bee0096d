import { availableParallelism } from 'node:os';
import type * as Runtime from 'onnxruntime-node';
import type { Engine } from './engine.ts';
import { readTokenProjection } from './model-files.ts';
import { createNativeEngine } from './native-engine.ts';
import { createWasmEngine } from './wasm-engine.ts';

export const NATIVE_ADDON = 'onnxruntime-node';
/**
 * Measured on 2 cores with a text of 30 words: 8 ms with two threads and 19 ms with one; in a batch, 5.5 and
 * 9.4 ms. More than four threads would take cores from the rest of the machine.
 */
const THREADS = Math.min(4, availableParallelism());

/** The native engine, or the slow one if the addon doesn't load on this system. */
export async function loadEngine(addon: string): Promise<{ engine: Engine; problem?: string }> {
  const runtime = await importAddon(addon);
  if ('problem' in runtime) return { engine: await createWasmEngine(), problem: runtime.problem };
  const projection = await readTokenProjection();
  return { engine: await createNativeEngine({ ...runtime, projection, threads: THREADS }) };
}

async function importAddon(
  addon: string,
): Promise<{ runtime: typeof Runtime } | { problem: string }> {
  try {
    return { runtime: (await import(addon)) as typeof Runtime };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
