import { setTimeout } from 'node:timers/promises';
import { Agent, fetch as undiciFetch, type Response as UndiciResponse } from 'undici';
import { retryAfterOf } from '../http-service/post.ts';
import { CallFailed, CallRefused, type Limits, type SafeFetch } from '../safe-fetch/safe-fetch.ts';
import { boundedBody, MAX_ANSWER_BYTES } from './bounded-body.ts';
import { joiningChunks } from './join-chunks.ts';
import { ProviderFailure, wordOf, wordsOf } from './provider-failure.ts';

/** The body of a refusal is read for its reason if it arrives within this time. */
const REASON_WITHIN_MS = 1000;
const MAX_REASON_BYTES = 64 * 1024;
const dispatcher = new Agent().compose(joiningChunks);
/** The caller's signal ends a call earlier. A model that thinks may send nothing for long. */
const LIMITS: Partial<Limits> = {
  totalMs: 10 * 60_000,
  headersMs: 10 * 60_000,
  maxBytes: MAX_ANSWER_BYTES + 64 * 1024,
  maxRedirects: 0,
};

/** Sends one request and follows no redirect, which would take the key and the prompt to another address. */
export type Send = (
  url: string,
  init: { method: string; headers: [string, string][]; body: string; signal: AbortSignal | null },
) => Promise<Response | UndiciResponse>;

/** To addresses that the operator configured. */
export const sendAnywhere: Send = (url, init) =>
  undiciFetch(url, { ...init, redirect: 'manual', dispatcher });

/** To addresses that somebody entered in the browser: through the guard. */
export const sendGuarded =
  ({ fetch }: Pick<SafeFetch, 'fetch'>): Send =>
  (url, init) =>
    fetch(url, { ...init, redirect: 'manual' }, LIMITS);

/**
 * The fetch for the SDK: one attempt, which resolves at the first byte of a successful response. It fails with
 * a ProviderFailure or the signal's reason, so no error contains anything of the request.
 */
export function createBoundedFetch(send: Send): typeof fetch {
  return async (input, init) => {
    const headers = [...new Headers(init?.headers)];
    try {
      const response = await send(input as string, {
        method: init?.method ?? 'GET',
        headers,
        // The SDK sends JSON.
        body: init?.body as string,
        signal: init?.signal ?? null,
      });
      if (!response.ok) throw await refusalOf(response, secretsIn(headers));
      const reader = response.body?.getReader();
      const first = await reader?.read();
      const body = reader && first?.value ? boundedBody(reader, first.value) : '';
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    } catch (error) {
      init?.signal?.throwIfAborted();
      throw sendingFailure(error);
    }
  };
}

/** Why nothing came back that could be read. */
export function sendingFailure(error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  if (error instanceof CallRefused) {
    return new ProviderFailure('not_allowed', { said: error.message });
  }
  if (error instanceof CallFailed) {
    const kind = error.code === 'too_large' ? 'too_long' : 'unreachable';
    return new ProviderFailure(kind, { reason: error.code, said: error.message });
  }
  // fetch only says "fetch failed"; the reason is in its cause.
  return new ProviderFailure('unreachable', {
    reason: error instanceof Error ? wordOf(error.cause) : undefined,
  });
}

/** A response that is not a success. */
export async function refusalOf(
  response: Response | UndiciResponse,
  secrets: readonly string[],
): Promise<ProviderFailure> {
  const { status } = response;
  const retryAfterMs = retryAfterOf(response);
  return new ProviderFailure('status', {
    status,
    retryAfterMs,
    ...(await reasonOf(response, secrets)),
  });
}

function secretsIn(headers: readonly [string, string][]): string[] {
  return headers
    .filter(([name]) => name === 'authorization' || name === 'x-api-key')
    .map(([, value]) => value.replace(/^Bearer /, ''));
}

/** Both wire formats use `{ error: { type, code?, message } }`. */
async function reasonOf(
  response: Response | UndiciResponse,
  secrets: readonly string[],
): Promise<{ reason?: string | undefined; said?: string | undefined }> {
  const reader = response.body?.getReader();
  if (!reader) return {};
  const done = new AbortController();
  try {
    const late = setTimeout(REASON_WITHIN_MS, undefined, { signal: done.signal }).catch(() => {});
    const chunk = (await Promise.race([reader.read(), late]))?.value;
    if (!chunk || chunk.length > MAX_REASON_BYTES) return {};
    const body = JSON.parse(Buffer.from(chunk).toString('utf8')) as { error?: unknown } | null;
    return { reason: wordOf(body?.error), said: wordsOf(body?.error, secrets) };
  } catch {
    return {};
  } finally {
    done.abort();
    void reader.cancel().catch(() => {});
  }
}
