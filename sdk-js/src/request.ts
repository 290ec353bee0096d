import { UsageError } from './errors.ts';
import {
  mergeHeaders,
  readMaxRetries,
  readTimeout,
  type RequestOptions,
  type Settings,
} from './options.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** A call as a namespace asks for it. */
export interface Wanted {
  method: Method;
  /** The path's template, `/projects/{projectId}`, and what goes into it, in order. */
  path: string;
  ids: readonly string[];
  /** The query of a GET, the body of all else. */
  params?: object | undefined;
  /** A POST that only reads, and so needs no Idempotency-Key to be sent again. */
  isSearch?: boolean;
}

/** A request that is ready to be sent, any number of times and always the same. */
export interface Prepared {
  /** `GET /projects/{projectId}`, for messages. */
  name: string;
  url: string;
  init: RequestInit;
  /** Whether sending it twice does no harm: a GET, and a POST that searches or has its key. */
  isRepeatable: boolean;
  timeout: number;
  maxRetries: number;
  signal: AbortSignal | undefined;
}

export function prepare(wanted: Wanted, options: RequestOptions, settings: Settings): Prepared {
  const { method, path, ids, params, isSearch = false } = wanted;
  const name = `${method} ${path}`;
  if (params !== undefined && (typeof params !== 'object' || params === null)) {
    throw new UsageError(`${name} takes an object of parameters, not ${JSON.stringify(params)}.`);
  }
  const isGet = method === 'GET';
  const body = isGet || params === undefined ? undefined : toJson(params, name);
  const headers = new Headers(mergeHeaders(settings.headers, options.headers));
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  if (method === 'POST') {
    const given = options.idempotencyKey ?? headers.get('Idempotency-Key') ?? undefined;
    const key = idempotencyKey(given, isSearch);
    if (key !== undefined) headers.set('Idempotency-Key', key);
  }
  return {
    name,
    url: `${settings.baseURL}${fillPath(path, ids, name)}${isGet ? queryOf(params) : ''}`,
    init: {
      method,
      headers,
      redirect: 'manual',
      ...(body !== undefined && { body }),
      ...(settings.credentials && { credentials: settings.credentials }),
    },
    isRepeatable: isGet || method === 'POST',
    timeout: options.timeout === undefined ? settings.timeout : readTimeout(options.timeout),
    maxRetries:
      options.maxRetries === undefined ? settings.maxRetries : readMaxRetries(options.maxRetries),
    signal: options.signal,
  };
}

/** `''` and `..` would make it another path, and so another operation. */
function fillPath(path: string, ids: readonly string[], name: string): string {
  let index = 0;
  return path.replaceAll(/\{(\w+)\}/g, (_, field: string) => {
    const id: unknown = ids[index++];
    if (typeof id !== 'string' || id === '' || id === '.' || id === '..') {
      throw new UsageError(
        `${name} needs ${field} as a text that is not empty, not ${String(id) || '""'}.`,
      );
    }
    try {
      return encodeURIComponent(id);
    } catch (cause) {
      throw new UsageError(`${name} cannot be sent: ${field} has half a character in it.`, cause);
    }
  });
}

function queryOf(params: object | undefined): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params ?? {})) {
    if (value !== undefined && value !== null) query.append(name, String(value));
  }
  const text = query.toString();
  return text && `?${text}`;
}

function toJson(params: object, name: string): string {
  try {
    return JSON.stringify(params, refuseNonFinite);
  } catch (cause) {
    const why = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
    throw new UsageError(`The body of ${name} cannot be sent as JSON: ${why}`, cause);
  }
}

/** JSON would turn it into null, which means "none". */
function refuseNonFinite(key: string, value: unknown): unknown {
  if (typeof value !== 'number' || Number.isFinite(value)) return value;
  throw new TypeError(`${key} is ${value}`);
}

function idempotencyKey(given: string | undefined, isSearch: boolean): string | undefined {
  if (given === undefined) return isSearch ? undefined : randomKey();
  if (/^[\x21-\x7e]{1,255}$/.test(given)) return given;
  throw new UsageError('An idempotencyKey has 1 to 255 visible ASCII characters, and no spaces.');
}

/** A UUID. crypto.randomUUID is missing on pages without HTTPS. */
function randomKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
