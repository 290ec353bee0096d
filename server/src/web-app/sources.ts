import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorCode } from '../core/error-code.ts';

/** The checkout, with the web app's sources and its build. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** What the app is built from; the lockfile stands for its packages. */
const SOURCES = [
  'web/src',
  'web/public',
  'web/index.html',
  'web/vite.config.ts',
  'web/package.json',
  'sdk-js/src',
  // Rules that the app shares with the server.
  'server/src/text/emoji',
  'server/src/text/group-words.ts',
  'server/src/text/mentions.ts',
  'server/src/text/name-key.ts',
  'server/src/text/named-people.ts',
  'server/src/text/plain-text.ts',
  'server/src/text/slug.ts',
  'package-lock.json',
];

/**
 * One hash of the content of all sources, because modification times mean nothing after a checkout. It
 * takes about 20 ms.
 */
export async function hashSources(root: string): Promise<string> {
  const files = (await Promise.all(SOURCES.map((name) => listFiles(join(root, name))))).flat();
  const contents = await Promise.all(files.map((file) => readFile(file)));
  const sum = createHash('sha256');
  for (const [at, file] of files.entries()) {
    const content = contents[at] ?? Buffer.alloc(0);
    sum.update(`${relative(root, file)}\0${content.length}\0`).update(content);
  }
  return sum.digest('hex');
}

export function hasSources(root: string): boolean {
  return existsSync(join(root, 'web', 'src'));
}

const TEST = /\.test\.tsx?$/;

/** The files in a folder, or the file itself; none if it does not exist. */
async function listFiles(path: string): Promise<string[]> {
  try {
    const entries = await readdir(path, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && !TEST.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted();
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOTDIR') return [path];
    if (code === 'ENOENT') return [];
    throw error;
  }
}
