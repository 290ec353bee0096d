import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { createFolderStorage } from './folder-storage.ts';
import { createS3Storage } from './s3-storage.ts';
import type { FileStorage } from './storage.ts';

/** The folder `files` of DATA_DIR, or S3 if that is configured. */
export function createStorage({ dataDir, files }: Config): FileStorage {
  return files.s3 ? createS3Storage(files.s3) : createFolderStorage(join(dataDir, 'files'));
}
