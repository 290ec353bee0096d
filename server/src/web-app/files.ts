import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';

/** A file of the built app in memory, with its compressed copies. */
export interface WebFile {
  type: string;
  etag: string;
  identity: Buffer;
  br: Buffer | undefined;
  gzip: Buffer | undefined;
}

/** Files by URL path. Only these can be downloaded, whatever a path contains. */
export type WebFiles = ReadonlyMap<string, WebFile>;

/** The file in the built folder with the hash of its sources. */
export const STAMP = '.built-from';

/** The suffixes of compressed copies. */
export const COPIES = { br: '.br', gzip: '.gz' } as const;

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** Reads the whole folder, a few megabytes, so that it may be changed or removed afterwards. */
export async function loadWebFiles(folder: string): Promise<WebFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  const read = await Promise.all(names.map((name) => readFile(join(folder, name))));
  const contents = new Map(names.map((name, at) => [name, read[at] ?? Buffer.alloc(0)]));
  const files = new Map<string, WebFile>();
  for (const [name, identity] of contents) {
    if (isCopy(name, contents)) continue;
    files.set(`/${name}`, {
      type: TYPES[extname(name)] ?? 'application/octet-stream',
      etag: etagOf(identity),
      identity,
      br: contents.get(name + COPIES.br),
      gzip: contents.get(name + COPIES.gzip),
    });
  }
  if (!files.has('/index.html')) throw new Error(`index.html not found in ${folder}`);
  return files;
}

/** Weak, because compressed copies have the same one. */
export function etagOf(content: Buffer): string {
  return `W/"${hash('sha256', content).slice(0, 24)}"`;
}

function isCopy(name: string, contents: ReadonlyMap<string, Buffer>): boolean {
  return Object.values(COPIES).some(
    (ending) => name.endsWith(ending) && contents.has(name.slice(0, -ending.length)),
  );
}
