import type { Call } from './call.ts';
import type { RequestOptions } from './options.ts';
import type { CreateMemories, CreateMemory, Memory, MemoryBatch } from './types.ts';

export interface CreateManyOptions extends RequestOptions {
  /** Called after each batch. */
  onProgress?: ((progress: { created: number; total: number }) => void) | undefined;
}

/** The most that the server takes in one request. */
const MAX_ITEMS = 100;
/** Of JSON: long texts go in smaller batches, so that each is answered well within the timeout. */
const MAX_CHARACTERS = 200_000;

type Send = (params: CreateMemories, options: RequestOptions) => Call<MemoryBatch>;

/** Each batch has its own Idempotency-Key. Yours gets the number of the batch added to it. */
export async function createMany(
  send: Send,
  items: readonly CreateMemory[],
  { onProgress, idempotencyKey, ...options }: CreateManyOptions = {},
): Promise<Memory[]> {
  const created: Memory[] = [];
  for (const [at, batch] of cutIntoBatches(items).entries()) {
    const key = idempotencyKey === undefined ? undefined : `${idempotencyKey}-${at + 1}`;
    const { items: added } = await send({ items: batch }, { ...options, idempotencyKey: key });
    created.push(...added);
    onProgress?.({ created: created.length, total: items.length });
  }
  return created;
}

function cutIntoBatches(items: readonly CreateMemory[]): CreateMemory[][] {
  const batches: CreateMemory[][] = [];
  let batch: CreateMemory[] = [];
  let characters = 0;
  for (const item of items) {
    const size = JSON.stringify(item).length;
    if (batch.length === MAX_ITEMS || (batch.length > 0 && characters + size > MAX_CHARACTERS)) {
      batches.push(batch);
      batch = [];
      characters = 0;
    }
    batch.push(item);
    characters += size;
  }
  return batch.length > 0 ? [...batches, batch] : batches;
}
