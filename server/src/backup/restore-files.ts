import { createHash } from 'node:crypto';
import { BackupError, damaged } from './backup-error.ts';
import { BYTES, isBytes, parseFileEnd, type FileEnd } from './format.ts';
import type { FileSection, NextLine } from './restore-backup.ts';

export interface FileTarget {
  sizeOf(key: string): Promise<number | undefined>;
  read(key: string): AsyncIterable<Uint8Array>;
  /** As a whole or not at all. */
  write(key: string, source: AsyncIterable<Uint8Array>, size: number): Promise<void>;
}

export interface RestoredFiles {
  count: number;
  bytes: number;
  /** Those that were there already: an earlier attempt stored them. */
  kept: number;
}

/** Stores the bytes of one file, and reads them back. What is there already, and right, is not written again. */
export async function restoreFile(
  { file: key, size, sha256 }: FileSection,
  next: NextLine,
  target: FileTarget,
  totals: RestoredFiles,
): Promise<void> {
  const isThere =
    sha256 !== null &&
    (await target.sizeOf(key)) === size &&
    (await sumOf(target.read(key))) === sha256;
  const content = contentOf(next);
  if (isThere) for await (const _chunk of content.bytes) void _chunk;
  else {
    await target.write(key, content.bytes, size).catch((error: unknown) => {
      if (!content.isGone()) throw error;
    });
  }
  const end = content.end();
  if ('missing' in end) return;
  const stored = isThere ? sha256 : await sumOf(target.read(key));
  if (stored !== end.sha256) {
    throw new BackupError(`the storage does not return the bytes that were written to it: ${key}`);
  }
  totals.count++;
  totals.bytes += size;
  if (isThere) totals.kept++;
}

/** The lines of one file, as bytes. They throw if what the archive holds is not what was put into it. */
function contentOf(next: NextLine) {
  let end: FileEnd | undefined;
  async function* read(): AsyncGenerator<Buffer> {
    const sum = createHash('sha256');
    let line = await next();
    while (isBytes(line)) {
      const chunk = Buffer.from(line.slice(BYTES.length), 'base64');
      sum.update(chunk);
      yield chunk;
      line = await next();
    }
    end = parseFileEnd(line);
    if ('missing' in end) throw new Error('the file was deleted while the backup ran');
    if (end.sha256 !== sum.digest('hex')) throw damaged('the checksum of a file does not match');
  }
  return {
    bytes: read(),
    isGone: () => end !== undefined && 'missing' in end,
    end(): FileEnd {
      if (!end) throw damaged('a file is longer than it says');
      return end;
    },
  };
}

async function sumOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const sum = createHash('sha256');
  for await (const chunk of content) sum.update(chunk);
  return sum.digest('hex');
}
