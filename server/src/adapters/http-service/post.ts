import { errorCode } from '../../core/error-code.ts';

/** A failed call to the service. The message contains neither the key nor the texts. */
export class ServiceFailure extends Error {
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(problem: string, status?: number, retryAfterMs?: number) {
    super(problem);
    this.name = 'ServiceFailure';
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }

  /** These texts will always be refused. */
  get isRefusal(): boolean {
    return this.status === 400 || this.status === 413 || this.status === 422;
  }

  /** A retry may succeed. */
  get isPassing(): boolean {
    const { status } = this;
    return status === undefined || status === 408 || status === 429 || status >= 500;
  }
}

export interface PostOptions {
  /** What the service is called in failures, such as "the embedding service". */
  service: string;
  apiKey?: string;
  maxBytes: number;
  timeoutMs: number;
  signal: AbortSignal;
}

/** Sends JSON and returns the body. ServiceFailure for anything but a complete response with status 200. */
export async function postForText(
  url: string,
  json: string,
  options: PostOptions,
): Promise<string> {
  const { service, apiKey, maxBytes, timeoutMs, signal } = options;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      },
      body: json,
      // A redirect would send the key and the texts to another address.
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      const problem = `${service} responded with ${response.status}`;
      throw new ServiceFailure(problem, response.status, retryAfterOf(response));
    }
    return await readText(response, maxBytes);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ServiceFailure) throw error;
    throw new ServiceFailure(describe(error, service, timeoutMs));
  }
}

/** Retry-After, in seconds or as a date. */
export function retryAfterOf({ headers }: { headers: Pick<Headers, 'get'> }): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const ms = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > maxBytes)
      throw new ServiceFailure(`the response is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** JSON.parse's own message would quote the response. */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new Error('the service did not send JSON');
  }
}

/** fetch only says "fetch failed"; the reason is in the cause. */
function describe(error: unknown, service: string, timeoutMs: number): string {
  if (!(error instanceof Error)) return `${service} is unavailable`;
  if (error.name === 'TimeoutError') return `no response within ${timeoutMs} ms`;
  return `${service} is unavailable: ${errorCode(error.cause) ?? error.name}`;
}
