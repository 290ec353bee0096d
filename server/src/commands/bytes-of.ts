import { StorageMissing, type FileStorage } from '../adapters/storage/storage.ts';
import { BytesGone, type FileSource } from '../backup/create-backup.ts';
import type { FileTarget } from '../backup/restore-files.ts';

/** What backups need of a storage. */
export function bytesOf(storage: FileStorage): FileSource & FileTarget {
  return {
    sizeOf: (key) => storage.sizeOf(key),
    async *read(key) {
      try {
        yield* await storage.read(key);
      } catch (error) {
        throw error instanceof StorageMissing ? new BytesGone(error.message) : error;
      }
    },
    write: (key, source, size) => storage.write(key, source, size),
  };
}
