import { CallFailed, CallRefused } from '../safe-fetch/safe-fetch.ts';
import { McpFailure, type McpFailureCode } from './mcp-client.ts';

/**
 * What went wrong, in words of our own: the library's errors quote addresses, headers and bodies. A
 * reason of the caller's own signal comes back as it is.
 */
export function explainFailure(error: unknown, signal: AbortSignal): Error {
  if (signal.aborted) return ofSignal(signal.reason);
  const cause = causeOf(error);
  if (cause instanceof McpFailure) return cause;
  if (cause instanceof CallRefused) return new McpFailure('refused', cause.message);
  if (cause instanceof CallFailed) return new McpFailure(CODES[cause.code], cause.message);
  if (codeOf(error) === 'REQUEST_TIMEOUT') return timedOut();
  const status = statusOf(error);
  return status === undefined
    ? new McpFailure('not_mcp', 'what answers there is not what an MCP server says')
    : new McpFailure('not_mcp', `no MCP server answers there (HTTP ${status})`);
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

/** Our own limit is a failure of the call; any other reason is the caller's, who knows it. */
function ofSignal(reason: unknown): Error {
  return reason instanceof Error && reason.name !== 'TimeoutError' ? reason : timedOut();
}

function timedOut(): McpFailure {
  return new McpFailure('timeout', 'the server did not answer in time');
}

/** The library throws what its fetch threw, or wraps it once. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error;
}

function statusOf(error: unknown): number | undefined {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status === 'number' ? status : undefined;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
