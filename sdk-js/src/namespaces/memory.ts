import type { Call } from '../call.ts';
import type { CreateManyOptions } from '../create-many.ts';
import type { RequestOptions } from '../options.ts';
import type { PageCall } from '../page.ts';
import type { Transport } from '../transport.ts';
import type {
  CreateMemories,
  CreateMemory,
  ListMemoriesParams,
  Memory as MemoryRecord,
  MemoryBatch,
  MemoryMatches,
  SearchMemories,
  UpdateMemory,
} from '../types.ts';

/**
 * Memories: notes you can search by meaning. `AtriumMemory` has the ORG and PROJECT memories of the whole
 * organisation, never PRIVATE ones.
 */
export class Memory {
  readonly #api: Transport;
  readonly #path: string;
  readonly #onePath: string;

  /** `path` and `idName` are those of the API: they differ between v1 and v2. */
  constructor(api: Transport, path = '/memory', idName = 'memoryId') {
    this.#api = api;
    this.#path = path;
    this.#onePath = `${path}/{${idName}}`;
  }

  /** Lists the memories you can see, newest first. */
  list(params?: ListMemoriesParams, options?: RequestOptions): PageCall<MemoryRecord> {
    return this.#api.path(this.#path).list(params, options);
  }

  /** Stores a memory. With PROJECT visibility, `projectId` is required. */
  create(params: CreateMemory, options?: RequestOptions): Call<MemoryRecord> {
    return this.#api.path(this.#path).post(params, options);
  }

  /** Stores 1 to 100 memories in one request: all of them, or none. */
  createBatch(params: CreateMemories, options?: RequestOptions): Call<MemoryBatch> {
    return this.#api.path(`${this.#path}/batch`).post(params, options);
  }

  /**
   * Stores any number of memories, in batches and in order. If a batch fails, the ones before it stay:
   * call it again with the same `idempotencyKey` to continue.
   */
  async createMany(
    items: readonly CreateMemory[],
    options?: CreateManyOptions,
  ): Promise<MemoryRecord[]> {
    const { createMany } = await import('../create-many.ts');
    return createMany((batch, each) => this.createBatch(batch, each), items, options);
  }

  /** Gets a memory by id. */
  get(memoryId: string, options?: RequestOptions): Call<MemoryRecord> {
    return this.#api.path(this.#onePath, memoryId).get(options);
  }

  /** Updates the given fields and keeps the others. */
  update(memoryId: string, params: UpdateMemory, options?: RequestOptions): Call<MemoryRecord> {
    return this.#api.path(this.#onePath, memoryId).patch(params, options);
  }

  /** Deletes a memory permanently. */
  delete(memoryId: string, options?: RequestOptions): Call<void> {
    return this.#api.path(this.#onePath, memoryId).delete(options);
  }

  /** Finds the memories closest in meaning to the query, best match first. Counts as a read. */
  search(params: SearchMemories, options?: RequestOptions): Call<MemoryMatches> {
    return this.#api.path(`${this.#path}/search`).search(params, options);
  }
}
