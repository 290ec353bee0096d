import type { Logger } from 'pino';
import { createTextEncoder } from '../adapters/embeddings/create-text-encoder.ts';
import type { Config } from '../config/config.ts';
import { memoryStatus } from '../features/memory/embed-job.ts';
import { openMigrated } from './serve.ts';
import { UsageError } from './usage.ts';

/** How far the configured embedding model has come with reading every memory: one line of JSON. */
export async function runMemory(config: Config, log: Logger, args: string[]): Promise<void> {
  if (args.length !== 1 || args[0] !== 'status') {
    throw new UsageError('there is one memory command: status');
  }
  const db = await openMigrated(config, log);
  try {
    const { model } = createTextEncoder(config.embeddings, log);
    process.stdout.write(`${JSON.stringify(await memoryStatus(db, model))}\n`);
  } finally {
    await db.close();
  }
}
