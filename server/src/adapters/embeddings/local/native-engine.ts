import type * as OnnxRuntime from 'onnxruntime-node';
import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { type Engine, type EngineInput, normalise } from './engine.ts';
import { readModelConfig, readWeights } from './model-files.ts';
import { buildBertModel, type Projection } from './onnx-graph.ts';
import { readSafetensors } from './safetensors.ts';

type Runtime = typeof OnnxRuntime;

export interface NativeEngineOptions {
  runtime: Runtime;
  projection: Projection;
  threads: number;
}

/** Runs the model with onnxruntime's native addon. */
export async function createNativeEngine(options: NativeEngineOptions): Promise<Engine> {
  const { runtime, projection, threads } = options;
  const config = await readModelConfig();
  const model = buildBertModel(readSafetensors(await readWeights()), config, projection);
  const session = await runtime.InferenceSession.create(model, {
    executionProviders: ['cpu'],
    graphOptimizationLevel: 'all',
    intraOpNumThreads: threads,
    // Idle threads that spin would take CPU time from the event loop.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  });
  const { columns } = projection;

  return {
    name: 'onnxruntime',
    // The last column is the weight.
    tokenDimensions: columns - 1,
    async run(inputs) {
      const width = Math.max(...inputs.map(({ ids }) => ids.length));
      const { pooled, tokens } = (await session.run(feedsOf(inputs, width, runtime))) as Outputs;
      const vectors = pooled.data as Float32Array;
      const states = tokens.data as Float32Array;
      return inputs.map((_, at) => ({
        vector: normalise(rowOf(vectors, at, config.hidden_size)),
        tokens: rowOf(states, at, width * columns),
      }));
    },
    release: () => session.release(),
  };
}

type Outputs = Record<'pooled' | 'tokens', Tensor>;

function feedsOf(
  inputs: EngineInput[],
  width: number,
  { Tensor }: Runtime,
): InferenceSession.FeedsType {
  const ids = new Int32Array(inputs.length * width);
  const mask = new Int32Array(inputs.length * width);
  inputs.forEach((input, at) => {
    ids.set(input.ids, at * width);
    mask.fill(1, at * width, at * width + input.ids.length);
  });
  const shape = [inputs.length, width];
  const positions = Int32Array.from({ length: width }, (_, at) => at);
  return {
    ids: new Tensor('int32', ids, shape),
    mask: new Tensor('int32', mask, shape),
    positions: new Tensor('int32', positions, [width]),
  };
}

function rowOf(values: Float32Array, at: number, width: number): Float32Array {
  return values.subarray(at * width, (at + 1) * width);
}
