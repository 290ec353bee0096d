import type { Call } from '../call.ts';
import { createMany, type CreateManyOptions } from '../create-many.ts';
import type { RequestOptions } from '../options.ts';
import type { PageCall } from '../page.ts';
import type { Transport } from '../transport.ts';
import type {
  CreateMemories,
  CreateMemory,
  ListMemoriesParams,
  Memory,
  MemoryBatch,
  MemoryMatches,
  SearchMemories,
  UpdateMemory,
} from '../types.ts';

/** Memories in the v1 API: ORG and PROJECT memories of the whole organisation, never PRIVATE ones. */
export class Memories {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Lists the organisation's ORG and PROJECT memories, newest first. */
  list(params?: ListMemoriesParams, options?: RequestOptions): PageCall<Memory> {
    return this.#api.path('/memories').list(params, options);
  }

  /** Stores a memory for the organisation or for a Project. */
  create(params: CreateMemory, options?: RequestOptions): Call<Memory> {
    return this.#api.path('/memories').post(params, options);
  }

  /** Stores 1 to 100 memories in one request: all of them, or none. */
  createBatch(params: CreateMemories, options?: RequestOptions): Call<MemoryBatch> {
    return this.#api.path('/memories/batch').post(params, options);
  }

  /**
   * Stores any number of memories, in batches and in order. If a batch fails, the ones before it stay:
   * call it again with the same `idempotencyKey` to continue.
   */
  createMany(items: readonly CreateMemory[], options?: CreateManyOptions): Promise<Memory[]> {
    return createMany((batch, each) => this.createBatch(batch, each), items, options);
  }

  /** Gets a memory by id. */
  get(id: string, options?: RequestOptions): Call<Memory> {
    return this.#api.path('/memories/{id}', id).get(options);
  }

  /** Updates the given fields and keeps the others. */
  update(id: string, params: UpdateMemory, options?: RequestOptions): Call<Memory> {
    return this.#api.path('/memories/{id}', id).patch(params, options);
  }

  /** Deletes a memory permanently. */
  delete(id: string, options?: RequestOptions): Call<void> {
    return this.#api.path('/memories/{id}', id).delete(options);
  }

  /** Finds the memories closest in meaning to the query, best match first. Counts as a read. */
  search(params: SearchMemories, options?: RequestOptions): Call<MemoryMatches> {
    return this.#api.path('/memories/search').search(params, options);
  }
}
