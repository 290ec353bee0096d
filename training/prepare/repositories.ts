import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Reads a file of a clone, bare or not, at REPOS/owner+name. */
export function readFileOf(repository: string, path: string): string {
  const folder = join(process.env['REPOS'] ?? '.', repository.replace('/', '+'));
  const gitDir = existsSync(join(folder, '.git')) ? join(folder, '.git') : folder;
  const args = [`--git-dir=${gitDir}`, 'show', `HEAD:${path}`];
  return execFileSync('git', args, { maxBuffer: 1e9, encoding: 'utf8' });
}
