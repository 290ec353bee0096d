import { z } from 'zod';
import type { Context } from '../../../core/context.ts';
import type { Queryable } from '../../../db/types.ts';
import type { JobQueue } from '../../../jobs/queue.ts';
import { CHECK_FILE } from './job-kind.ts';
import { checkFile, giveUpCheck } from './service.ts';
import { listUnchecked } from './store.ts';

export { CHECK_FILE } from './job-kind.ts';

const Payload = z.object({ orgId: z.string(), fileId: z.string() });
type ContextOf = (orgId: string) => Context;

export function runFileCheck(
  contextOf: ContextOf,
  payload: unknown,
  signal: AbortSignal,
): Promise<void> {
  const { orgId, fileId } = Payload.parse(payload);
  return checkFile(contextOf(orgId), fileId, signal);
}

/** After the last attempt. */
export function giveUpFileCheck(contextOf: ContextOf, payload: unknown): Promise<void> {
  const { orgId, fileId } = Payload.parse(payload);
  return giveUpCheck(contextOf(orgId), fileId);
}

/** Those whose job was lost, such as when its commit was of another node. */
export async function enqueueUnchecked(db: Queryable, jobs: JobQueue): Promise<number> {
  const unchecked = await listUnchecked(db);
  if (unchecked.length === 0) return 0;
  await db.transaction(async (tx) => {
    for (const { orgId, fileId } of unchecked) {
      const job = { kind: CHECK_FILE, payload: { orgId, fileId }, lane: orgId };
      jobs.enqueue(tx, { ...job, unlessQueued: true });
    }
  });
  return unchecked.length;
}
