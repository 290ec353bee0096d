/** A bitmap of Windows, which sharp can't read. Pixels are RGB. */
export interface Bitmap {
  data: Buffer;
  width: number;
  height: number;
}

const FILE_HEADER = 14;
const INFO_HEADER = 40;
const PACKED_8 = 1;
const PACKED_4 = 2;
const WITH_MASKS = new Set([3, 6]);
/** Of 16 bits, if it does not say. */
const USUAL_MASKS = [0x7c00, 0x3e0, 0x1f];

/** Width and height. Undefined if it is not one, or of the kind before 1990. */
export function sizeOfBitmap(start: Buffer): Omit<Bitmap, 'data'> | undefined {
  const isOne = start.length >= 26 && start.toString('latin1', 0, 2) === 'BM';
  if (!isOne || start.readUInt32LE(14) < INFO_HEADER) return undefined;
  // Negative: from the top down.
  return { width: start.readInt32LE(18), height: Math.abs(start.readInt32LE(22)) };
}

/** Undefined if it is damaged. The caller has checked that the size is no problem. */
export function decodeBitmap(file: Buffer): Bitmap | undefined {
  const size = sizeOfBitmap(file);
  if (!size || file.length < FILE_HEADER + INFO_HEADER) return undefined;
  const { width, height } = size;
  const bits = file.readUInt16LE(28);
  const packing = file.readUInt32LE(30);
  const rows =
    packing === PACKED_8 || packing === PACKED_4
      ? unpackRuns(file, size, packing === PACKED_4)
      : { data: file.subarray(file.readUInt32LE(10)), bits };
  if (![1, 4, 8, 16, 24, 32].includes(rows.bits)) return undefined;
  const stride = Math.ceil((width * rows.bits) / 32) * 4;
  if (rows.data.length < stride * height) return undefined;
  const colourOf = bits <= 8 ? paletteOf(file) : colours(file, bits, WITH_MASKS.has(packing));
  const isTopDown = file.readInt32LE(22) < 0;
  const data = Buffer.alloc(3 * width * height);
  for (let y = 0; y < height; y++) {
    const row = stride * (isTopDown ? y : height - 1 - y);
    for (let x = 0; x < width; x++) {
      data.writeUIntBE(colourOf(valueAt(rows.data, row, x, rows.bits)), 3 * (y * width + x), 3);
    }
  }
  return { data, width, height };
}

function valueAt(data: Buffer, row: number, x: number, bits: number): number {
  if (bits >= 16) return data.readUIntLE(row + (x * bits) / 8, bits / 8);
  const byte = data[row + ((x * bits) >> 3)] ?? 0;
  return (byte >> (8 - bits - ((x * bits) & 7))) & ((1 << bits) - 1);
}

type ColourOf = (value: number) => number;

function paletteOf(file: Buffer): ColourOf {
  const at = FILE_HEADER + file.readUInt32LE(14);
  return (value) => {
    const from = at + 4 * value;
    return from + 3 <= file.length ? file.readUIntLE(from, 3) : 0;
  };
}

function colours(file: Buffer, bits: number, hasMasks: boolean): ColourOf {
  if (bits === 24 || (bits === 32 && !hasMasks)) return (value) => value & 0xff_ff_ff;
  const masks = hasMasks ? [54, 58, 62].map((at) => file.readUInt32LE(at)) : USUAL_MASKS;
  const parts = masks.map((mask) => {
    const shift = mask === 0 ? 0 : 31 - Math.clz32(mask & -mask);
    return { mask, shift, most: mask >>> shift };
  });
  return (value) =>
    parts.reduce((colour, { mask, shift, most }) => {
      const part = most === 0 ? 0 : ((value & mask) >>> shift) / most;
      return colour * 256 + Math.round(part * 255);
    }, 0);
}

/** Runs of one value, or of two in turns, as a byte for each pixel. */
function unpackRuns(
  file: Buffer,
  { width, height }: Omit<Bitmap, 'data'>,
  isHalfBytes: boolean,
): { data: Buffer; bits: number } {
  const stride = Math.ceil(width / 4) * 4;
  const data = Buffer.alloc(stride * height);
  const put = (value: number) => {
    if (x < width && y < height) data[y * stride + x] = value;
    x++;
  };
  const half = (byte: number, nth: number) => (nth % 2 === 0 ? byte >> 4 : byte & 15);
  let [x, y, at] = [0, 0, file.readUInt32LE(10)];
  while (at + 1 < file.length && y < height) {
    const [count = 0, value = 0] = file.subarray(at, at + 2);
    at += 2;
    if (count > 0) {
      for (let nth = 0; nth < count; nth++) put(isHalfBytes ? half(value, nth) : value);
    } else if (value === 0) [x, y] = [0, y + 1];
    else if (value === 1) break;
    else if (value === 2) {
      x += file[at] ?? 0;
      y += file[at + 1] ?? 0;
      at += 2;
    } else {
      for (let nth = 0; nth < value; nth++) {
        const byte = file[at + (isHalfBytes ? nth >> 1 : nth)] ?? 0;
        put(isHalfBytes ? half(byte, nth) : byte);
      }
      at += 2 * Math.ceil(value / (isHalfBytes ? 4 : 2));
    }
  }
  return { data, bits: 8 };
}
