import type { Logger } from 'pino';
import { createTextEncoder } from '../adapters/embeddings/create-text-encoder.ts';
import type { Config } from '../config/config.ts';
import { memoryStatus } from '../features/memory/embedding/status.ts';
import { runImport } from './import-memories.ts';
import { openMigrated } from './serve.ts';
import { UsageError } from './usage.ts';

/** `memory status` prints how many memories the configured model has embedded, as one line of JSON. */
export async function runMemory(config: Config, log: Logger, args: string[]): Promise<void> {
  if (args[0] === 'import') return runImport(config, log, args.slice(1));
  if (args.length !== 1 || args[0] !== 'status') {
    throw new UsageError('unknown memory command; expected: memory status, memory import');
  }
  const db = await openMigrated(config, log);
  try {
    const models = createTextEncoder(config.embeddings, log);
    process.stdout.write(`${JSON.stringify(await memoryStatus(db, models))}\n`);
  } finally {
    await db.close();
  }
}
