import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { S3Config } from '../../config/files.ts';
import { encode, encodePath, sha256, signedHeaders } from './s3-signature.ts';
import { elementOf } from './s3-xml.ts';
import { StorageMissing, StorageUnavailable } from './storage.ts';

export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Without the prefix. Undefined for the bucket itself. */
  key?: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array;
  /** If it is known already: hashing a whole part at once would hold up everybody. */
  bodyHash?: string;
}

/** Those that are read here. */
interface S3Headers {
  etag?: string | undefined;
  'content-length'?: string | undefined;
  'retry-after'?: string | undefined;
}

export interface S3Reply {
  headers: S3Headers;
  text: string;
}

export interface S3Body {
  headers: S3Headers;
  body: AsyncIterable<Uint8Array>;
}

export interface S3Timings {
  connectMs: number;
  /** For one attempt, besides the time that its body takes at `MIN_BYTES_PER_SECOND`. */
  attemptMs: number;
  /** Without a byte of an answer that has begun. */
  silenceMs: number;
  attempts: number;
  /** Before the second attempt. Doubles with each; half of it is random. */
  pauseMs: number;
}

export const S3_TIMINGS: S3Timings = {
  connectMs: 10_000,
  attemptMs: 30_000,
  silenceMs: 30_000,
  attempts: 5,
  pauseMs: 250,
};
const MIN_BYTES_PER_SECOND = 64 * 1024;
const MAX_PAUSE_MS = 5_000;
/** Of requests that write. Readers are as many as there are downloads, and may be slow. */
const MAX_CONNECTIONS = 32;
/** A list of 1,000 keys is about 500 KB. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024;
const EMPTY_HASH = sha256('');
const FULL = new Set(['QuotaExceeded', 'XMinioStorageFull', 'EntityTooLarge', 'StorageFull']);

export type S3Client = ReturnType<typeof createS3Client>;

/** Signs requests to one bucket, and repeats those that fail for a reason that may pass. */
export function createS3Client(config: S3Config, timings: S3Timings = S3_TIMINGS) {
  const limits = {
    connect: { timeout: timings.connectMs },
    headersTimeout: timings.attemptMs,
    bodyTimeout: timings.silenceMs,
  };
  const writers = new Agent({ ...limits, connections: MAX_CONNECTIONS });
  const readers = new Agent(limits);

  function urlOf({ key, query = {} }: S3Request): URL {
    const path = `/${config.bucket}${key === undefined ? '' : `/${config.prefix}${key}`}`;
    const pairs = Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(value)}`);
    return new URL(`${config.endpoint}${encodePath(path)}?${pairs.join('&')}`);
  }

  async function begin(wanted: S3Request, dispatcher: Agent, signal: AbortSignal) {
    const url = urlOf(wanted);
    const { method, headers = {}, body, bodyHash = body ? sha256(body) : EMPTY_HASH } = wanted;
    const signed = signedHeaders({ method, url, headers, bodyHash }, config, new Date());
    const sent = body ?? (method === 'PUT' || method === 'POST' ? new Uint8Array() : null);
    const reply = await request(url, { method, headers: signed, body: sent, dispatcher, signal });
    const found = { headers: known(reply.headers), body: reply.body };
    if (reply.statusCode < 300) return found;
    throw failureOf(wanted, reply.statusCode, found.headers, await textOf(reply.body));
  }

  /** An attempt has its own time limit, which ends with the head of an answer or with all of it. */
  async function attempt<T>(
    wanted: S3Request,
    dispatcher: Agent,
    read: (reply: Awaited<ReturnType<typeof begin>>) => T | Promise<T>,
  ): Promise<T> {
    const limitMs = timings.attemptMs + ((wanted.body?.length ?? 0) / MIN_BYTES_PER_SECOND) * 1_000;
    const limit = new AbortController();
    const timer = setTimeout(
      () => limit.abort(new Error(`no answer within ${Math.round(limitMs)} ms`)),
      limitMs,
    );
    try {
      return await read(await begin(wanted, dispatcher, limit.signal));
    } finally {
      clearTimeout(timer);
    }
  }

  async function patiently<T>(wanted: S3Request, work: () => Promise<T>): Promise<T> {
    for (let tried = 1; ; tried++) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof StorageMissing) throw error;
        const failure = error instanceof S3Failure ? error : undefined;
        if (failure && !failure.mayPass) throw failure;
        if (tried >= timings.attempts) throw failure ?? unreachable(wanted, error);
        const pause = Math.min(timings.pauseMs * 2 ** (tried - 1), MAX_PAUSE_MS);
        const asked = Math.min(failure?.retryAfterMs ?? 0, MAX_PAUSE_MS);
        await sleep(Math.max(asked, pause * (0.5 + Math.random() / 2)));
      }
    }
  }

  return {
    prefix: config.prefix,
    bucket: config.bucket,
    /** For answers that are short. Some calls answer 200 before they know whether they fail. */
    send(wanted: S3Request): Promise<S3Reply> {
      return patiently(wanted, () =>
        attempt(wanted, writers, async ({ headers, body }) => {
          const text = await textOf(body);
          if (/^\s*(<\?xml[^>]*>\s*)?<Error>/.test(text)) {
            throw failureOf(wanted, 500, headers, text);
          }
          return { headers, text };
        }),
      );
    },
    /** Repeated until the answer begins. Who reads it has to end it, or read it to its end. */
    open(wanted: S3Request): Promise<S3Body> {
      return patiently(wanted, () => attempt(wanted, readers, (reply) => reply));
    },
    async close(): Promise<void> {
      await Promise.all([writers.destroy(), readers.destroy()]);
    },
  };
}

/** What the service says is wrong. Its code is one word; the rest of what it says is not passed on. */
export class S3Failure extends StorageUnavailable {
  readonly code: string;
  readonly mayPass: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(what: string, status: number, code: string, retryAfterMs?: number) {
    const name = code === '' ? String(status) : `${status} ${code}`;
    super(`the S3 service answered ${name} to ${what}`, {
      isFull: status === 507 || FULL.has(code),
    });
    this.code = code;
    this.mayPass =
      status === 408 ||
      status === 429 ||
      (status >= 500 && status !== 501 && status !== 507) ||
      code === 'RequestTimeout' ||
      code === 'SlowDown' ||
      code === 'OperationAborted';
    this.retryAfterMs = retryAfterMs;
  }
}

function failureOf(wanted: S3Request, status: number, headers: S3Headers, text: string): Error {
  const code = /^\w{1,60}$/.exec(elementOf(text, 'Code') ?? '')?.[0] ?? '';
  // HEAD has no body that could say whether it is the bucket that is missing.
  if (status === 404 && wanted.key !== undefined && /^(NoSuchKey|NotFound)?$/.test(code)) {
    return new StorageMissing(wanted.key);
  }
  const after = Number(headers['retry-after'] ?? Number.NaN);
  return new S3Failure(
    nameOf(wanted),
    status,
    code,
    Number.isFinite(after) ? after * 1_000 : undefined,
  );
}

function unreachable(wanted: S3Request, error: unknown): StorageUnavailable {
  const problem = error instanceof Error ? error.message : String(error);
  return new StorageUnavailable(`the S3 service failed at ${nameOf(wanted)}: ${problem}`, {
    cause: error,
  });
}

function nameOf({ method, query = {} }: S3Request): string {
  const [kind] = Object.keys(query);
  return kind === undefined ? method : `${method} ?${kind}`;
}

function known(headers: Record<string, string | string[] | undefined>): S3Headers {
  const one = (name: keyof S3Headers) => [headers[name]].flat()[0];
  return {
    etag: one('etag'),
    'content-length': one('content-length'),
    'retry-after': one('retry-after'),
  };
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > MAX_TEXT_BYTES) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
