import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from './failures.ts';
import { ChatFailure } from './provider.ts';

/** Repeats a read for as long as the chat system asks us to slow down. */
export async function patiently<T>(signal: AbortSignal, read: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof ChatFailure) || error.retryAfterMs === undefined) throw error;
      await sleep(error.retryAfterMs, undefined, { signal }).catch(() => {
        throw reasonOf(signal);
      });
    }
  }
}
