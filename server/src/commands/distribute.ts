import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { useDatabase } from '../db/transactions/database.ts';
import { distribute, NotDistributable } from '../db/citus/distribute.ts';
import { openDatabase } from '../db/engines/open.ts';
import { printLine, readOptions, UsageError } from './usage.ts';

const DEFAULT_SHARDS = 32;
const MOST_SHARDS = 1_024;

/** Spreads the organisations of a database over the nodes of its Citus cluster. Prints what it did. */
export async function runDistribute(config: Config, log: Logger, args: string[]): Promise<void> {
  const shards = readShards(args);
  if (config.databaseUrl === undefined) {
    throw new NotDistributable('the embedded database is one file; distribute needs DATABASE_URL');
  }
  const done = await useDatabase(await openDatabase(config, log), (db) =>
    distribute(db, { shards }),
  );
  printLine(done);
}

function readShards(args: string[]): number {
  const given = readOptions({ args, options: { shards: { type: 'string' } } }).values.shards;
  if (given === undefined) return DEFAULT_SHARDS;
  const shards = Number(given);
  if (!/^\d+$/.test(given) || shards < 1 || shards > MOST_SHARDS) {
    throw new UsageError(`--shards: "${given}" is not a number from 1 to ${MOST_SHARDS}`);
  }
  return shards;
}
