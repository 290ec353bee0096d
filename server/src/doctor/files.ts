import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createScanner } from '../adapters/scan/create-scanner.ts';
import { createStorage } from '../adapters/storage/create-storage.ts';
import type { Config } from '../config/config.ts';
import { problemOf } from '../core/problem-of.ts';
import type { Database } from '../db/types.ts';
import { failed, ok, skipped, warning, type Found } from './finding.ts';
import { countMachines, listRecentFiles } from './store.ts';

/** Writes, reads and deletes a small object. A folder that isn't there yet is left to the first upload. */
export async function checkStorage(config: Config): Promise<Found> {
  const { s3 } = config.files;
  if (!s3 && !existsSync(join(config.dataDir, 'files'))) {
    return skipped('not created yet; the first upload creates the folder in DATA_DIR');
  }
  const storage = createStorage(config);
  try {
    await storage.check();
    return ok(s3 ? `bucket ${s3.bucket} can be written and read` : 'the folder can be written');
  } catch (error) {
    const advice = s3
      ? 'Correct FILES_S3_ENDPOINT, the bucket and its keys, or ask the people who run the service.'
      : 'Give this user the right to write to DATA_DIR/files, or free some space.';
    return failed(problemOf(error), advice);
  } finally {
    await storage.close();
  }
}

export async function checkScanner(config: Config): Promise<Found> {
  const scanner = createScanner(config);
  if (!scanner) return skipped('CLAMD is not set; files are not scanned');
  try {
    await scanner.check();
    return ok('clamd answers');
  } catch (error) {
    return failed(
      problemOf(error),
      'Start clamd, or correct CLAMD. Until then, files are not READY.',
    );
  }
}

const RECENT = 20;

/** Whether what the database refers to is in this storage. It is not if processes have a folder each. */
export async function checkStoredFiles(config: Config, db: Database): Promise<Found> {
  const recent = await listRecentFiles(db, RECENT);
  const missing = await countMissing(
    config,
    recent.map(({ key }) => key),
  );
  const isFolder = config.files.s3 === undefined;
  const share = 'Mount the same DATA_DIR/files on all of them, or set FILES_S3_ENDPOINT.';
  if (missing > 0) {
    return failed(
      `${missing} of the last ${recent.length} files are not in this storage`,
      isFolder ? `If several processes run: ${share}` : 'Restore them from a backup.',
    );
  }
  const machines = isFolder && db.engine !== 'embedded' ? await countMachines(db) : 1;
  if (machines > 1 && recent.length === 0) {
    return warning(`processes on ${machines} machines have files in a folder`, share);
  }
  return ok(recent.length === 0 ? 'there are none' : `the last ${recent.length} are there`);
}

async function countMissing(config: Config, keys: readonly string[]): Promise<number> {
  const storage = createStorage(config);
  try {
    const sizes = await Promise.all(keys.map((key) => storage.sizeOf(key)));
    return sizes.filter((size) => size === undefined).length;
  } finally {
    await storage.close();
  }
}
