import { UsageError } from './errors.ts';

/** What the logger is told of each attempt. It never has a key, a body or an id in a path. */
export interface LogEntry {
  method: string;
  /** The path's template: `/projects/{projectId}`. */
  path: string;
  /** 1 for the first attempt. */
  attempt: number;
  durationMs: number;
  status?: number | undefined;
  requestId?: string | undefined;
  /** The error's code, where the attempt failed. */
  error?: string;
  /** When the next attempt follows, if one does. */
  retryInMs?: number;
}

export interface ClientOptions {
  /** The API key. `ATRIUM_API_KEY` where left out. */
  apiKey?: string | undefined;
  /** `<origin>/api`. `ATRIUM_BASE_URL` where left out, else `http://127.0.0.1:3000/api`. */
  baseURL?: string | undefined;
  /** Milliseconds that one attempt may take. 30,000 where left out. */
  timeout?: number | undefined;
  /** How often a failed request is sent again, where that is safe. 2 where left out. */
  maxRetries?: number | undefined;
  /** Sent along with every request. */
  headers?: Record<string, string> | undefined;
  /** Instead of the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Called after every attempt. */
  logger?: ((entry: LogEntry) => void) | undefined;
}

export interface AtriumOptions extends ClientOptions {
  /** `cookie`: for a page on the server's own origin whose visitor is signed in. No key is sent. */
  auth?: 'key' | 'cookie' | undefined;
  /** With `auth: 'cookie'`: the id of the org to act in. The last used one where left out. */
  org?: string | undefined;
}

/** What a single call may have of its own. */
export interface RequestOptions {
  /** Milliseconds that one attempt may take. */
  timeout?: number | undefined;
  maxRetries?: number | undefined;
  /** For POST: your own key instead of a random one, so that a later run repeats this request. */
  idempotencyKey?: string | undefined;
  /** Stops the call at once, between attempts too. It rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  headers?: Record<string, string> | undefined;
}

/** The options, checked and with their defaults. */
export interface Settings {
  baseURL: string;
  timeout: number;
  maxRetries: number;
  headers: Headers;
  credentials?: 'same-origin';
  fetch: typeof globalThis.fetch;
  logger?: (entry: LogEntry) => void;
}

interface Surface {
  client: string;
  keyPrefix: string;
  otherClient: string;
  otherPrefix: string;
}

export const V2: Surface = {
  client: 'Atrium',
  keyPrefix: 'atr_',
  otherClient: 'AtriumMemory',
  otherPrefix: 'sk_live_',
};
export const V1: Surface = {
  client: 'AtriumMemory',
  keyPrefix: 'sk_live_',
  otherClient: 'Atrium',
  otherPrefix: 'atr_',
};

const DEFAULT_URL = 'http://127.0.0.1:3000/api';
export const VERSION = '0.3.0';

export function readSettings(options: AtriumOptions, surface: Surface): Settings {
  const { auth = 'key', org, apiKey, fetch, logger } = options;
  if (auth !== 'key' && auth !== 'cookie') {
    throw new UsageError(`auth must be 'key' or 'cookie', not ${JSON.stringify(auth)}.`);
  }
  if (auth === 'cookie' && apiKey !== undefined) {
    throw new UsageError("Give either apiKey or auth: 'cookie': with the cookie no key is sent.");
  }
  if (auth === 'key' && org !== undefined) {
    throw new UsageError(
      "org is for auth: 'cookie'. A key belongs to one org: use one of that org.",
    );
  }
  if (!fetch && typeof globalThis.fetch !== 'function') {
    throw new UsageError(
      'There is no fetch here. Use Node 20 or later, or give your own as `fetch`.',
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
  throw new UsageError(`timeout is in milliseconds, and above 0: not ${String(timeout)}.`);
}

export function readMaxRetries(maxRetries: number): number {
  if (Number.isInteger(maxRetries) && maxRetries >= 0) return maxRetries;
  throw new UsageError(`maxRetries is a whole number from 0 on, not ${String(maxRetries)}.`);
}

/** A bad name or value is named without the value: it may be a secret. */
export function mergeHeaders(base: Headers, more: Record<string, string> | undefined): Headers {
  if (!more) return base;
  const merged = new Headers(base);
  for (const [name, value] of Object.entries(more)) {
    try {
      merged.set(name, value);
    } catch {
      throw new UsageError(
        `The header ${JSON.stringify(name)} has a name or value that cannot be sent.`,
      );
    }
  }
  return merged;
}

/** A browser names itself, and another header would need the server's leave (CORS). */
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
      `An API key is missing. Give one, new ${surface.client}({ apiKey: '${surface.keyPrefix}…' }), or set ATRIUM_API_KEY. ` +
        'The first start of a server prints one; later ones are minted with POST /keys.',
    );
  }
  if (key.startsWith(surface.otherPrefix)) {
    throw new UsageError(
      `A key that begins with ${surface.otherPrefix} is for new ${surface.otherClient}(…); ` +
        `${surface.client} takes keys that begin with ${surface.keyPrefix}.`,
    );
  }
  if (!key.startsWith(surface.keyPrefix) || !/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageError(
      `This is not an API key of Atrium: it should be ${surface.keyPrefix} and 46 letters and digits, without "Bearer" or quotes.`,
    );
  }
  return key;
}

function readBaseURL({ baseURL, auth }: AtriumOptions, surface: Surface): string {
  const here = auth === 'cookie' ? pageOrigin() : undefined;
  const text = baseURL ?? (here === undefined ? readEnv('ATRIUM_BASE_URL') : `${here}/api`);
  const given = (text?.trim() || DEFAULT_URL).replace(/\/+$/, '');
  const hint = `It should be the server's origin and /api, such as ${DEFAULT_URL}.`;
  if (given.includes('@')) {
    throw new UsageError(`The base URL must not contain a user name or a password. ${hint}`);
  }
  if (!/^https?:\/\//i.test(given)) {
    throw new UsageError(
      `The base URL "${given}" does not begin with http:// or https://. ${hint}`,
    );
  }
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || url.search || url.hash) {
    throw new UsageError(`The base URL "${given}" is not a plain URL. ${hint}`);
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

/** Read only when it is needed: Deno asks for permission. */
function readEnv(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name];
}
