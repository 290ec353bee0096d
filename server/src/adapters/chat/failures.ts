import { CallFailed, CallRefused } from '../safe-fetch/safe-fetch.ts';
import { ChatFailure } from './provider.ts';

/** What the guard, the network or the caller's own signal stopped, however deep a library wrapped it. */
export function explainCall(error: unknown, signal?: AbortSignal): Error {
  if (signal?.aborted) return reasonOf(signal);
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ChatFailure) return cause;
    if (cause instanceof CallRefused) return new ChatFailure('refused', cause.message);
    if (cause instanceof CallFailed) {
      const isOther = cause.code === 'redirect' || cause.code === 'bad_answer';
      return new ChatFailure(isOther ? 'wrong_server' : 'temporary', cause.message);
    }
  }
  return new ChatFailure('temporary', 'the network connection failed');
}

export function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error
    ? signal.reason
    : new ChatFailure('temporary', 'the call was stopped');
}

/** `Retry-After` in seconds, as both systems send it. */
export function rateLimited(seconds: number): ChatFailure {
  const known = Number.isFinite(seconds) && seconds >= 0 ? seconds : DEFAULT_WAIT_S;
  const waitMs = Math.min(Math.max(known, SHORTEST_WAIT_S), LONGEST_WAIT_S) * 1000;
  return new ChatFailure('rate_limited', 'the chat system asks us to slow down', waitMs);
}

const DEFAULT_WAIT_S = 10;
const SHORTEST_WAIT_S = 0.1;
const LONGEST_WAIT_S = 15 * 60;
