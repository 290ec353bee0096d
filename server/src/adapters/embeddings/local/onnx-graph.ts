import { type Attribute, type Graph, type Port, writeModel } from './onnx-writer.ts';
import { floatsOf, tensorOf, type Weights } from './safetensors.ts';

/** From the model's config.json. */
export interface BertConfig {
  hidden_size: number;
  intermediate_size: number;
  num_attention_heads: number;
  num_hidden_layers: number;
  layer_norm_eps: number;
  max_position_embeddings: number;
}

/** A matrix that token states are multiplied by. */
export interface Projection {
  columns: number;
  /** hidden_size rows of `columns` numbers. */
  matrix: Float32Array<ArrayBuffer>;
}

/**
 * The BERT encoder as an ONNX model, in fp32. Inputs: `ids` and `mask` [texts, tokens], `positions`
 * [tokens]. Outputs: `pooled` [texts, hidden], the mean over unmasked tokens, and `tokens`, the last
 * state of each token, projected.
 */
export function buildBertModel(
  weights: Weights,
  config: BertConfig,
  projection: Projection,
): Uint8Array<ArrayBuffer> {
  const builder = createBuilder(weights, config);
  let states = embed(builder);
  for (let layer = 0; layer < config.num_hidden_layers; layer++) {
    states = feedForward(builder, layer, attend(builder, layer, states));
  }
  poolMean(builder, states);
  projectTokens(builder, states, projection);
  const graph: Graph = {
    ...builder.graph,
    inputs: [
      port('ids', 'int32', ['texts', 'tokens']),
      port('mask', 'int32', ['texts', 'tokens']),
      port('positions', 'int32', ['tokens']),
    ],
    outputs: [
      port('pooled', 'float32', ['texts', config.hidden_size]),
      port('tokens', 'float32', ['texts', 'tokens', projection.columns]),
    ],
  };
  return writeModel(graph, { '': 17, [FUSED]: 1 });
}

/** onnxruntime's own operators, which combine several steps. */
const FUSED = 'com.microsoft';

type Builder = ReturnType<typeof createBuilder>;

function createBuilder(weights: Weights, config: BertConfig) {
  const graph: Pick<Graph, 'nodes' | 'initializers'> = { nodes: [], initializers: [] };

  /** Adds a node and returns the name of its output. */
  const add = (
    op: string,
    output: string,
    inputs: string[],
    attributes: Record<string, Attribute> = {},
    domain = '',
  ): string => {
    graph.nodes.push({ op, inputs, outputs: [output], attributes, domain });
    return output;
  };
  const constant = (
    name: string,
    shape: number[],
    values: Float32Array | BigInt64Array,
  ): string => {
    const type = values instanceof Float32Array ? 'float32' : 'int64';
    const data = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    graph.initializers.push({ name, shape, type, data });
    return name;
  };
  /** A one-dimensional weight under its own name. */
  const vector = (name: string): string => {
    const values = floatsOf(weights, name);
    return constant(name, [values.length], values);
  };
  /** PyTorch keeps [out, in]; MatMul wants [in, out]. */
  const matrix = (name: string, inputs: number, outputs: number): string =>
    constant(name, [inputs, outputs], transpose(floatsOf(weights, name), outputs, inputs));

  const epsilon = { epsilon: { float: config.layer_norm_eps } };
  return { weights, config, graph, epsilon, add, constant, vector, matrix };
}

function embed(builder: Builder): string {
  const { weights, config, graph, add } = builder;
  const { hidden_size: hidden, max_position_embeddings: positions } = config;
  const words = tensorOf(weights, 'embeddings.word_embeddings.weight');
  // Half of the model's weights. They stay in half precision, and become fp32 when looked up.
  graph.initializers.push({
    name: 'words',
    shape: words.shape,
    type: words.dtype === 'F16' ? 'float16' : 'float32',
    data: words.bytes,
  });
  const places = floatsOf(weights, 'embeddings.position_embeddings.weight');
  // All tokens have type 0, so the vector of that type is added to the positions.
  const type = floatsOf(weights, 'embeddings.token_type_embeddings.weight');
  places.forEach((value, at) => (places[at] = value + (type[at % hidden] as number)));
  builder.constant('places', [positions, hidden], places);

  const looked = add('Gather', 'looked_up', ['words', 'ids']);
  const word = add('Cast', 'word', [looked], { to: { int: 1 } });
  const place = add('Gather', 'place', ['places', 'positions']);
  const sum = add('Add', 'embedded', [word, place]);
  const norm = [
    builder.vector('embeddings.LayerNorm.weight'),
    builder.vector('embeddings.LayerNorm.bias'),
  ];
  return add('LayerNormalization', 'states', [sum, ...norm], {
    axis: { int: -1 },
    ...builder.epsilon,
  });
}

function attend(builder: Builder, layer: number, states: string): string {
  const { weights, config, add } = builder;
  const { hidden_size: hidden, num_attention_heads: heads } = config;
  const prefix = `encoder.layer.${layer}.attention`;
  const three = ['query', 'key', 'value'].map((part) => `${prefix}.self.${part}`);
  const matrix = joinColumns(
    three.map((part) => transpose(floatsOf(weights, `${part}.weight`), hidden, hidden)),
    hidden,
  );
  const bias = three.flatMap((part) => [...floatsOf(weights, `${part}.bias`)]);
  const mixed = add(
    'Attention',
    `${prefix}.mixed`,
    [
      states,
      builder.constant(`${prefix}.weight`, [hidden, 3 * hidden], matrix),
      builder.constant(`${prefix}.bias`, [3 * hidden], Float32Array.from(bias)),
      'mask',
    ],
    { num_heads: { int: heads } },
    FUSED,
  );
  const output = builder.matrix(`${prefix}.output.dense.weight`, hidden, hidden);
  const dense = add('MatMul', `${prefix}.dense`, [mixed, output]);
  return addAndNormalise(builder, `${prefix}.output`, dense, states);
}

function feedForward(builder: Builder, layer: number, states: string): string {
  const { config, add } = builder;
  const { hidden_size: hidden, intermediate_size: wide } = config;
  const prefix = `encoder.layer.${layer}`;
  const widen = builder.matrix(`${prefix}.intermediate.dense.weight`, hidden, wide);
  const widened = add('MatMul', `${prefix}.widened`, [states, widen]);
  const bias = builder.vector(`${prefix}.intermediate.dense.bias`);
  const active = add('BiasGelu', `${prefix}.active`, [widened, bias], {}, FUSED);
  const narrow = builder.matrix(`${prefix}.output.dense.weight`, wide, hidden);
  const narrowed = add('MatMul', `${prefix}.narrowed`, [active, narrow]);
  return addAndNormalise(builder, `${prefix}.output`, narrowed, states);
}

function addAndNormalise(builder: Builder, prefix: string, value: string, skipped: string): string {
  const norm = ['LayerNorm.weight', 'LayerNorm.bias', 'dense.bias'].map((name) =>
    builder.vector(`${prefix}.${name}`),
  );
  const inputs = [value, skipped, ...norm];
  return builder.add('SkipLayerNormalization', `${prefix}.states`, inputs, builder.epsilon, FUSED);
}

function poolMean({ add, constant }: Builder, states: string): void {
  const overTokens = constant('over_tokens', [1], BigInt64Array.of(1n));
  const last = constant('last', [1], BigInt64Array.of(2n));
  const mask = add('Cast', 'mask_float', ['mask'], { to: { int: 1 } });
  const column = add('Unsqueeze', 'mask_column', [mask, last]);
  const masked = add('Mul', 'masked', [states, column]);
  const noDimension = { keepdims: { int: 0 } };
  const sum = add('ReduceSum', 'sum', [masked, overTokens], noDimension);
  const count = add('ReduceSum', 'count', [column, overTokens], noDimension);
  add('Div', 'pooled', [sum, count]);
}

function projectTokens(builder: Builder, states: string, { columns, matrix }: Projection): void {
  const shape = [builder.config.hidden_size, columns];
  builder.add('MatMul', 'tokens', [states, builder.constant('projection', shape, matrix)]);
}

function transpose(values: Float32Array, rows: number, columns: number): Float32Array<ArrayBuffer> {
  const turned = new Float32Array(values.length);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      turned[column * rows + row] = values[row * columns + column] as number;
    }
  }
  return turned;
}

/** Puts matrices with the same number of rows side by side. */
function joinColumns(matrices: Float32Array[], rows: number): Float32Array<ArrayBuffer> {
  const width = (matrices[0]?.length ?? 0) / rows;
  const joined = new Float32Array(rows * width * matrices.length);
  for (let row = 0; row < rows; row++) {
    matrices.forEach((matrix, at) => {
      const from = matrix.subarray(row * width, (row + 1) * width);
      joined.set(from, (row * matrices.length + at) * width);
    });
  }
  return joined;
}

function port(name: string, type: Port['type'], shape: Port['shape']): Port {
  return { name, type, shape };
}
