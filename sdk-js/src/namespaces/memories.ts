import type { Call } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type { PageCall } from '../page.ts';
import type { Transport } from '../transport.ts';
import type {
  CreateMemory,
  ListMemoriesParams,
  Memory,
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
