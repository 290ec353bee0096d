import type { Call } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type { PageCall } from '../page.ts';
import type { Transport } from '../transport.ts';
import type {
  CreateMemory,
  ListMemoriesParams,
  Memory as MemoryRecord,
  MemoryMatches,
  SearchMemories,
  UpdateMemory,
} from '../types.ts';

/** Memories: notes you can search by meaning. */
export class Memory {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Lists the memories you can see, newest first. */
  list(params?: ListMemoriesParams, options?: RequestOptions): PageCall<MemoryRecord> {
    return this.#api.path('/memory').list(params, options);
  }

  /** Stores a memory. With PROJECT visibility, `projectId` is required. */
  create(params: CreateMemory, options?: RequestOptions): Call<MemoryRecord> {
    return this.#api.path('/memory').post(params, options);
  }

  /** Gets a memory by id. */
  get(memoryId: string, options?: RequestOptions): Call<MemoryRecord> {
    return this.#api.path('/memory/{memoryId}', memoryId).get(options);
  }

  /** Updates the given fields and keeps the others. */
  update(memoryId: string, params: UpdateMemory, options?: RequestOptions): Call<MemoryRecord> {
    return this.#api.path('/memory/{memoryId}', memoryId).patch(params, options);
  }

  /** Deletes a memory permanently. */
  delete(memoryId: string, options?: RequestOptions): Call<void> {
    return this.#api.path('/memory/{memoryId}', memoryId).delete(options);
  }

  /** Finds the memories closest in meaning to the query, best match first. Counts as a read. */
  search(params: SearchMemories, options?: RequestOptions): Call<MemoryMatches> {
    return this.#api.path('/memory/search').search(params, options);
  }
}
