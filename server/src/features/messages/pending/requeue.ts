import type { Queryable } from '../../../db/types.ts';
import type { JobQueue } from '../../../jobs/queue.ts';
import { listPayloadsAbout } from '../../../jobs/store.ts';
import { AGENT_REPLY, enqueueReplies } from '../replies/service.ts';
import type { PendingReply } from '../store.ts';
import { isAbout, readRequest } from './request.ts';
import { listWaiting, lockPendingRow, type Waiting } from './store.ts';

const BATCH = 500;

/**
 * A chore: finds pending replies that have no job, whatever has become of it, and gives them one. The job
 * answers, or lands a reply that says why it can't. Returns how many.
 */
export async function requeuePending(db: Queryable, jobs: JobQueue): Promise<number> {
  let found = 0;
  let after = { orgId: '', id: '' };
  for (;;) {
    const waiting = await listWaiting(db, after, BATCH);
    const ids = waiting.map(({ id }) => id);
    const requests = await readRequests(db, ids);
    for (const message of waiting) {
      if (withoutJob(message, message.pending, requests).length > 0) {
        found += await requeue(db, jobs, message);
      }
    }
    const last = waiting.at(-1);
    if (!last || waiting.length < BATCH) return found;
    after = { orgId: last.orgId, id: last.id };
  }
}

/** Looks again while nobody can change what the message waits for: each gets one job. */
function requeue(db: Queryable, jobs: JobQueue, message: Waiting): Promise<number> {
  const { orgId, id } = message;
  return db.transaction(async (tx) => {
    const pending = await lockPendingRow({ db: tx, orgId }, id);
    const lost = withoutJob(message, pending, await readRequests(tx, [id]));
    await enqueueReplies({ db: tx, orgId, jobs }, id, lost);
    return lost.length;
  });
}

async function readRequests(db: Queryable, messageIds: readonly string[]) {
  return (await listPayloadsAbout(db, AGENT_REPLY, messageIds)).map(readRequest);
}

function withoutJob(
  { id }: Pick<Waiting, 'id'>,
  pending: readonly PendingReply[],
  requests: Awaited<ReturnType<typeof readRequests>>,
): PendingReply[] {
  const own = requests.filter(({ messageId }) => messageId === id);
  return pending.filter((entry) => !own.some((request) => isAbout(request, entry)));
}
