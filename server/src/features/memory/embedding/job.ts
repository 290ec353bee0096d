import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { z } from 'zod';
import {
  NOT_ENCODED,
  type EncodedText,
  type TextEncoder,
} from '../../../adapters/embeddings/text-encoder.ts';
import type { Context } from '../../../core/context.ts';
import type { Database, OrgTransaction } from '../../../db/types.ts';
import type { JobQueue } from '../../../jobs/queue.ts';
import { embeddingOf } from '../search-form.ts';
import { indexAgain } from './index-again.ts';
import {
  countOutdatedByOrg,
  listOutdated,
  saveEmbedding,
  saveTokens,
  type OutdatedMemory,
} from './store.ts';

export const EMBED_MEMORIES = 'embed-memories';

const Payload = z.object({ orgId: z.string() });
const BATCH = 4;
/** How long it rests after each batch, in times of what the batch took: most searches then meet none. */
const REST = 3;
/** A batch that took longer has waited: for the model to be loaded, or for searches. */
const LONGEST_REST_MS = 1_000;

export interface EmbedJobParts {
  db: Database;
  encoder: TextEncoder;
  log: Logger;
}

/**
 * Embeds memories written while the model was unavailable, and all memories of another model, and indexes
 * their words as it is done today. Each is saved, so an interrupted job continues where it stopped.
 */
export async function embedMemories(
  { db, encoder, log }: EmbedJobParts,
  payload: unknown,
  signal: AbortSignal,
): Promise<void> {
  const { orgId } = Payload.parse(payload);
  const org = { db, orgId };
  let done = 0;
  let refused = 0;
  let after = 0;
  for (;;) {
    const rows = await listOutdated(org, encoder, { after, limit: BATCH });
    const last = rows.at(-1);
    if (!last) break;
    after = last.position;
    const startedAt = performance.now();
    const encoded = await encodeRows(encoder, orgId, rows, signal);
    for (const row of rows) {
      signal.throwIfAborted();
      const form = embeddingOf(encoder, encoded.get(row.id) ?? NOT_ENCODED);
      await indexAgain(org, row);
      if (!row.needsVector) await saveTokens(org, row, form);
      else if (form.embedding) await saveEmbedding(org, row, form);
      else refused++;
    }
    done += rows.length;
    log.info({ orgId, done, refused, model: encoder.model }, 'memories embedded');
    if (rows.length === BATCH) {
      const rest = Math.min(REST * (performance.now() - startedAt), LONGEST_REST_MS);
      await sleep(rest, undefined, { signal });
    }
  }
  // They stay PENDING and are found by their words. Maintenance retries them now and then.
  if (refused > 0) log.warn({ orgId, refused }, 'the embedding service refused some memories');
}

/** By their ids. Throws if the embedding service is down. */
async function encodeRows(
  encoder: TextEncoder,
  orgId: string,
  rows: readonly OutdatedMemory[],
  signal: AbortSignal,
): Promise<Map<string, EncodedText>> {
  const results = new Map<string, EncodedText>();
  // A service charges for vectors that are there already.
  for (const needsVector of [true, false]) {
    const some = rows.filter((row) => row.needsVector === needsVector);
    if (some.length === 0) continue;
    const options = { orgId, signal, priority: 'background', tokensOnly: !needsVector } as const;
    const encoded = await encoder.encode(
      some.map(({ content }) => content),
      options,
    );
    if (needsVector && encoded.every(({ vector }) => vector === null)) {
      await requireReachable(encoder, orgId, signal);
    }
    for (const [at, { id }] of some.entries()) results.set(id, encoded[at] ?? NOT_ENCODED);
  }
  return results;
}

/** Tells a refused text from a service that is down, with a text that no service refuses. */
async function requireReachable(
  encoder: TextEncoder,
  orgId: string,
  signal: AbortSignal,
): Promise<void> {
  const options = { orgId, signal, priority: 'background' as const };
  const [encoded] = await encoder.encode(['hello'], options);
  if (encoded?.vector == null) throw new Error('the embedding service is unavailable');
}

/** Queues the job for the context's org, with its transaction. All are in one lane: they take long, and mail must not wait. */
export function enqueueEmbedding({
  jobs,
  db,
  orgId,
}: Pick<Context, 'jobs'> & OrgTransaction): void {
  const payload = { orgId };
  jobs.enqueue(db, { kind: EMBED_MEMORIES, payload, lane: EMBED_MEMORIES, unlessQueued: true });
}

/** Queues a job for every org that has memories to embed. Returns how many memories. */
export async function enqueueUnembedded(
  db: Database,
  jobs: JobQueue,
  encoder: TextEncoder,
): Promise<number> {
  const orgs = await countOutdatedByOrg(db, encoder);
  await db.transaction(async (tx) => {
    for (const { orgId } of orgs) enqueueEmbedding({ jobs, db: tx, orgId });
  });
  return orgs.reduce((sum, { memories }) => sum + memories, 0);
}
