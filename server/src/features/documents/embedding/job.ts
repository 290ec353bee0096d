import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { NOT_ENCODED } from '../../../adapters/embeddings/text-encoder.ts';
import type { Context } from '../../../core/context.ts';
import type { Database, OrgTransaction } from '../../../db/types.ts';
import type { JobQueue } from '../../../jobs/queue.ts';
import { findTwins } from '../../../jobs/store.ts';
import { embeddingOf } from '../../memory/service.ts';
import { indexedText } from './indexed-text.ts';
import { listOutdated, listOutdatedOrgs, saveEmbedding } from './store.ts';

/** The job that has the model read passages. Until then they are found by their words. */
export const EMBED_PASSAGES = 'embed-passages';

const Payload = z.object({ orgId: z.string() });
const BATCH = 8;
/** How long it rests after each batch, in times of what the batch took. Searches go first anyway. */
const REST = 0.5;
const LONGEST_REST_MS = 500;
/** How soon a job looks again that has found another one at work. */
const AGAIN_MS = 1_000;

type EmbedParts = Pick<Context, 'encoder' | 'log' | 'jobs'> & { db: Database };

/** Each passage is saved, so an interrupted job continues where it stopped. */
export async function embedPassages(
  { db, encoder, log, jobs }: EmbedParts,
  payload: unknown,
  { id: jobId, signal }: { id: number; signal: AbortSignal },
): Promise<void> {
  const { orgId } = Payload.parse(payload);
  if (await isAnotherJobs({ db, jobs }, orgId, jobId)) return;
  const refused: number[] = [];
  for (;;) {
    const rows = await listOutdated({ db, orgId }, encoder, { without: refused, limit: BATCH });
    if (rows.length === 0) break;
    const startedAt = performance.now();
    const options = { orgId, signal, priority: 'background' as const };
    const encoded = await encoder.encode(rows.map(indexedText), options);
    if (encoded.every(({ vector }) => vector === null)) {
      // A service that refuses these texts still reads this one.
      const [hello] = await encoder.encode(['hello'], options);
      if (hello?.vector == null) throw new Error('the embedding service is unavailable');
    }
    for (const [at, { id }] of rows.entries()) {
      signal.throwIfAborted();
      const form = embeddingOf(encoder, encoded[at] ?? NOT_ENCODED);
      if (form.embedding) await saveEmbedding({ db, orgId }, id, form);
      else refused.push(id);
    }
    const rest = Math.min(REST * (performance.now() - startedAt), LONGEST_REST_MS);
    await sleep(rest, undefined, { signal });
  }
  if (refused.length > 0) {
    log.warn({ orgId, refused: refused.length }, 'the embedding service refused some passages');
  }
}

/** Each passage is read once: an older job goes on, and this one comes again in case it has just ended. */
async function isAnotherJobs(
  { db, jobs }: Pick<EmbedParts, 'db' | 'jobs'>,
  orgId: string,
  id: number,
): Promise<boolean> {
  const twins = await findTwins(db, { id, kind: EMBED_PASSAGES, payload: { orgId } });
  if (!twins.some((twin) => twin < id)) return false;
  await db.transaction(async (tx) => enqueuePassages({ db: tx, jobs, orgId }, AGAIN_MS));
  return true;
}

/** With the transaction of the context. */
export function enqueuePassages(
  { db, jobs, orgId }: Pick<Context, 'jobs'> & OrgTransaction,
  delayMs = 0,
): void {
  const job = { kind: EMBED_PASSAGES, lane: EMBED_PASSAGES, unlessQueued: true };
  jobs.enqueue(db, { ...job, payload: { orgId }, delayMs });
}

/** Queues a job for every org that has passages to embed, as after a change of the model. Returns how many. */
export async function enqueueUnembeddedPassages(
  db: Database,
  { jobs, encoder }: Pick<Context, 'encoder'> & { jobs: JobQueue },
): Promise<number> {
  const orgIds = await listOutdatedOrgs(db, encoder);
  await db.transaction(async (tx) => {
    for (const orgId of orgIds) enqueuePassages({ db: tx, jobs, orgId });
  });
  return orgIds.length;
}
