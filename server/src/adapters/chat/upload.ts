import { explainCall, rateLimited, reasonOf } from './failures.ts';
import type { ChatGuard } from './guard.ts';
import { ChatFailure, type FileUpload } from './provider.ts';

const START_MS = 15_000;
/** Slower than this, a file stays a link. */
const BYTES_PER_SECOND = 256 * 1024;
const LARGEST_ANSWER = 256 * 1024;

/** Through the guard, once, and only as fast as the chat system takes it. Returns what it answers. */
export async function uploadTo(
  url: string,
  { source, size }: FileUpload,
  { safeFetch }: ChatGuard,
  headers: Record<string, string>,
  signal?: AbortSignal,
): Promise<string> {
  if (signal?.aborted) throw reasonOf(signal);
  const totalMs = 2 * START_MS + (size / BYTES_PER_SECOND) * 1_000;
  // The answer begins when the file is there.
  const limits = { totalMs, headersMs: totalMs, maxBytes: LARGEST_ANSWER, maxRedirects: 0 };
  try {
    const response = await safeFetch.fetch(
      url,
      {
        method: 'POST',
        redirect: 'error',
        headers: { ...headers, 'content-type': 'application/octet-stream' },
        streamed: { source, size },
        ...(signal && { signal }),
      },
      limits,
    );
    if (response.ok) return await response.text();
    await response.body?.cancel();
    throw ofStatus(response, 'authorization' in headers);
  } catch (error) {
    throw error instanceof ChatFailure ? error : explainCall(error, signal);
  }
}

function ofStatus({ status, headers }: Response, hasToken: boolean): ChatFailure {
  const text = `the chat system did not take the file (HTTP ${status})`;
  if (status === 429) return rateLimited(Number(headers.get('retry-after') ?? Number.NaN));
  if (status === 401 && hasToken) return new ChatFailure('unauthorized', text);
  if (status === 413) return new ChatFailure('too_large', text);
  return new ChatFailure(status >= 500 ? 'temporary' : 'rejected', text);
}
