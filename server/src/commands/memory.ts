import type { Logger } from 'pino';
import { createTextEncoder } from '../adapters/embeddings/create-text-encoder.ts';
import type { Config } from '../config/config.ts';
import { memoryStatus } from '../features/memory/embed-job.ts';
import { openMigrated } from './serve.ts';
import { UsageError } from './usage.ts';

/** Prints how many memories the configured model has embedded, as one line of JSON. */
export async function runMemory(config: Config, log: Logger, args: string[]): Promise<void> {
  if (args.length !== 1 || args[0] !== 'status') {
    throw new UsageError('unknown memory command; expected: memory status');
  }
  const db = await openMigrated(config, log);
  try {
    const { model } = createTextEncoder(config.embeddings, log);
    process.stdout.write(`${JSON.stringify(await memoryStatus(db, model))}\n`);
  } finally {
    await db.close();
  }
}
