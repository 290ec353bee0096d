import { UsageError } from './errors.ts';
import {
  mergeHeaders,
  readMaxRetries,
  readTimeout,
  type RequestOptions,
  type Settings,
} from './options.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** An operation and its arguments. */
export interface RequestSpec {
  method: Method;
  /** The path template, such as `/projects/{projectId}`. */
  path: string;
  /** The values for the template, in order. */
  ids: readonly string[];
  /** The query of a GET, or the body of any other method. */
  params?: object | undefined;
  /** A POST that only reads: it is retried like a GET and carries no Idempotency-Key. */
  isSearch?: boolean;
  /** The ETag of what the caller has. The server then sends only something else. */
  knownTag?: string | undefined;
  /** The response is a file, which the caller reads. */
  isFile?: boolean;
  /** The bytes of a file that are wanted. */
  range?: readonly [from: number, to?: number] | undefined;
  /** It belongs to an upload. */
  upload?: { content: Blob | Uint8Array<ArrayBuffer> | undefined };
}

/** A request that is ready to send. Every attempt sends exactly this. */
export interface PreparedRequest {
  /** Used in error messages: `GET /projects/{projectId}`. */
  name: string;
  url: string;
  init: RequestInit;
  /** Safe to send twice: a GET, a search, or a POST with an Idempotency-Key. */
  isRepeatable: boolean;
  /** It names the caller's ETag, so 304 is an answer. */
  isConditional: boolean;
  isFile: boolean;
  isHead: boolean;
  timeout: number;
  maxRetries: number;
  signal: AbortSignal | undefined;
}

export function prepare(
  spec: RequestSpec,
  options: RequestOptions,
  settings: Settings,
): PreparedRequest {
  const { method, path, ids, params, isSearch = false, knownTag, isFile = false, upload } = spec;
  const name = `${method} ${path}`;
  if (params !== undefined && (typeof params !== 'object' || params === null)) {
    throw new UsageError(`${name}: params must be an object, not ${JSON.stringify(params)}.`);
  }
  const isGet = method === 'GET';
  const json = isGet || params === undefined ? undefined : toJson(params, name);
  const body = upload?.content ?? json;
  const headers = new Headers(mergeHeaders(settings.headers, options.headers));
  if (json !== undefined) headers.set('Content-Type', 'application/json');
  if (upload) headers.set('Tus-Resumable', '1.0.0');
  if (upload?.content) headers.set('Content-Type', 'application/offset+octet-stream');
  if (spec.range) headers.set('Range', `bytes=${spec.range[0]}-${spec.range[1] ?? ''}`);
  if (knownTag !== undefined) headers.set('If-None-Match', knownTag);
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
    isConditional: knownTag !== undefined,
    isFile,
    isHead: method === 'HEAD',
    timeout: options.timeout === undefined ? settings.timeout : readTimeout(options.timeout),
    maxRetries:
      options.maxRetries === undefined ? settings.maxRetries : readMaxRetries(options.maxRetries),
    signal: options.signal,
  };
}

/** Rejects `''` and `..`, which would turn the path into that of another operation. */
function fillPath(path: string, ids: readonly string[], name: string): string {
  let index = 0;
  return path.replaceAll(/\{(\w+)\}/g, (_, field: string) => {
    const id: unknown = ids[index++];
    if (typeof id !== 'string' || id === '' || id === '.' || id === '..') {
      throw new UsageError(
        `${name}: ${field} must be a non-empty string, not ${String(id) || '""'}.`,
      );
    }
    try {
      return encodeURIComponent(id);
    } catch (cause) {
      throw new UsageError(`${name}: ${field} contains an unpaired surrogate.`, cause);
    }
  });
}

function queryOf(params: object | undefined): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params ?? {})) {
    if (value === undefined || value === null) continue;
    for (const each of Array.isArray(value) ? value : [value]) query.append(name, String(each));
  }
  const text = query.toString();
  return text && `?${text}`;
}

function toJson(params: object, name: string): string {
  try {
    return JSON.stringify(params, refuseNonFinite);
  } catch (cause) {
    const why = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
    throw new UsageError(`${name}: the body can't be sent as JSON: ${why}`, cause);
  }
}

/** JSON.stringify would turn it into null, which clears the field. */
function refuseNonFinite(key: string, value: unknown): unknown {
  if (typeof value !== 'number' || Number.isFinite(value)) return value;
  throw new TypeError(`${key} is ${value}`);
}

function idempotencyKey(given: string | undefined, isSearch: boolean): string | undefined {
  if (given === undefined) return isSearch ? undefined : randomKey();
  if (/^[\x21-\x7e]{1,255}$/.test(given)) return given;
  throw new UsageError('idempotencyKey must be 1 to 255 visible ASCII characters, without spaces.');
}

/** A UUID. `crypto.randomUUID` is missing on pages served without HTTPS. */
function randomKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
