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

/** Memory: notes that are found by what they mean. */
export class Memory {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** The memories you can see, newest first. */
  list(params?: ListMemoriesParams, options?: RequestOptions): PageCall<MemoryRecord> {
    return this.#api.list('/memory', [], params, options);
  }

  /** Remembers a text. */
  create(params: CreateMemory, options?: RequestOptions): Call<MemoryRecord> {
    return this.#api.call('POST', '/memory', [], params, options);
  }

  /** A memory by its id. */
  get(memoryId: string, options?: RequestOptions): Call<MemoryRecord> {
    return this.#api.call('GET', '/memory/{memoryId}', [memoryId], undefined, options);
  }

  /** Changes what is given. */
  update(memoryId: string, params: UpdateMemory, options?: RequestOptions): Call<MemoryRecord> {
    return this.#api.call('PATCH', '/memory/{memoryId}', [memoryId], params, options);
  }

  /** Deletes a memory for good. */
  delete(memoryId: string, options?: RequestOptions): Call<void> {
    return this.#api.call('DELETE', '/memory/{memoryId}', [memoryId], undefined, options);
  }

  /** The memories closest in meaning to the query, best first. It counts as a read. */
  search(params: SearchMemories, options?: RequestOptions): Call<MemoryMatches> {
    return this.#api.search('/memory/search', params, options);
  }
}
