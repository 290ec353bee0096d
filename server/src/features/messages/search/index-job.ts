import type { Logger } from 'pino';
import { z } from 'zod';
import type { Database, Transaction } from '../../../db/types.ts';
import type { JobQueue } from '../../../jobs/queue.ts';
import { hashBody } from './index-body.ts';
import { dividePeriods } from './periods/service.ts';
import { listOrgsToIndex, listUnindexed, saveKeys, type IndexedMessage } from './store.ts';

export const INDEX_MESSAGES = 'index-messages';

const Payload = z.object({ orgId: z.string() });
/** At most 4 MB of text. */
const READ_AT_ONCE = 50;
/** As many as one long message has. More would block the embedded engine's only session for too long. */
const HASHES_AT_ONCE = 1_500;

/**
 * Begins a new period of messages if it is time, and indexes messages for searches that were there before, or
 * that a process of release 0.1.0 wrote. Each step is saved, so an interrupted job continues where it stopped.
 */
export async function indexMessages(
  { db, log }: { db: Database; log: Logger },
  payload: unknown,
  signal: AbortSignal,
): Promise<void> {
  const { orgId } = Payload.parse(payload);
  await dividePeriods(db, orgId);
  let done = 0;
  for (;;) {
    const messages = await listUnindexed(db, orgId, READ_AT_ONCE);
    if (messages.length === 0) break;
    const indexed: IndexedMessage[] = [];
    for (const { id, digest, body } of messages) {
      indexed.push({ id, digest, hashes: await hashBody(orgId, body) });
    }
    for (const some of inSteps(indexed)) {
      signal.throwIfAborted();
      await saveKeys(db, orgId, some);
    }
    done += messages.length;
  }
  if (done > 0) log.info({ orgId, done }, 'messages indexed');
}

function* inSteps(messages: readonly IndexedMessage[]): Generator<IndexedMessage[]> {
  let step: IndexedMessage[] = [];
  let hashes = 0;
  for (const message of messages) {
    if (step.length > 0 && hashes + message.hashes.length > HASHES_AT_ONCE) {
      yield step;
      [step, hashes] = [[], 0];
    }
    step.push(message);
    hashes += message.hashes.length;
  }
  if (step.length > 0) yield step;
}

/** Periods are checked after this many posts. */
const CHECKED_AFTER = 500;
/** Posts of each org in this process since the last check. */
const posts = new Map<string, number>();

/** Counts a post to the org, and queues a job now and then. */
export function countPost(tx: Transaction, jobs: Pick<JobQueue, 'enqueue'>, orgId: string): void {
  const count = (posts.get(orgId) ?? 0) + 1;
  posts.set(orgId, count % CHECKED_AFTER);
  if (count === CHECKED_AFTER) enqueueIndexing(tx, jobs, orgId);
}

function enqueueIndexing(tx: Transaction, jobs: Pick<JobQueue, 'enqueue'>, orgId: string): void {
  jobs.enqueue(tx, { kind: INDEX_MESSAGES, payload: { orgId }, unlessQueued: true });
}

/** Queues a job for every org that has messages to index. Returns how many orgs. */
export async function enqueueUnindexed(db: Database, jobs: JobQueue): Promise<number> {
  const orgs = await listOrgsToIndex(db);
  await db.transaction(async (tx) => {
    for (const orgId of orgs) enqueueIndexing(tx, jobs, orgId);
  });
  return orgs.length;
}
