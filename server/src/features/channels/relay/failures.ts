import { ChatFailure } from '../../../adapters/chat/provider.ts';

export const LONGEST_PAUSE_MS = 30_000;
const LOST_CHANNEL = new Set<string>(['not_in_channel', 'not_found', 'forbidden']);

/** The token no longer works. */
export function isHopeless(error: unknown): error is ChatFailure {
  return error instanceof ChatFailure && error.code === 'unauthorized';
}

/** The channel is gone, or closed to us. */
export function isLostChannel(error: unknown): error is ChatFailure {
  return error instanceof ChatFailure && LOST_CHANNEL.has(error.code);
}

/** As long as the chat system asks for, or longer after each failure. */
export function pauseMs(error: unknown, failures: number, firstPauseMs: number): number {
  const asked = error instanceof ChatFailure ? error.retryAfterMs : undefined;
  return asked ?? Math.min(firstPauseMs * 2 ** failures, LONGEST_PAUSE_MS);
}
