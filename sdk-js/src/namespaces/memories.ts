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

/** Memories by the v1 API: those of the whole org, never PRIVATE ones. */
export class Memories {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** The ORG and PROJECT memories of the org, newest first. */
  list(params?: ListMemoriesParams, options?: RequestOptions): PageCall<Memory> {
    return this.#api.list('/memories', [], params, options);
  }

  /** Remembers a text for the org, or for a Project. */
  create(params: CreateMemory, options?: RequestOptions): Call<Memory> {
    return this.#api.call('POST', '/memories', [], params, options);
  }

  /** A memory by its id. */
  get(id: string, options?: RequestOptions): Call<Memory> {
    return this.#api.call('GET', '/memories/{id}', [id], undefined, options);
  }

  /** Changes what is given. */
  update(id: string, params: UpdateMemory, options?: RequestOptions): Call<Memory> {
    return this.#api.call('PATCH', '/memories/{id}', [id], params, options);
  }

  /** Deletes a memory for good. */
  delete(id: string, options?: RequestOptions): Call<void> {
    return this.#api.call('DELETE', '/memories/{id}', [id], undefined, options);
  }

  /** The memories closest in meaning to the query, best first. It counts as a read. */
  search(params: SearchMemories, options?: RequestOptions): Call<MemoryMatches> {
    return this.#api.search('/memories/search', params, options);
  }
}
