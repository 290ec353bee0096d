import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { withTransaction, type Context, type SystemActor } from '../../../core/context.ts';
import type { Database, Transaction } from '../../../db/types.ts';
import type { DurableListener } from '../../../events/durable.ts';
import { laneInShare, type JobQueue } from '../../../jobs/queue.ts';
import { readFileText } from './read-file.ts';
import { claimFile, findNewest, findNextFree, listPending, listReading, release } from './store.ts';
import { HELD_MS } from './timing.ts';

/** The job that reads texts of files. It is for an org, not for a file: it takes the newest one. */
export const READ_TEXT = 'read-text';

const Payload = z.object({ orgId: z.string() });

/** After this time an org gives its place to another one. */
const TURN_MS = 30_000;
const MOST_ATTEMPTS = 5;
const FIRST_REST_MS = 10_000;

type SystemContext = Context<SystemActor>;

/** What was checked and has a text is read. Nothing waits for it but the text. */
export const readCheckedFiles: DurableListener<'file.checked'> = {
  name: 'file-text',
  atOnce: 20,
  recordOf: ({ fileId, status }) => (status === 'READY' ? fileId : undefined),
  async handle(ctx, owed) {
    const pending = await listPending(
      ctx,
      owed.map(({ recordId }) => recordId),
    );
    if (pending.length === 0) return;
    await withTransaction(ctx, async ({ db, jobs, orgId }) => enqueueReading({ db, jobs, orgId }));
  },
};

/** One lane for each org, all in one share. `again`: a job that waits does not keep a new file waiting. */
function enqueueReading(
  { db, jobs, orgId }: { db: Transaction; jobs: JobQueue; orgId: string },
  again?: Date,
): void {
  const lane = laneInShare('texts', orgId);
  const job = { kind: READ_TEXT, lane, unlessQueued: true };
  if (again) jobs.enqueue(db, { ...job, payload: { orgId, isAgain: true }, runAt: again });
  else jobs.enqueue(db, { ...job, payload: { orgId } });
}

/** Reads what is to be read, newest first, until there is nothing left or others have waited long enough. */
export async function readTexts(
  contextOf: (orgId: string) => SystemContext,
  payload: unknown,
  signal: AbortSignal,
): Promise<void> {
  const ctx = contextOf(Payload.parse(payload).orgId);
  const endsAt = performance.now() + TURN_MS;
  for (;;) {
    signal.throwIfAborted();
    const token = randomUUID();
    const now = ctx.clock.now();
    const until = new Date(now.getTime() + HELD_MS);
    const file = await findNewest(ctx, now);
    if (!file) return await comeAgain(ctx, await findNextFree(ctx));
    if (!(await claimFile(ctx, file.id, { token, now, until }))) continue;
    try {
      await readFileText(ctx, file, token, { signal, isLast: file.attempts + 1 >= MOST_ATTEMPTS });
    } catch (error) {
      const { attempts } = file;
      if (signal.aborted) {
        await release(ctx, file.id, { token, until: ctx.clock.now(), attempts });
        throw error;
      }
      const rest = FIRST_REST_MS * 2 ** attempts;
      ctx.log.warn({ fileId: file.id, attempts, err: error }, 'text could not be read, will retry');
      const again = new Date(ctx.clock.now().getTime() + rest);
      await release(ctx, file.id, { token, until: again, attempts: attempts + 1 });
    }
    if (performance.now() >= endsAt) return await comeAgain(ctx, ctx.clock.now());
  }
}

async function comeAgain(ctx: SystemContext, at: Date | undefined): Promise<void> {
  if (!at) return;
  await withTransaction(ctx, async ({ db, jobs, orgId }) =>
    enqueueReading({ db, jobs, orgId }, at),
  );
}

/** Queues a job for every org with texts to read, in case one was lost. Returns how many. */
export async function enqueueUnread(db: Database, jobs: JobQueue): Promise<number> {
  const orgIds = await listReading(db);
  await db.transaction(async (tx) => {
    for (const orgId of orgIds) enqueueReading({ db: tx, jobs, orgId });
  });
  return orgIds.length;
}
