import type { Picture } from './picture.ts';

const END = 0xd9;
const SCAN = 0xda;

/** Every frame header but C4, C8 and CC, which are other segments. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** Markers without a length. Before and between scans no picture has them, and decoders read on right after them. */
function isAlone(marker: number): boolean {
  return marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}

/** Segments of applications and comments are left out, but for the two that say how colours are stored. */
function isKept(marker: number): boolean {
  const isOfApplication = marker >= 0xe0 && marker <= 0xef;
  return marker !== 0xfe && (!isOfApplication || marker === 0xe0 || marker === 0xee);
}

export function readJpeg(file: Buffer): Picture | undefined {
  const kept = [file.subarray(0, 2)];
  let size: { width: number; height: number } | undefined;
  let hasScan = false;
  for (let at = 2; ;) {
    if (file.readUInt8(at) !== 0xff) return undefined;
    const marker = file.readUInt8(at + 1);
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === END) {
      kept.push(file.subarray(at, at + 2));
      break;
    }
    if (isAlone(marker)) return undefined;
    const length = file.readUInt16BE(at + 2);
    let end = at + 2 + length;
    if (length < 2 || end > file.length) return undefined;
    if (isFrame(marker)) {
      if (size) return undefined;
      size = { height: file.readUInt16BE(at + 5), width: file.readUInt16BE(at + 7) };
    }
    if (marker === SCAN) {
      hasScan = true;
      end = endOfScan(file, end);
    }
    if (isKept(marker)) kept.push(file.subarray(at, end));
    at = end;
  }
  return size && hasScan ? { ...size, bytes: Buffer.concat(kept) } : undefined;
}

/** Up to the next marker. In the data, FF is followed by 00, or by the number of a restart. */
function endOfScan(file: Buffer, from: number): number {
  for (let at = from; ; at++) {
    if (file.readUInt8(at) !== 0xff) continue;
    const next = file.readUInt8(at + 1);
    if (next !== 0x00 && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
}
