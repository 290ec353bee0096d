import { explainCall, rateLimited, reasonOf } from './failures.ts';
import type { ChatGuard } from './guard.ts';
import { ChatFailure, type ChatFile } from './provider.ts';

const START_MS = 15_000;
/** Slower than this, a file becomes a link. */
const BYTES_PER_SECOND = 256 * 1024;

/** Through the guard, once. The token goes to this address alone: a redirect is a failure. */
export async function downloadFrom(
  url: string,
  token: string,
  { safeFetch }: ChatGuard,
  { size }: Pick<ChatFile, 'size'>,
  signal?: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  if (signal?.aborted) throw reasonOf(signal);
  const limits = {
    totalMs: 2 * START_MS + (size / BYTES_PER_SECOND) * 1_000,
    headersMs: START_MS,
    maxBytes: size,
    maxRedirects: 0,
  };
  const headers = { authorization: `Bearer ${token}` };
  try {
    const init: RequestInit = { headers, redirect: 'error', ...(signal && { signal }) };
    const response = await safeFetch.fetch(url, init, limits);
    if (response.status === 200 && response.body) return explained(response.body, signal);
    await response.body?.cancel();
    throw ofStatus(response.status);
  } catch (error) {
    throw error instanceof ChatFailure ? error : explainCall(error, signal);
  }
}

async function* explained(
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw explainCall(error, signal);
  }
}

function ofStatus(status: number): ChatFailure {
  if (status === 429) return rateLimited(Number.NaN);
  const code = status >= 500 ? 'temporary' : status === 404 ? 'not_found' : 'forbidden';
  return new ChatFailure(code, `the chat system did not give the file (HTTP ${status})`);
}
