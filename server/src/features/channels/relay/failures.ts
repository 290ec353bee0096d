import { ChatFailure } from '../../../adapters/chat/provider.ts';

export const LONGEST_PAUSE_MS = 30_000;

/** As long as the chat system asks for, or longer after each failure. */
export function pauseMs(error: unknown, failures: number, firstPauseMs: number): number {
  const asked = error instanceof ChatFailure ? error.retryAfterMs : undefined;
  return asked ?? Math.min(firstPauseMs * 2 ** failures, LONGEST_PAUSE_MS);
}
