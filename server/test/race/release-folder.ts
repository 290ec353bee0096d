import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Release } from '../harness/databases/releases.ts';
import { spawnMain, startMain, type ServerProcess } from './processes.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

export interface Owner {
  orgId: string;
  userId: string;
  key: string;
}

/** The sources of a release, with the packages of this checkout. */
export interface ReleaseFolder {
  main: string;
  dataDir: string;
  start(env: Record<string, string>, options?: string[]): Promise<ServerProcess>;
  /** Runs an admin command, which creates the schema if necessary, and returns what it printed. */
  admin<T>(args: string[], env: Record<string, string>): Promise<T>;
  remove(): Promise<void>;
}

export async function checkOutRelease({ version, commit }: Release): Promise<ReleaseFolder> {
  await requireCommit(version, commit);
  const folder = await mkdtemp(join(tmpdir(), `atrium-${version}-`));
  const archive = join(folder, 'sources.tar');
  await run('git', [
    '-C',
    ROOT,
    'archive',
    '-o',
    archive,
    commit,
    'server',
    'openapi',
    'package.json',
  ]);
  await run('tar', ['-xf', archive, '-C', folder]);
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  const main = join(folder, 'server/src/main.ts');
  return {
    main,
    dataDir,
    start: (env, options) => startMain(main, env, options),
    async admin<T>(args: string[], env: Record<string, string>) {
      return JSON.parse(
        await spawnMain(main, ['admin', ...args], env).waitForLine(/^{"\w+":"/),
      ) as T;
    },
    remove: () => rm(folder, { recursive: true }),
  };
}

async function requireCommit(version: string, commit: string): Promise<void> {
  await run('git', ['-C', ROOT, 'cat-file', '-e', `${commit}^{commit}`]).catch((error: unknown) => {
    throw new Error(
      `this test needs the sources of release ${version}, commit ${commit}: run it in a clone with the whole history (git fetch --unshallow)`,
      { cause: error },
    );
  });
}
