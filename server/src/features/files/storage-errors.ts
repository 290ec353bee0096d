import type { Logger } from 'pino';
import { StorageMissing, StorageUnavailable } from '../../adapters/storage/storage.ts';
import { AppError, notFound } from '../../core/errors.ts';

/** What people are told if bytes can't be read: they were deleted a moment ago, or it may work again later. */
export async function explained<T>(log: Logger, reading: () => Promise<T>): Promise<T> {
  try {
    return await reading();
  } catch (error) {
    if (error instanceof StorageMissing) {
      log.warn({ err: error }, 'bytes of a file are gone: it was just deleted, or they were lost');
      throw notFound('The content of this file');
    }
    if (!(error instanceof StorageUnavailable)) throw error;
    const text = 'The storage of this server cannot be reached. Try again in a moment.';
    throw Object.assign(new AppError('INTERNAL_ERROR', text, {}, 30), { cause: error });
  }
}
