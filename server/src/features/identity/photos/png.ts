import type { Picture } from './picture.ts';

/** Of the optional chunks, those that say how colours look. */
const KEPT = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'sBIT']);
const HEADER_BYTES = 8;

export function readPng(file: Buffer): Picture | undefined {
  const kept = [file.subarray(0, HEADER_BYTES)];
  let size: { width: number; height: number } | undefined;
  let hasData = false;
  for (let at = HEADER_BYTES; ;) {
    const end = at + 12 + file.readUInt32BE(at);
    if (end > file.length) return undefined;
    const type = file.toString('latin1', at + 4, at + 8);
    if ((type === 'IHDR') !== (size === undefined)) return undefined;
    if (type === 'IHDR')
      size = { width: file.readUInt32BE(at + 8), height: file.readUInt32BE(at + 12) };
    // It moves.
    if (type === 'acTL') return undefined;
    hasData ||= type === 'IDAT';
    if (KEPT.has(type)) kept.push(file.subarray(at, end));
    at = end;
    if (type === 'IEND') break;
  }
  return size && hasData ? { ...size, bytes: Buffer.concat(kept) } : undefined;
}
