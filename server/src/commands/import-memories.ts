import { open } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { createTextEncoder } from '../adapters/embeddings/create-text-encoder.ts';
import { LISTENERS, PREPARATIONS } from '../app/listeners.ts';
import { busUrls, createBus } from '../bus/create-bus.ts';
import { createHints } from '../bus/hints.ts';
import { createPresenceBoard } from '../bus/presence-board.ts';
import type { Config } from '../config/config.ts';
import type { Actor } from '../core/context.ts';
import type { Database } from '../db/types.ts';
import { AppError } from '../core/errors.ts';
import { createEvents } from '../events/create-events.ts';
import { findMember } from '../features/identity/service.ts';
import {
  importMemories,
  prepareImport,
  type NewMemory,
  type WriteContext,
} from '../features/memory/service.ts';
import { createJobQueue } from '../jobs/queue.ts';
import { createWakeUp } from '../jobs/wake-up.ts';
import { requireOrg } from './admin.ts';
import { readBatches, type LineBatch } from './memory-lines.ts';
import { createProgressLine } from './progress.ts';
import { openMigrated } from './serve.ts';
import { InputError, printLine, readOptions, UsageError } from './usage.ts';

/** What was done so far. Printed as one line of JSON at the end. */
export interface Progress {
  lines: number;
  imported: number;
  skipped: number;
}

/** Imports memories from a file with one JSON object per line. */
export async function runImport(config: Config, log: Logger, args: string[]): Promise<void> {
  const options = importOptions(args);
  const input = await openInput(options.file);
  // A server on this machine goes first. Threads started from now on inherit this. The embedded database has
  // no other process that could wait.
  if (config.databaseUrl !== undefined) setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const db = await openMigrated(config, log);
  const bus = createBus(busUrls(config), log);
  const encoder = createTextEncoder(config.embeddings, log);
  const presence = createPresenceBoard(bus);
  const progress = createProgressLine();
  const startedAt = performance.now();
  try {
    const ctx: WriteContext = {
      requestId: 'memory-import',
      orgId: options.org,
      actor: await findAuthor(db, options),
      db,
      log,
      encoder,
      clock: { now: () => new Date() },
      jobs: createJobQueue(createWakeUp(bus)),
      events: createEvents(LISTENERS, PREPARATIONS),
      hints: createHints(bus),
      presence,
    };
    const done = await importAll(ctx, input, (each) =>
      progress.show(progressText(each, startedAt)),
    );
    progress.end();
    printLine(done);
  } finally {
    progress.end();
    input.destroy();
    await encoder.close();
    presence.close();
    await bus.close();
    await db.close();
  }
}

/** Reads and encodes the next batch while one is written. */
export async function importAll(
  ctx: WriteContext,
  input: Readable,
  onProgress: (done: Progress) => void = () => {},
): Promise<Progress> {
  const done: Progress = { lines: 0, imported: 0, skipped: 0 };
  const write = async ({ last, memories }: LineBatch, newMemories: NewMemory[]) => {
    const imported = await importMemories(ctx, newMemories);
    done.lines = last;
    done.imported += imported;
    done.skipped += memories.length - imported;
    onProgress(done);
  };
  let writing = Promise.resolve();
  try {
    for await (const batch of readBatches(input)) {
      const newMemories = await prepareBatch(ctx, batch);
      await writing;
      writing = write(batch, newMemories);
      // If the next batch fails first, this one is still awaited below.
      writing.catch(() => {});
    }
    await writing;
    return done;
  } catch (error) {
    await writing;
    throw error instanceof InputError ? withAdvice(error, done) : error;
  }
}

async function prepareBatch(
  ctx: WriteContext,
  { first, last, memories }: LineBatch,
): Promise<NewMemory[]> {
  try {
    return await prepareImport(ctx, memories);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new InputError(`Lines ${first} to ${last}: ${error.message}`);
  }
}

function withAdvice({ message }: InputError, { lines, imported }: Progress): InputError {
  const state = `Imported up to line ${lines}: ${imported} new memories.`;
  return new InputError(`${message} ${state} Fix the file and run the command again to continue.`);
}

function progressText({ lines, imported, skipped }: Progress, startedAt: number): string {
  const perSecond = ((imported / (performance.now() - startedAt)) * 1000).toFixed(0);
  return `${lines} lines read, ${imported} imported, ${skipped} skipped, ${perSecond}/s`;
}

async function openInput(file: string): Promise<Readable> {
  if (file === '-') return process.stdin;
  try {
    return (await open(file)).createReadStream();
  } catch (error) {
    throw new InputError(`Cannot read ${file}: ${(error as Error).message}`);
  }
}

/** With an email, the memories are that member's and their rights apply; otherwise they belong to the org. */
async function findAuthor(
  db: Database,
  { org, email }: ReturnType<typeof importOptions>,
): Promise<Actor> {
  await requireOrg(db, org);
  if (email === undefined) return { kind: 'system' };
  const member = await findMember(db, org, email);
  if (!member) throw new UsageError(`--email: ${email} is not a member of this org`);
  const { id: userId, role } = member;
  const caller = { keyId: null, webSessionId: null, scopes: new Set<string>() };
  return { kind: 'user', userId, email: member.email, role, ...caller };
}

function importOptions(args: string[]) {
  const options = { org: { type: 'string' }, email: { type: 'string' } } as const;
  const { values, positionals } = readOptions({ args, allowPositionals: true, options });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new UsageError('memory import needs one file');
  if (values.org === undefined) throw new UsageError('--org is required');
  return { file, org: values.org, email: values.email };
}
