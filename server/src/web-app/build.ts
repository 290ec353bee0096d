import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { FolderLockedError, lockFolder } from '../db/engines/folder-lock.ts';
import { COPIES, STAMP } from './files.ts';
import { hashSources } from './sources.ts';
import { errorCode } from '../core/error-code.ts';

const LOOK_AGAIN_MS = 250;
const BUILD_LIMIT_MS = 5 * 60_000;

export const builtFolder = (root: string): string => join(root, 'web', 'dist');

/** The hash of the sources of the built app; undefined if there is no app, or if it was built by hand. */
export async function readStamp(root: string): Promise<string | undefined> {
  return readFile(join(builtFolder(root), STAMP), 'utf8').catch(() => undefined);
}

/**
 * Builds the app unless it is up to date. One process builds it, and others wait. They always see either
 * the complete old folder or the complete new one, even if the builder is killed.
 */
export async function buildWebApp(root: string, signal?: AbortSignal): Promise<void> {
  const workshop = join(root, 'web', '.build');
  await mkdir(workshop).catch(ignoring('EEXIST'));
  const unlock = await lockWorkshop(workshop, signal);
  try {
    const sources = await hashSources(root);
    if ((await readStamp(root)) === sources) return;
    await clearWorkshop(workshop);
    const temporary = join(workshop, randomUUID());
    await runVite(join(root, 'web'), temporary, signal);
    await compressFiles(temporary);
    await writeFile(join(temporary, STAMP), sources);
    await replaceFolder(builtFolder(root), temporary, join(workshop, randomUUID()));
  } finally {
    await unlock();
  }
}

async function lockWorkshop(
  workshop: string,
  signal: AbortSignal | undefined,
): Promise<() => Promise<void>> {
  for (;;) {
    try {
      return await lockFolder(workshop);
    } catch (error) {
      if (!(error instanceof FolderLockedError)) throw error;
    }
    await sleep(LOOK_AGAIN_MS, undefined, { ...(signal && { signal }) });
  }
}

/** Removes the folders that killed builders left behind. The files are locks and those that waiting builders prepare. */
async function clearWorkshop(workshop: string): Promise<void> {
  for (const entry of await readdir(workshop, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    // The Vite of a killed builder may still be writing there; then a later build removes the folder.
    await rm(join(workshop, entry.name), { recursive: true, force: true }).catch(
      ignoring('ENOTEMPTY'),
    );
  }
}

async function runVite(
  folder: string,
  temporary: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const vite = createRequire(join(folder, 'package.json')).resolve('vite/package.json');
  const args = ['build', '--outDir', temporary, '--emptyOutDir', '--logLevel', 'warn'];
  // The build gets none of our variables, because some are secrets.
  const { PATH, HOME, TMPDIR } = process.env;
  const child = spawn(process.execPath, [join(dirname(vite), 'bin', 'vite.js'), ...args], {
    cwd: folder,
    env: { PATH, HOME, TMPDIR, NODE_ENV: 'production', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: BUILD_LIMIT_MS,
    ...(signal && { signal }),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => (output = (output + data.toString()).slice(-4_000)));
  }
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`vite build failed (${code ?? 'killed'}):\n${output.trim()}`);
}

const COMPRESSIBLE = new Set([
  '.css',
  '.html',
  '.js',
  '.json',
  '.map',
  '.svg',
  '.txt',
  '.webmanifest',
]);

/** Compresses once, with the best quality, so that every download is small. */
async function compressFiles(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && COMPRESSIBLE.has(extname(entry.name)));
  await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const file = join(parentPath, name);
      const content = await readFile(file);
      const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
      const copies = await Promise.all([
        promisify(brotliCompress)(content, { params }),
        promisify(gzip)(content, { level: 9 }),
      ]);
      await writeFile(file + COPIES.br, copies[0]);
      await writeFile(file + COPIES.gzip, copies[1]);
    }),
  );
}

/** A folder cannot replace another one atomically: for a moment there is none, and readers try again. */
async function replaceFolder(folder: string, temporary: string, old: string): Promise<void> {
  await rename(folder, old).catch(ignoring('ENOENT'));
  await rename(temporary, folder);
  await rm(old, { recursive: true, force: true });
}

function ignoring(code: string) {
  return (error: unknown): void => {
    if (errorCode(error) !== code) throw error;
  };
}
