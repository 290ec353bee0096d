import { writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { pino } from 'pino';
import { createFileReader } from '../../../src/adapters/file-reader/create-file-reader.ts';
import type {
  FileReader,
  FileToRead,
  PageText,
  TextOutcome,
} from '../../../src/adapters/file-reader/file-reader.ts';
import type { ReaderLimits } from '../../../src/adapters/file-reader/limits.ts';
import { readConfig } from '../../../src/config/config.ts';
import { MEDIA_TYPES } from './office.ts';

export const SAMPLES = join(import.meta.dirname, 'samples');

/** A reader with its processes. Close it. */
export function startReader(
  limits: Partial<ReaderLimits> = {},
  { env = {}, program }: { env?: Record<string, string>; program?: URL } = {},
): FileReader {
  const config = readConfig({ NODE_ENV: 'test', ...env });
  return createFileReader(config, pino({ level: 'silent' }), {
    limits,
    ...(program && { program }),
  });
}

export interface ReadText extends TextOutcome {
  read: PageText[];
  /** Of all pages, with an empty line between them. */
  text: string;
}

export async function readAll(
  reader: FileReader,
  file: FileToRead,
  options?: { from?: number; signal?: AbortSignal },
): Promise<ReadText> {
  const read: PageText[] = [];
  const outcome = await reader.readText(file, async (page) => void read.push(page), options);
  return { ...outcome, read, text: read.map(({ text }) => text).join('\n\n') };
}

/** One of the samples, which other programs have written. */
export function sample(name: string): FileToRead {
  return fileAt(join(SAMPLES, name));
}

export async function writeFileToRead(
  folder: string,
  name: string,
  content: string | Buffer,
): Promise<FileToRead> {
  const path = join(folder, name);
  await writeFile(path, content);
  return fileAt(path);
}

function fileAt(path: string): FileToRead {
  const ending = extname(path).slice(1);
  const mediaType = Object.entries(MEDIA_TYPES).find(([key]) => key === ending)?.[1];
  return { path, name: path.split('/').at(-1) ?? '', mediaType: mediaType ?? 'text/plain' };
}
