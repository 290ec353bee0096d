/** A tensor as stored in a safetensors file. */
export interface StoredTensor {
  dtype: string;
  shape: number[];
  bytes: Uint8Array;
}

export type Weights = Map<string, StoredTensor>;

/** Layout: length of the header (8 bytes, little endian), the header as JSON, then the tensors' bytes. */
export function readSafetensors(file: Uint8Array): Weights {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const start = 8 + Number(view.getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(file.subarray(8, start))) as Header;
  const weights: Weights = new Map();
  for (const [name, tensor] of Object.entries(header)) {
    if (name === '__metadata__') continue;
    const [from, to] = tensor.data_offsets;
    const bytes = file.subarray(start + from, start + to);
    weights.set(name, { dtype: tensor.dtype, shape: tensor.shape, bytes });
  }
  return weights;
}

export function tensorOf(weights: Weights, name: string): StoredTensor {
  const tensor = weights.get(name);
  if (!tensor) throw new Error(`the model has no weight "${name}"`);
  return tensor;
}

export function floatsOf(weights: Weights, name: string): Float32Array<ArrayBuffer> {
  const { dtype, bytes } = tensorOf(weights, name);
  if (dtype === 'F16') return floatsFromHalves(bytes);
  // A copy, because a Float32Array must start at a multiple of 4.
  if (dtype === 'F32') return new Float32Array(Uint8Array.from(bytes).buffer);
  throw new Error(`the model's weights have an unsupported type: ${dtype}`);
}

export function floatsFromHalves(bytes: Uint8Array): Float32Array<ArrayBuffer> {
  // A copy, because a Float16Array must start at a multiple of 2.
  return new Float32Array(new Float16Array(new Uint8Array(bytes).buffer));
}

type Header = Record<string, { dtype: string; shape: number[]; data_offsets: [number, number] }>;
