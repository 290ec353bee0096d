import { UsageError } from './errors.ts';

/** One attempt, as passed to the logger. It never contains a key, a body or an id from the path. */
export interface LogEntry {
  method: string;
  /** The path template, such as `/projects/{projectId}`. */
  path: string;
  /** Starts at 1. */
  attempt: number;
  durationMs: number;
  status?: number | undefined;
  requestId?: string | undefined;
  /** The error's code, if the attempt failed. */
  error?: string;
  /** Milliseconds until the next attempt, if there is one. */
  retryInMs?: number;
}

export interface ClientOptions {
  /** The API key. Default: `ATRIUM_API_KEY`. */
  apiKey?: string | undefined;
  /** `<origin>/api`. Default: `ATRIUM_BASE_URL`, or `http://127.0.0.1:3000/api` if that is not set. */
  baseURL?: string | undefined;
  /** Milliseconds before an attempt times out. Default: 30,000. */
  timeout?: number | undefined;
  /** How many times to retry a failed request, if a retry is safe. Default: 2. */
  maxRetries?: number | undefined;
  /** Extra headers for every request. */
  headers?: Record<string, string> | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Called after every attempt. */
  logger?: ((entry: LogEntry) => void) | undefined;
}

export interface AtriumOptions extends ClientOptions {
  /** `cookie`: for a page on the server's own origin whose visitor is signed in. No key is sent. */
  auth?: 'key' | 'cookie' | undefined;
  /** With `auth: 'cookie'`: the organisation's id. Default: the one used last. */
  org?: string | undefined;
}

/** Options for a single call. They override the client's. */
export interface RequestOptions {
  /** Milliseconds before an attempt times out. */
  timeout?: number | undefined;
  maxRetries?: number | undefined;
  /** For POST: your own key instead of a random one, so that a later run can repeat the request. */
  idempotencyKey?: string | undefined;
  /** Cancels the call at once, even between attempts. It rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  headers?: Record<string, string> | undefined;
}

/** Options for a download of a file. */
export interface DownloadOptions extends RequestOptions {
  /** The bytes that are wanted: from the first to the last, or to the end. The first byte is 0. */
  range?: readonly [from: number, to?: number] | undefined;
}

/** The options, validated and with defaults applied. */
export interface Settings {
  baseURL: string;
  timeout: number;
  maxRetries: number;
  headers: Headers;
  credentials?: 'same-origin';
  fetch: typeof globalThis.fetch;
  logger?: (entry: LogEntry) => void;
}

/** One of the two APIs: the client that speaks it, and what its keys start with. */
interface Surface {
  client: string;
  keyPrefix: string;
}

export const V2: Surface = { client: 'Atrium', keyPrefix: 'atr_' };
export const V1: Surface = { client: 'AtriumMemory', keyPrefix: 'sk_live_' };

const DEFAULT_URL = 'http://127.0.0.1:3000/api';
export const VERSION = '0.3.0';

export function readSettings(options: AtriumOptions, surface: Surface): Settings {
  const { auth = 'key', org, apiKey, fetch, logger } = options;
  if (auth !== 'key' && auth !== 'cookie') {
    throw new UsageError(`auth must be 'key' or 'cookie', not ${JSON.stringify(auth)}.`);
  }
  if (auth === 'cookie' && apiKey !== undefined) {
    throw new UsageError("Use either apiKey or auth: 'cookie', not both.");
  }
  if (auth === 'key' && org !== undefined) {
    throw new UsageError(
      "org only works with auth: 'cookie'. A key already belongs to one organisation.",
    );
  }
  if (!fetch && typeof globalThis.fetch !== 'function') {
    throw new UsageError(
      'fetch is not available. Use Node 20 or later, or pass the `fetch` option.',
    );
  }
  const headers = mergeHeaders(baseHeaders(), options.headers);
  if (auth === 'key') headers.set('Authorization', `Bearer ${readKey(apiKey, surface)}`);
  else if (org !== undefined) headers.set('Atrium-Org', org);
  return {
    baseURL: readBaseURL(options, surface),
    timeout: readTimeout(options.timeout ?? 30_000),
    maxRetries: readMaxRetries(options.maxRetries ?? 2),
    headers,
    ...(auth === 'cookie' && { credentials: 'same-origin' }),
    fetch: fetch ?? ((input, init) => globalThis.fetch(input, init)),
    ...(logger && { logger }),
  };
}

export function readTimeout(timeout: number): number {
  if (typeof timeout === 'number' && timeout > 0) return timeout;
  throw new UsageError(
    `timeout must be a positive number of milliseconds, not ${String(timeout)}.`,
  );
}

export function readMaxRetries(maxRetries: number): number {
  if (Number.isInteger(maxRetries) && maxRetries >= 0) return maxRetries;
  throw new UsageError(`maxRetries must be a whole number, 0 or more, not ${String(maxRetries)}.`);
}

/** The error leaves out the value, which may be a secret. */
export function mergeHeaders(base: Headers, more: Record<string, string> | undefined): Headers {
  if (!more) return base;
  const merged = new Headers(base);
  for (const [name, value] of Object.entries(more)) {
    try {
      merged.set(name, value);
    } catch {
      throw new UsageError(`The header ${JSON.stringify(name)} has an invalid name or value.`);
    }
  }
  return merged;
}

/** A browser sends its own User-Agent, and CORS would have to allow another header. */
function baseHeaders(): Headers {
  const headers = new Headers({ Accept: 'application/json' });
  if (!isBrowser()) headers.set('User-Agent', `atrium-sdk-js/${VERSION}`);
  return headers;
}

export function isBrowser(): boolean {
  return 'document' in globalThis || 'WorkerGlobalScope' in globalThis;
}

function readKey(given: string | undefined, surface: Surface): string {
  const key = (given ?? readEnv('ATRIUM_API_KEY'))?.trim();
  if (!key) {
    throw new UsageError(
      `API key missing. Pass new ${surface.client}({ apiKey: '${surface.keyPrefix}…' }) or set ATRIUM_API_KEY. ` +
        'The server prints a key when it first starts; POST /keys creates more.',
    );
  }
  const other = surface === V2 ? V1 : V2;
  if (key.startsWith(other.keyPrefix)) {
    throw new UsageError(
      `This ${other.keyPrefix} key is for new ${other.client}(…). ` +
        `${surface.client} needs a key that starts with ${surface.keyPrefix}.`,
    );
  }
  if (!key.startsWith(surface.keyPrefix) || !/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageError(
      `Invalid API key. It should be ${surface.keyPrefix} followed by 46 letters and digits, without "Bearer" or quotes.`,
    );
  }
  return key;
}

function readBaseURL({ baseURL, auth }: AtriumOptions, surface: Surface): string {
  const here = auth === 'cookie' ? pageOrigin() : undefined;
  const text = baseURL ?? (here === undefined ? readEnv('ATRIUM_BASE_URL') : `${here}/api`);
  const given = (text?.trim() || DEFAULT_URL).replace(/\/+$/, '');
  const hint = `Use the server's origin and /api, such as ${DEFAULT_URL}.`;
  if (given.includes('@')) {
    throw new UsageError(`The base URL must not contain a user name or password. ${hint}`);
  }
  if (!/^https?:\/\//i.test(given)) {
    throw new UsageError(`The base URL "${given}" must start with http:// or https://. ${hint}`);
  }
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || url.search || url.hash) {
    throw new UsageError(`The base URL "${given}" is invalid. ${hint}`);
  }
  const isV1 = url.pathname.endsWith('/v1');
  if (surface === V2 && isV1) {
    throw new UsageError(`The base URL ends in /v1, which is for new AtriumMemory(…). ${hint}`);
  }
  return surface === V1 && !isV1 ? `${given}/v1` : given;
}

function pageOrigin(): string | undefined {
  const { location } = globalThis as { location?: { origin: string } };
  return location?.origin;
}

/** Called only when the value is needed: Deno asks the user for permission. */
function readEnv(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name];
}
