import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { FolderLockedError, lockFolder } from '../db/folder-lock.ts';
import { COPIES, STAMP } from './files.ts';
import { hashSources } from './sources.ts';

const LOOK_AGAIN_MS = 250;
const BUILD_LIMIT_MS = 5 * 60_000;

export const builtFolder = (root: string): string => join(root, 'web', 'dist');

/** What the built app was built from; undefined where there is none, or one that Vite was told to build by hand. */
export async function readStamp(root: string): Promise<string | undefined> {
  return readFile(join(builtFolder(root), STAMP), 'utf8').catch(() => undefined);
}

/**
 * Builds the app, unless it is there already. One process builds and others wait for it; what they see
 * is either the whole old folder or the whole new one, also when the builder is killed.
 */
export async function buildWebApp(root: string, signal?: AbortSignal): Promise<void> {
  const workshop = join(root, 'web', '.build');
  await mkdir(workshop).catch(ignoring('EEXIST'));
  const unlock = await lockWorkshop(workshop, signal);
  try {
    const sources = await hashSources(root);
    if ((await readStamp(root)) === sources) return;
    await clearWorkshop(workshop);
    const draft = join(workshop, randomUUID());
    await runVite(join(root, 'web'), draft, signal);
    await compressFiles(draft);
    await writeFile(join(draft, STAMP), sources);
    await replaceFolder(builtFolder(root), draft, join(workshop, randomUUID()));
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

/** What builders left that were killed. */
async function clearWorkshop(workshop: string): Promise<void> {
  for (const name of await readdir(workshop)) {
    if (name.startsWith('lock')) continue;
    await rm(join(workshop, name), { recursive: true, force: true });
  }
}

async function runVite(
  folder: string,
  draft: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const vite = createRequire(join(folder, 'package.json')).resolve('vite/package.json');
  const args = ['build', '--outDir', draft, '--emptyOutDir', '--logLevel', 'warn'];
  // Of our own settings, secrets among them, a build needs none.
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
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
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

/** Once, at the best there is: each browser then gets it as fast as it can. */
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

/** A folder cannot be renamed onto another: for a moment there is none, and who looks then looks again. */
async function replaceFolder(folder: string, draft: string, old: string): Promise<void> {
  await rename(folder, old).catch(ignoring('ENOENT'));
  await rename(draft, folder);
  await rm(old, { recursive: true, force: true });
}

function ignoring(code: string) {
  return (error: unknown): void => {
    if (!(error instanceof Error && 'code' in error && error.code === code)) throw error;
  };
}
