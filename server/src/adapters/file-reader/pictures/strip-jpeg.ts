const START = 0xd8;
const END = 0xd9;
const SCAN = 0xda;
const COMMENT = 0xfe;
const APP = 0xe0;

/**
 * A JPEG without what it says about camera, place and editing, and without anything behind its end. Its pixels stay
 * what they were. Undefined if it is not built like a JPEG.
 */
export function stripJpeg(bytes: Buffer): Buffer | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== START) return undefined;
  const kept = [bytes.subarray(0, 2)];
  for (let at = 2; at + 4 <= bytes.length;) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    // Markers may be filled up with more of the same byte.
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === END) break;
    const length = bytes.readUInt16BE(at + 2);
    const segment = bytes.subarray(at, at + 2 + length);
    if (length < 2 || segment.length < 2 + length) return undefined;
    if (isKept(marker, segment)) kept.push(segment);
    at += segment.length;
    if (marker !== SCAN) continue;
    const end = endOfScan(bytes, at);
    kept.push(bytes.subarray(at, end));
    at = end;
  }
  return Buffer.concat([...kept, Buffer.from([0xff, END])]);
}

/** Of the notes of programs only those that say how to show the pixels. */
function isKept(marker: number, segment: Buffer): boolean {
  if (marker === COMMENT) return false;
  if (marker < APP || marker > APP + 15) return true;
  const name = segment.toString('latin1', 4, 16);
  if (marker === APP) return name.startsWith('JFIF\0');
  if (marker === APP + 2) return name.startsWith('ICC_PROFILE\0');
  return marker === APP + 14 && name.startsWith('Adobe');
}

/** The next marker that is neither a restart nor a byte of data. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    const isRestart = next !== undefined && next >= 0xd0 && next <= 0xd7;
    if (next !== 0 && next !== 0xff && !isRestart) return at;
  }
  return bytes.length;
}
