import { setTimeout } from 'node:timers/promises';
import { Agent, fetch as undiciFetch, type Response as UndiciResponse } from 'undici';
import { boundedBody } from './bounded-body.ts';
import { joiningChunks } from './join-chunks.ts';
import { ProviderFailure, wordOf } from './provider-failure.ts';

/** The body of a refusal is read for its reason if it arrives within this time. */
const REASON_WITHIN_MS = 1000;
const MAX_REASON_BYTES = 64 * 1024;
const dispatcher = new Agent().compose(joiningChunks);

/**
 * The fetch for the SDK: one attempt, which resolves at the first byte of a successful response. It fails with
 * a ProviderFailure or the signal's reason, so no error contains anything of the request or the response.
 */
export const boundedFetch: typeof fetch = async (input, init) => {
  try {
    // A redirect would send the key and the prompt to another address.
    const response = await undiciFetch(input as string, {
      method: init?.method ?? 'GET',
      headers: [...new Headers(init?.headers)],
      // The SDK sends JSON.
      body: init?.body as string,
      signal: init?.signal ?? null,
      redirect: 'manual',
      dispatcher,
    });
    if (!response.ok) throw await refusalOf(response);
    const reader = response.body?.getReader();
    const first = await reader?.read();
    const body = reader && first?.value ? boundedBody(reader, first.value) : '';
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  } catch (error) {
    init?.signal?.throwIfAborted();
    if (error instanceof ProviderFailure) throw error;
    const reason = systemWordOf(error);
    throw new ProviderFailure('unreachable', reason === undefined ? {} : { reason });
  }
};

async function refusalOf(response: UndiciResponse): Promise<ProviderFailure> {
  const reason = await reasonOf(response);
  const retryAfterMs = retryAfterOf(response.headers.get('retry-after'));
  return new ProviderFailure('status', {
    status: response.status,
    ...(reason !== undefined && { reason }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

/** Both wire formats use `{ error: { type, code? } }`. */
async function reasonOf(response: UndiciResponse): Promise<string | undefined> {
  const reader = response.body?.getReader();
  if (!reader) return undefined;
  const done = new AbortController();
  try {
    const late = setTimeout(REASON_WITHIN_MS, undefined, { signal: done.signal }).catch(() => {});
    const chunk = (await Promise.race([reader.read(), late]))?.value;
    if (!chunk || chunk.length > MAX_REASON_BYTES) return undefined;
    const body = JSON.parse(Buffer.from(chunk).toString('utf8')) as { error?: unknown } | null;
    return wordOf(body?.error);
  } catch {
    return undefined;
  } finally {
    done.abort();
    void reader.cancel().catch(() => {});
  }
}

/** Seconds or a date. */
function retryAfterOf(value: string | null): number | undefined {
  if (value === null) return undefined;
  const ms = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** fetch only says "fetch failed"; the reason is in its cause. */
function systemWordOf(error: unknown): string | undefined {
  return error instanceof Error ? wordOf(error.cause) : undefined;
}
