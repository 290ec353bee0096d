/** A tensor as stored in a safetensors file. */
export interface StoredTensor {
  dtype: string;
  shape: number[];
  bytes: Uint8Array;
}

export type Weights = Map<string, StoredTensor>;

/** Layout: length of the header (8 bytes, little endian), the header as JSON, then the tensors' bytes. */
export function readSafetensors(file: Uint8Array): Weights {
  const headerLength = Number(viewOf(file).getBigUint64(0, true));
  const start = 8 + headerLength;
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
  halves ??= Float32Array.from({ length: 0x10000 }, (_, bits) => floatOfHalf(bits));
  const floats = new Float32Array(bytes.length / 2);
  for (let at = 0; at < floats.length; at++) {
    const bits = (bytes[2 * at] as number) | ((bytes[2 * at + 1] as number) << 8);
    floats[at] = halves[bits] as number;
  }
  return floats;
}

type Header = Record<string, { dtype: string; shape: number[]; data_offsets: [number, number] }>;

/** All half-precision numbers: a lookup is several times faster than decoding 22 million of them. */
let halves: Float32Array | undefined;

function floatOfHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction ? Number.NaN : sign * Infinity;
  return sign * 2 ** (exponent - 15) * (1 + fraction / 1024);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
