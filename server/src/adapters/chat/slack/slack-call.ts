import type { WebClient, WebAPICallError } from '@slack/web-api';
import { explainCall, rateLimited, reasonOf } from '../failures.ts';
import type { ChatGuard } from '../guard.ts';
import { ChatFailure, type ChatFailureCode } from '../provider.ts';

/** One call of the Web API, through the guard, once. */
export type SlackCall = ReturnType<typeof createSlackCall>;

/** 200 long messages with their blocks, which say everything twice. */
const LIMITS = { totalMs: 20_000, headersMs: 15_000, maxBytes: 16 * 1024 * 1024, maxRedirects: 0 };

const SLACK = 'https://slack.com';

export function createSlackCall(token: string, guard: ChatGuard) {
  return async <T>(method: (client: WebClient) => Promise<T>, signal?: AbortSignal): Promise<T> => {
    if (signal?.aborted) throw reasonOf(signal);
    // Loaded on first use: it is large, and most processes have no connection to Slack.
    const { WebClient } = await import('@slack/web-api');
    try {
      return await method(new WebClient(token, clientOptions(guard, signal)));
    } catch (error) {
      throw explainSlack(error, signal);
    }
  };
}

/** Made for each call, because the library has no way to pass a signal. */
export function clientOptions({ safeFetch, slackOrigin = SLACK }: ChatGuard, signal?: AbortSignal) {
  return {
    slackApiUrl: `${slackOrigin}/api/`,
    logger: SILENT,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
    fetch: (input: string | URL | Request, init: RequestInit = {}) =>
      safeFetch.fetch(
        input instanceof Request ? input.url : input,
        { ...init, ...(signal && { signal }) },
        LIMITS,
      ),
  };
}

/** The library would write to the console, with parts of messages. */
export const SILENT = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  setName() {},
  getLevel: () => 'error' as never,
};

export function explainSlack(error: unknown, signal?: AbortSignal): Error {
  if (signal?.aborted) return reasonOf(signal);
  const slackError = error as WebAPICallError;
  switch (slackError.code as string | undefined) {
    case 'slack_webapi_rate_limited_error':
      return rateLimited((slackError as { retryAfter?: number }).retryAfter ?? Number.NaN);
    case 'slack_webapi_platform_error':
      return ofCode((slackError as { data?: { error?: string } }).data?.error ?? '');
    case 'slack_webapi_http_error':
      return ofStatus((slackError as { statusCode?: number }).statusCode ?? 0);
    case 'slack_webapi_request_error':
      return explainCall((slackError as { original?: unknown }).original);
    default:
      return explainCall(error);
  }
}

function ofStatus(status: number): ChatFailure {
  if (status === 429) return rateLimited(Number.NaN);
  return status >= 500
    ? new ChatFailure('temporary', `Slack failed (HTTP ${status})`)
    : new ChatFailure('wrong_server', `this is not Slack (HTTP ${status})`);
}

/** The library takes a response that is not JSON for the error's name. */
function ofCode(name: string): ChatFailure {
  if (!/^[a-z_]{1,60}$/.test(name)) {
    return new ChatFailure('wrong_server', 'this is not Slack: the response is not JSON');
  }
  if (name === 'ratelimited' || name === 'rate_limited') return rateLimited(Number.NaN);
  const [code, problem] = CODES[name] ?? ['rejected', 'Slack refused the call'];
  return new ChatFailure(code, `${problem} (${name})`);
}

const CODES: Record<string, readonly [ChatFailureCode, string]> = {
  ...codes('unauthorized', 'Slack no longer accepts the token', [
    'invalid_auth',
    'not_authed',
    'account_inactive',
    'token_revoked',
    'token_expired',
    'team_disabled',
    'user_removed_from_team',
    'org_login_required',
  ]),
  ...codes('forbidden', 'the Slack app may not do this', [
    'missing_scope',
    'not_allowed_token_type',
    'no_permission',
    'access_denied',
    'restricted_action',
    'restricted_action_read_only_channel',
    'team_access_not_granted',
    'ekm_access_denied',
    'enterprise_is_restricted',
  ]),
  ...codes('not_in_channel', 'the Slack app is not in this channel', [
    'not_in_channel',
    'channel_not_found',
    'is_archived',
  ]),
  ...codes('not_found', 'Slack cannot find this', [
    'message_not_found',
    'thread_not_found',
    'file_not_found',
    'file_deleted',
    'user_not_found',
    'users_not_found',
    'user_not_visible',
    'no_item_specified',
  ]),
  ...codes('temporary', 'Slack is having problems', [
    'fatal_error',
    'internal_error',
    'service_unavailable',
    'request_timeout',
    'team_added_to_org',
    'external_service_migration_in_progress',
  ]),
};

function codes(code: ChatFailureCode, problem: string, names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, [code, problem] as const]));
}
