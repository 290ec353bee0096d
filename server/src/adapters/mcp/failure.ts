import { CallFailed, CallRefused } from '../safe-fetch/safe-fetch.ts';
import { McpFailure, type McpFailureCode } from './mcp-client.ts';
import { errorCode } from '../../core/error-code.ts';

/**
 * What went wrong, in our own words, because the library's errors quote addresses, headers and bodies. The
 * reason of the caller's own signal is returned unchanged.
 */
export function explainFailure(error: unknown, signal: AbortSignal): Error {
  if (signal.aborted) return ofSignal(signal.reason);
  const cause = causeOf(error);
  if (cause instanceof McpFailure) return cause;
  if (cause instanceof CallRefused) return new McpFailure('refused', cause.message);
  if (cause instanceof CallFailed) return new McpFailure(CODES[cause.code], cause.message);
  if (errorCode(error) === 'REQUEST_TIMEOUT') return timedOut();
  const status = statusOf(error);
  return status === undefined
    ? new McpFailure('not_mcp', 'the response is not a valid MCP message')
    : new McpFailure('not_mcp', `this is not an MCP server (HTTP ${status})`);
}

const CODES: Record<CallFailed['code'], McpFailureCode> = {
  timeout: 'timeout',
  too_large: 'too_large',
  dns: 'network',
  network: 'network',
  tls: 'tls',
  redirect: 'refused',
  bad_answer: 'not_mcp',
  closed: 'network',
};

/** Our own timeout is a failure of the call. Any other reason is the caller's own. */
function ofSignal(reason: unknown): Error {
  return reason instanceof Error && reason.name !== 'TimeoutError' ? reason : timedOut();
}

function timedOut(): McpFailure {
  return new McpFailure('timeout', 'the server did not respond in time');
}

/** The library throws the error of its fetch, or wraps it once. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error;
}

function statusOf(error: unknown): number | undefined {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status === 'number' ? status : undefined;
}
