import type { Call } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type { PageCall } from '../page.ts';
import type { Transport } from '../transport.ts';
import type {
  CreateModelProvider,
  Model,
  ModelProviderTest,
  OfferedModels,
  OrgModelProvider,
  TestModelProvider,
  UpdateModelProvider,
} from '../types.ts';

/** Models that can be mentioned, and the providers that OWNERs add. */
export class Models {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Lists the models that reply when you mention their slug. */
  list(options?: RequestOptions): PageCall<Model> {
    return this.#api.path('/models').list(undefined, options);
  }

  /** Lists the organisation's model providers. Keys are never returned. */
  listProviders(options?: RequestOptions): PageCall<OrgModelProvider> {
    return this.#api.path('/model-providers').list(undefined, options);
  }

  /** Adds a model provider. Its models answer at once. */
  createProvider(params: CreateModelProvider, options?: RequestOptions): Call<OrgModelProvider> {
    return this.#api.path('/model-providers').post(params, options);
  }

  /** Changes a model provider. `models` replaces all of its models. */
  updateProvider(
    id: string,
    params: UpdateModelProvider,
    options?: RequestOptions,
  ): Call<OrgModelProvider> {
    return this.#api.path('/model-providers/{id}', id).patch(params, options);
  }

  /** Deletes a model provider, its models and its stored key. */
  deleteProvider(id: string, options?: RequestOptions): Call<void> {
    return this.#api.path('/model-providers/{id}', id).delete(options);
  }

  /** Asks a model to say hello. A failed test is a result, not an error: check `ok`. */
  testProvider(
    id: string,
    params: TestModelProvider = {},
    options?: RequestOptions,
  ): Call<ModelProviderTest> {
    return this.#api.path('/model-providers/{id}/test', id).post(params, options);
  }

  /** Asks the provider which models it offers. If it can't be asked, `error` says why. */
  listOffered(id: string, options?: RequestOptions): Call<OfferedModels> {
    return this.#api.path('/model-providers/{id}/models', id).get(options);
  }
}
