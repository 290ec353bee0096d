import { parseArgs, type ParseArgsConfig } from 'node:util';

/** A mistake in the command line; the message says what is wrong. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** A mistake in a file; the message says where it is and what to do. */
export class InputError extends Error {
  override name = 'InputError';
}

/** The options of a command. What `parseArgs` complains about is a mistake in the command line. */
export function readOptions<const T extends ParseArgsConfig>(config: T) {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

export function refuseUnknown(command: string, args: string[], known: string[] = []): void {
  const unknown = args.find((arg) => !known.includes(arg));
  if (unknown !== undefined) throw new UsageError(`unknown option "${unknown}" for ${command}`);
}

/** What commands print: one line of JSON. */
export function printLine(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

export const USAGE = `Usage: npm run --silent atrium -- <command>

  serve [--no-worker] [--no-web]
                        serve the API, its reference and the web app, and run background jobs
  worker                run background jobs only
  migrate               apply pending migrations and exit
  backup  --to FILE|- [--key-file FILE]
                        write everything in the database, which may be in use, to one archive
  restore --from FILE|- [--key-file FILE]
                        fill an empty database from an archive, and check what was restored
  build-web             build the web app if it is missing or out of date, and exit; serve does this too
  distribute [--shards N]
                        spread the organisations over the nodes of a Citus cluster; may be repeated
  doctor [--json]       check the database, Redis, email, the public URL, clocks, disk space and keys
  jobs dead             list jobs that failed permanently, one JSON object per line
  jobs retry --id N | --all
                        run one failed job, or all of them, again
  memory status         show how many memories are embedded, and how many are pending
  memory import FILE --org ID [--email EMAIL]
                        import memories, one JSON object per line (- reads standard input); lines that were
                        imported before are skipped
  secrets reseal        re-encrypt every stored secret with the first key in SECRETS_KEY
  admin create-org  --name NAME --owner-email EMAIL
  admin create-user --org ID --email EMAIL --role OWNER|ADMIN|MEMBER
  admin create-key  --org ID --email EMAIL [--scopes a,b]
  admin sign-in-link --email EMAIL   create a one-time sign-in link that is valid for 24 hours

The admin, backup, restore, distribute, jobs, memory and secrets commands print JSON. They use DATABASE_URL, or DATA_DIR if no server is
running on it. Backup also works while one is.
`;
