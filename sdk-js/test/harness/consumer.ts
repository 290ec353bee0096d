import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A folder with `@atrium/sdk` installed, as in a user's project. */
export async function makeConsumer(): Promise<{ folder: string; drop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-consumer-'));
  await mkdir(join(folder, 'node_modules/@atrium'), { recursive: true });
  const sdk = fileURLToPath(new URL('../..', import.meta.url));
  await symlink(sdk, join(folder, 'node_modules/@atrium/sdk'));
  return { folder, drop: () => rm(folder, { recursive: true, force: true }) };
}

/** The oldest supported Node on the PATH, or this one if there is none. */
export function oldestNode(): { path: string; major: number } {
  const all = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'node'))
    .filter((path) => existsSync(path))
    .map((path) => ({
      path,
      major: majorOf(execFileSync(path, ['--version'], { encoding: 'utf8' })),
    }));
  const own = { path: process.execPath, major: majorOf(process.version) };
  const usable = [...all, own].filter(({ major }) => major >= 20);
  return usable.toSorted((a, b) => a.major - b.major)[0] ?? own;
}

function majorOf(version: string): number {
  return Number(/\d+/.exec(version)?.[0]);
}

export interface Ran {
  code: number | null;
  output: string;
}

export async function run(
  program: string,
  args: string[],
  { cwd, env = {}, input = '' }: { cwd: string; env?: Record<string, string>; input?: string },
): Promise<Ran> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(program, args, { cwd, env: { PATH, HOME, ...env } });
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (output += String(chunk)));
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  return { code, output };
}
