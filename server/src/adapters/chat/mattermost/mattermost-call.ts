import { explainCall, rateLimited, reasonOf } from '../failures.ts';
import type { ChatGuard } from '../guard.ts';
import { ChatFailure } from '../provider.ts';
import { parseObject } from './parse-object.ts';

/** One call of the REST API, through the guard, once. */
export type MattermostCall = ReturnType<typeof createMattermostCall>;

/** 1,000 posts of 16,000 characters would be more. Such a channel is read in smaller pages. */
const LIMITS = { totalMs: 20_000, headersMs: 15_000, maxBytes: 32 * 1024 * 1024, maxRedirects: 0 };

export function createMattermostCall(baseUrl: string, token: string, { safeFetch }: ChatGuard) {
  return async <T>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    { body, signal }: { body?: object; signal?: AbortSignal | undefined } = {},
  ): Promise<T> => {
    if (signal?.aborted) throw reasonOf(signal);
    try {
      const response = await safeFetch.fetch(
        `${baseUrl}/api/v4${path}`,
        {
          method,
          redirect: 'error',
          headers: {
            authorization: `Bearer ${token}`,
            accept: 'application/json',
            ...(body && { 'content-type': 'application/json' }),
          },
          ...(body && { body: JSON.stringify(body) }),
          ...(signal && { signal }),
        },
        LIMITS,
      );
      return (await readJson(response)) as T;
    } catch (error) {
      throw explainCall(error, signal);
    }
  };
}

async function readJson(response: Response): Promise<unknown> {
  const { status, headers } = response;
  if (status === 429) {
    await response.body?.cancel();
    const wait = headers.get('retry-after') ?? headers.get('x-ratelimit-reset');
    throw rateLimited(wait === null ? Number.NaN : Number(wait));
  }
  const json = parseObject(await response.text());
  if (status >= 500) throw new ChatFailure('temporary', `Mattermost failed (HTTP ${status})`);
  if (json === undefined) throw notMattermost(status);
  if (status < 400) return json;
  // Every error of Mattermost's own has a dotted name.
  const { id } = json as { id?: unknown };
  if (typeof id !== 'string' || !/^[a-z0-9_.-]{3,120}$/i.test(id)) throw notMattermost(status);
  throw ofStatus(status, id);
}

function notMattermost(status: number): ChatFailure {
  return new ChatFailure('wrong_server', `this is not a Mattermost server (HTTP ${status})`);
}

function ofStatus(status: number, id: string): ChatFailure {
  if (status === 401) {
    return new ChatFailure('unauthorized', `Mattermost no longer accepts the token (${id})`);
  }
  if (status === 403) return new ChatFailure('forbidden', `the bot may not do this (${id})`);
  if (status === 404) return new ChatFailure('not_found', `Mattermost cannot find this (${id})`);
  return new ChatFailure('rejected', `Mattermost refused the call (${id})`);
}
