import type { Logger } from 'pino';
import { createTextEncoder } from '../adapters/embeddings/create-text-encoder.ts';
import type { Config } from '../config/config.ts';
import { useDatabase } from '../db/transactions/database.ts';
import { memoryStatus } from '../features/memory/embedding/status.ts';
import { runImport } from './import-memories.ts';
import { openMigrated } from './serve.ts';
import { printLine, UsageError } from './usage.ts';

/** `memory status` prints how many memories the configured model has embedded, as one line of JSON. */
export async function runMemory(config: Config, log: Logger, args: string[]): Promise<void> {
  if (args[0] === 'import') return runImport(config, log, args.slice(1));
  if (args.length !== 1 || args[0] !== 'status') {
    throw new UsageError('unknown memory command; expected: memory status, memory import');
  }
  await useDatabase(await openMigrated(config, log), async (db) =>
    printLine(await memoryStatus(db, createTextEncoder(config.embeddings, log))),
  );
}
