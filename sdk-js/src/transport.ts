import {
  readHeaders,
  readResponse,
  requireStream,
  type ApiResponse,
  type ConditionalResponse,
} from './response.ts';
import { Call } from './call.ts';
import { AtriumError, ConnectionError, TimeoutError } from './errors.ts';
import {
  isBrowser,
  type DownloadOptions,
  type LogEntry,
  type RequestOptions,
  type Settings,
} from './options.ts';
import { loadPages, type ListData, type PageCall, type Query } from './page.ts';
import { prepare, type Method, type PreparedRequest, type RequestSpec } from './request.ts';
import { retryDelay, sleep } from './retry.ts';

/** The longest delay that setTimeout supports. It fires a longer one at once. */
const MAX_TIMER_MS = 2_147_483_647;

type ReadResponse<T> = (
  response: Response,
  request: PreparedRequest,
) => Promise<Omit<ApiResponse<T>, 'attempts'>>;

/** Sends the namespaces' requests to the server. */
export class Transport {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** `params` is the query of a GET and the body of any other method. */
  call<T>(
    method: Method,
    path: string,
    ids: readonly string[],
    params?: object,
    options: RequestOptions = {},
  ): Call<T> {
    return new Call(this.#run<T>({ method, path, ids, params }, options));
  }

  /** A path such as `/projects/{projectId}`, with the ids that fill it, in order. */
  path(template: string, ...ids: string[]) {
    return {
      list: <Item>(params?: object, options?: RequestOptions) =>
        this.list<Item>(template, ids, params, options),
      get: <T>(options?: RequestOptions, params?: object) =>
        this.call<T>('GET', template, ids, params, options),
      post: <T>(params?: object, options?: RequestOptions) =>
        this.call<T>('POST', template, ids, params, options),
      patch: <T>(params: object, options?: RequestOptions) =>
        this.call<T>('PATCH', template, ids, params, options),
      put: <T>(params?: object, options?: RequestOptions) =>
        this.call<T>('PUT', template, ids, params, options),
      delete: <T>(options?: RequestOptions) =>
        this.call<T>('DELETE', template, ids, undefined, options),
      /** A file. The timeout counts until its first byte. */
      download: (
        { range, ...options }: DownloadOptions = {},
        params?: object,
      ): Call<ReadableStream<Uint8Array>> =>
        new Call(
          this.#run({ method: 'GET', path: template, ids, params, range, isFile: true }, options),
        ),
      /** A POST that only reads: it is retried like a GET and carries no Idempotency-Key. */
      search: <T>(params: object, options: RequestOptions = {}): Call<T> =>
        new Call(
          this.#run<T>({ method: 'POST', path: template, ids, params, isSearch: true }, options),
        ),
    };
  }

  list<Item>(
    path: string,
    ids: readonly string[],
    params?: object,
    options: RequestOptions = {},
  ): PageCall<Item> {
    const load = (query: Query, knownTag?: string) =>
      this.getUnless<ListData<Item>>(knownTag, path, ids, query, options);
    return loadPages(load, { ...params });
  }

  /** A GET whose response has no data if the caller has it already, under this ETag. */
  getUnless<T>(
    knownTag: string | undefined,
    path: string,
    ids: readonly string[],
    params?: object,
    options: RequestOptions = {},
  ): Promise<ConditionalResponse<T>> {
    return this.#run<T>({ method: 'GET', path, ids, params, knownTag }, options);
  }

  /** A GET whose response stays open. The timeout is for its start. */
  async open(path: string, ids: readonly string[], options: RequestOptions): Promise<Response> {
    const { data } = await this.#run<Response>(
      { method: 'GET', path, ids },
      options,
      requireStream,
    );
    return data;
  }

  /** A request of the upload protocol, whose answer is in its headers. It is not retried. */
  async tus(
    method: 'HEAD' | 'PATCH',
    path: string,
    id: string,
    options: RequestOptions,
    content?: Blob | Uint8Array<ArrayBuffer>,
  ): Promise<Headers> {
    const spec = { method, path, ids: [id], upload: { content } };
    const { headers } = await this.#run<void>(spec, { ...options, maxRetries: 0 }, readHeaders);
    return headers;
  }

  async #run<T>(
    spec: RequestSpec,
    options: RequestOptions,
    read: ReadResponse<T> = readResponse,
  ): Promise<ApiResponse<T>> {
    const request = prepare(spec, options, this.#settings);
    for (let attempt = 1; ; attempt++) {
      const entry: LogEntry = { method: spec.method, path: spec.path, attempt, durationMs: 0 };
      const start = performance.now();
      try {
        const answer = await this.#attempt(request, read);
        this.#log(entry, start, { status: answer.status, requestId: answer.requestId });
        return { ...answer, attempts: attempt };
      } catch (error) {
        if (!(error instanceof AtriumError)) {
          this.#log(entry, start, { error: 'ABORTED' });
          throw error;
        }
        const { status, requestId, code } = error;
        const delay =
          attempt > request.maxRetries
            ? undefined
            : retryDelay(error, attempt, request.isRepeatable);
        const retry = delay !== undefined && { retryInMs: delay };
        this.#log(entry, start, { status, requestId, error: code, ...retry });
        if (delay === undefined) throw error;
        await sleep(delay, request.signal);
      }
    }
  }

  /** Rejects with an AtriumError, or with the reason of the caller's signal. */
  async #attempt<T>(
    request: PreparedRequest,
    read: ReadResponse<T>,
  ): Promise<Omit<ApiResponse<T>, 'attempts'>> {
    const { signal, timeout, url, init, name } = request;
    signal?.throwIfAborted();
    const controller = new AbortController();
    const stop = () => controller.abort(signal?.reason);
    signal?.addEventListener('abort', stop, { once: true });
    let isLate = false;
    let hasAnswered = false;
    const expire = () => {
      isLate = true;
      controller.abort();
    };
    const timer = timeout <= MAX_TIMER_MS ? setTimeout(expire, timeout) : undefined;
    try {
      const response = await this.#settings.fetch(url, { ...init, signal: controller.signal });
      hasAnswered = true;
      return await read(response, request);
    } catch (cause) {
      signal?.throwIfAborted();
      if (isLate) {
        throw new TimeoutError(`${name} timed out after ${timeout} ms.`, {
          code: 'TIMEOUT',
        });
      }
      if (cause instanceof AtriumError) throw cause;
      throw connectionError(this.#settings.baseURL, name, cause, hasAnswered);
    } finally {
      clearTimeout(timer);
      if (!request.isFile) signal?.removeEventListener('abort', stop);
    }
  }

  #log(entry: LogEntry, start: number, more: Partial<LogEntry>): void {
    try {
      this.#settings.logger?.({ ...entry, ...more, durationMs: performance.now() - start });
    } catch {
      // A failing logger must not fail the call.
    }
  }
}

/** Codes of a connection that was there and broke off. */
const BROKEN_OFF = new Set<unknown>(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

function connectionError(
  baseURL: string,
  name: string,
  cause: unknown,
  hasAnswered: boolean,
): ConnectionError {
  const { code } = ((cause as { cause?: unknown })?.cause ?? {}) as { code?: unknown };
  const why = typeof code === 'string' ? ` (${code})` : '';
  const cors = isBrowser()
    ? " If this page has another origin, add it to the server's CORS_ORIGINS."
    : '';
  const problem =
    hasAnswered || BROKEN_OFF.has(code)
      ? `incomplete response from ${baseURL}${why}.`
      : `can't connect to ${baseURL}${why}. Check the base URL and that the server is running.${cors}`;
  return new ConnectionError(`${name} failed: ${problem}`, { code: 'CONNECTION_ERROR', cause });
}
