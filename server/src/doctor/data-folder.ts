import { access, constants, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '../config/config.ts';
import { problemOf } from '../core/problem-of.ts';
import { failed, ok, warning, type Found } from './finding.ts';
import { errorCode } from '../core/error-code.ts';

const MB = 1024 * 1024;
/** A new embedded database takes 50 MB, and writes its log in files of 16 MB. */
const MIN_MB = 200;
const LOW_MB = 1_000;

/** Whether the data folder can be written to, and how much space is left. */
export async function checkDataFolder(config: Config): Promise<Found> {
  try {
    const folder = await nearestFolder(config.dataDir);
    const { bavail, bsize } = await statfs(folder);
    const freeMb = Math.floor((bavail * bsize) / MB);
    const message = `${freeMb} MB free for ${config.dataDir}`;
    const advice = 'Free some space, or set DATA_DIR to a folder on a larger disk.';
    if (freeMb < MIN_MB) return failed(message, advice);
    await access(folder, constants.W_OK);
    return freeMb < LOW_MB ? warning(message, advice) : ok(message);
  } catch (error) {
    return failed(
      `${config.dataDir} cannot be used: ${problemOf(error)}`,
      'Give this user the right to write to it, or set DATA_DIR to another folder.',
    );
  }
}

/** The folder itself or, before the first start, the one that it will be created in. */
async function nearestFolder(path: string): Promise<string> {
  try {
    await access(path);
    return path;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
    return nearestFolder(dirname(path));
  }
}
