import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { useDatabase } from '../db/transactions/database.ts';
import type { Database } from '../db/types.ts';
import { listDeadJobs, reviveJobs } from '../jobs/store.ts';
import { openMigrated } from './serve.ts';
import { printLine, readOptions, UsageError } from './usage.ts';

type JobsCommand = (args: string[]) => (db: Database) => Promise<void>;

const PAGE = 500;

/** Each command reads its options first, so that a typo is reported before the database is opened. */
const COMMANDS: Record<string, JobsCommand> = {
  dead(args) {
    if (args.length > 0) throw new UsageError('jobs dead takes no options');
    return printDead;
  },
  retry(args) {
    const which = readWhich(args);
    return async (db) => printLine({ retried: await reviveJobs(db, which) });
  },
};

/** Lists dead jobs, one JSON object per line, or runs them again. */
export async function runJobs(config: Config, log: Logger, args: string[]): Promise<void> {
  const [name = '', ...rest] = args;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new UsageError(`unknown jobs command "${name}"`);
  const run = command(rest);
  await useDatabase(await openMigrated(config, log), run);
}

async function printDead(db: Database): Promise<void> {
  for (let afterId: number | undefined = 0; afterId !== undefined;) {
    const page = await listDeadJobs(db, afterId, PAGE);
    for (const job of page) printLine(job);
    afterId = page.length === PAGE ? page.at(-1)?.id : undefined;
  }
}

function readWhich(args: string[]): number | 'all' {
  const options = { id: { type: 'string' }, all: { type: 'boolean' } } as const;
  const { id, all } = readOptions({ args, options }).values;
  if ((id === undefined) === (all === undefined)) {
    throw new UsageError('jobs retry needs either --id or --all');
  }
  if (id === undefined) return 'all';
  if (!/^[1-9]\d{0,14}$/.test(id)) throw new UsageError(`--id: "${id}" is not a job id`);
  return Number(id);
}
