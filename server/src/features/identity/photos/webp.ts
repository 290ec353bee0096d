import type { Picture } from './picture.ts';

const KEPT = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH']);
const HEADER_BYTES = 12;
/** In the flags of the extended format: of what is kept, there is only transparency. */
const ALPHA = 0x10;
const ANIMATION = 0x02;

export function readWebp(file: Buffer): Picture | undefined {
  const kept: Buffer[] = [];
  let size: { width: number; height: number } | undefined;
  let hasData = false;
  const fileEnd = 8 + file.readUInt32LE(4);
  if (fileEnd > file.length) return undefined;
  for (let at = HEADER_BYTES; at < fileEnd;) {
    const type = file.toString('latin1', at, at + 4);
    const length = file.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2);
    if (end > fileEnd) return undefined;
    const data = file.subarray(at + 8, at + 8 + length);
    if (type === 'VP8X' && (data.readUInt8(0) & ANIMATION) !== 0) return undefined;
    const found = sizeIn(type, data);
    // The picture itself decides how large it is, and must not contradict the frame around it.
    if (found && size && (found.width !== size.width || found.height !== size.height))
      return undefined;
    size ??= found;
    hasData ||= type === 'VP8 ' || type === 'VP8L';
    if (KEPT.has(type)) kept.push(withoutFlags(type, file.subarray(at, end)));
    at = end;
  }
  if (!size || !hasData) return undefined;
  const body = Buffer.concat(kept);
  const header = Buffer.from(file.subarray(0, HEADER_BYTES));
  header.writeUInt32LE(4 + body.length, 4);
  return { ...size, bytes: Buffer.concat([header, body]) };
}

/** Of what is left out. */
function withoutFlags(type: string, chunk: Buffer): Buffer {
  if (type !== 'VP8X') return chunk;
  const changed = Buffer.from(chunk);
  changed.writeUInt8(chunk.readUInt8(8) & ALPHA, 8);
  return changed;
}

function sizeIn(type: string, data: Buffer): { width: number; height: number } | undefined {
  if (type === 'VP8X') {
    return { width: 1 + data.readUIntLE(4, 3), height: 1 + data.readUIntLE(7, 3) };
  }
  if (type === 'VP8L') {
    const bits = data.readUInt32LE(1);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  if (type !== 'VP8 ') return undefined;
  return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
}
