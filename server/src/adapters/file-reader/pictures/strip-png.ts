const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Pixels, colours and animation. Texts, times and notes of cameras are not among them. */
const KEPT = new Set(
  `IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP sBIT cICP mDCV cLLI bKGD pHYs hIST acTL fcTL fdAT`.split(
    ' ',
  ),
);

/** A PNG without metadata and without anything behind its end. Undefined if it is not built like a PNG. */
export function stripPng(bytes: Buffer): Buffer | undefined {
  if (!bytes.subarray(0, 8).equals(SIGNATURE)) return undefined;
  const kept: Buffer[] = [SIGNATURE];
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const chunk = bytes.subarray(at, at + 12 + length);
    if (chunk.length < 12 + length) return undefined;
    if (KEPT.has(type)) kept.push(chunk);
    if (type === 'IEND') return Buffer.concat(kept);
    at += chunk.length;
  }
  return undefined;
}
