import type { Logger } from 'pino';
import { z } from 'zod';
import type { TextEncoder } from '../../adapters/embeddings/text-encoder.ts';
import type { Context } from '../../context.ts';
import type { Database, Transaction } from '../../db/types.ts';
import type { JobQueue } from '../../jobs/queue.ts';
import { embeddingOf } from './search-form.ts';
import { countEmbedded, findUnembedded, listUnembedded, saveEmbedding } from './store.ts';

export const EMBED_MEMORIES = 'embed-memories';

const Payload = z.object({ orgId: z.string() });
const BATCH = 32;

export interface EmbedJobParts {
  db: Database;
  encoder: TextEncoder;
  log: Logger;
}

/**
 * Embeds memories written while the model was unavailable, and all memories of another model. Each batch
 * is saved, so an interrupted job continues where it stopped.
 */
export async function embedMemories(
  { db, encoder, log }: EmbedJobParts,
  payload: unknown,
  signal: AbortSignal,
): Promise<void> {
  const { orgId } = Payload.parse(payload);
  let done = 0;
  let refused = 0;
  let after = 0;
  for (;;) {
    const rows = await findUnembedded(db, orgId, encoder.model, { after, limit: BATCH });
    const last = rows.at(-1);
    if (!last) break;
    after = last.position;
    const texts = rows.map(({ content }) => content);
    const encoded = await encoder.encode(texts, { orgId, signal, priority: 'background' });
    if (
      encoded.every(({ vector }) => vector === null) &&
      !(await isReachable(encoder, orgId, signal))
    ) {
      throw new Error('the embedding service is unavailable');
    }
    for (const [at, row] of rows.entries()) {
      signal.throwIfAborted();
      const one = encoded[at];
      if (one?.vector) await saveEmbedding(db, orgId, row, embeddingOf(encoder, one));
      else refused++;
    }
    done += rows.length;
    log.info({ orgId, done, refused, model: encoder.model }, 'memories embedded');
  }
  // They stay PENDING and are found by their words. Maintenance retries them now and then.
  if (refused > 0) log.warn({ orgId, refused }, 'the embedding service refused some memories');
}

/** Tells a refused text from a service that is down, with a text that no service refuses. */
async function isReachable(
  encoder: TextEncoder,
  orgId: string,
  signal: AbortSignal,
): Promise<boolean> {
  const options = { orgId, signal, priority: 'background' as const };
  const [encoded] = await encoder.encode(['hello'], options);
  return encoded?.vector != null;
}

/** Queues the job for the context's org, with its transaction. */
export function enqueueEmbedding({
  jobs,
  db,
  orgId,
}: Pick<Context, 'jobs' | 'orgId'> & { db: Transaction }): void {
  jobs.enqueue(db, { kind: EMBED_MEMORIES, payload: { orgId }, unlessQueued: true });
}

/** Queues a job for every org that has memories to embed. Returns how many memories. */
export async function enqueueUnembedded(
  db: Database,
  jobs: JobQueue,
  encoder: TextEncoder,
): Promise<number> {
  const orgs = await listUnembedded(db, encoder.model);
  await db.transaction(async (tx) => {
    for (const { orgId } of orgs) enqueueEmbedding({ jobs, db: tx, orgId });
  });
  return orgs.reduce((sum, { memories }) => sum + memories, 0);
}

/** For operators: how many memories are embedded, and how many are not yet. */
export async function memoryStatus(
  db: Database,
  model: string,
): Promise<{ model: string; ready: number; pending: number }> {
  return { model, ...(await countEmbedded(db, model)) };
}
