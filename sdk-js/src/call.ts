import type { ApiResponse } from './response.ts';

/**
 * The promise of an API call. Await it to get the result, or await `withResponse()` to get the
 * request id, status and headers as well.
 */
export class Call<T> extends Promise<T> {
  /** `then` and `catch` return plain promises. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  readonly #answer: Promise<ApiResponse<T>>;

  constructor(answer: Promise<ApiResponse<T>>) {
    super((resolve, reject) => {
      answer.then(({ data }) => resolve(data), reject);
    });
    this.#answer = answer;
  }

  withResponse(): Promise<ApiResponse<T>> {
    this.catch(() => {}); // The returned promise rejects instead.
    return this.#answer;
  }
}
