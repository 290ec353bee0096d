import type { Call } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type { PageCall } from '../page.ts';
import type { Transport } from '../transport.ts';
import type { Agent, CreateAgent, ListAgentsParams, UpdateAgent } from '../types.ts';

/** Agents that a team defines. Mentioning one makes it answer under its own name. */
export class Agents {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Lists the agents you can see, newest first. Archived agents are left out unless `archived` asks for them. */
  list(params?: ListAgentsParams, options?: RequestOptions): PageCall<Agent> {
    return this.#api.path('/agents').list(params, options);
  }

  /** Creates an agent. Without `projectIds` it answers in every Project. */
  create(params: CreateAgent, options?: RequestOptions): Call<Agent> {
    return this.#api.path('/agents').post(params, options);
  }

  /** Gets an agent by id, archived or not. */
  get(id: string, options?: RequestOptions): Call<Agent> {
    return this.#api.path('/agents/{id}', id).get(options);
  }

  /** Updates the given fields and keeps the others. */
  update(id: string, params: UpdateAgent, options?: RequestOptions): Call<Agent> {
    return this.#api.path('/agents/{id}', id).patch(params, options);
  }

  /** Archives an agent. It no longer answers, and its slug stays taken. */
  archive(id: string, options?: RequestOptions): Call<void> {
    return this.#api.path('/agents/{id}', id).delete(options);
  }

  /** Undoes an archive. */
  restore(id: string, options?: RequestOptions): Call<Agent> {
    return this.#api.path('/agents/{id}/restore', id).post(undefined, options);
  }
}
