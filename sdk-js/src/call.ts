import type { Answer } from './answer.ts';

/**
 * A call under way. Awaited, it gives the result; `withResponse()` gives the request id, the status
 * and the headers as well.
 */
export class Call<T> extends Promise<T> {
  /** What `then` returns is a plain promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  readonly #answer: Promise<Answer<T>>;

  constructor(answer: Promise<Answer<T>>) {
    super((resolve, reject) => {
      answer.then(({ data }) => resolve(data), reject);
    });
    this.#answer = answer;
  }

  withResponse(): Promise<Answer<T>> {
    this.catch(() => {}); // The failure is told once, by the promise that is returned.
    return this.#answer;
  }
}
