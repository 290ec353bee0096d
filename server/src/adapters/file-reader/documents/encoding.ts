import { open } from 'node:fs/promises';
import { REASONS, Unreadable } from '../reasons.ts';

const SAMPLE = 64 * 1024;

/** The text of a file, up to so many bytes, in whichever encoding it is. */
export async function readTextFile(
  path: string,
  mostBytes: number,
): Promise<{ text: string; isWhole: boolean }> {
  const { bytes, isWhole } = await readStart(path, mostBytes);
  return { text: decodeText(bytes, isWhole), isWhole };
}

export async function readStart(
  path: string,
  mostBytes: number,
): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    if (size === 0) throw new Unreadable(REASONS.emptyFile, 'EMPTY');
    const buffer = Buffer.allocUnsafe(Math.min(size, mostBytes));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    return { bytes: buffer.subarray(0, bytesRead), isWhole: bytesRead === size };
  } finally {
    await file.close();
  }
}

/** UTF-8 and UTF-16, also without a mark, or Windows-1252, which contains Latin-1. */
export function decodeText(bytes: Uint8Array, isWhole = true): string {
  const encoding = encodingOf(bytes);
  if (encoding !== 'utf-8') return new TextDecoder(encoding).decode(bytes);
  try {
    // As a stream, a character that was cut off at the end is no error.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, SAMPLE);
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries()) {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  }
  const [even = 0, odd = 0] = zeros;
  if (even + odd === 0) return 'utf-8';
  // In UTF-16, every second byte of most European texts is zero.
  const half = sample.length / 2;
  if (odd > half * 0.4 && even < half * 0.05) return 'utf-16le';
  if (even > half * 0.4 && odd < half * 0.05) return 'utf-16be';
  throw new Unreadable(REASONS.notText);
}
