import { isChatFailure } from '../../../adapters/chat/provider.ts';
import { breakConnectionFor, breakMappingFor } from '../breakage.ts';
import type { ChannelContext } from '../channel-context.ts';
import { findMapping, type MappingRow } from '../mappings/store.ts';
import { pauseMs } from './failures.ts';

export interface DirectionWork {
  /** Returns when to look again, if not only when something happens. `onProgress` is for each thing done. */
  run(mapping: MappingRow, onProgress: () => void): Promise<number | undefined>;
  /** The mapping is not active at present. */
  rest?(): void;
}

/**
 * One direction of a channel. One run at a time, so that messages keep their order. After a failure it waits,
 * longer each time.
 */
export function createDirection(ctx: ChannelContext, mappingId: string, work: DirectionWork) {
  /** In a row. Progress ends the row: much may wait while calls fail now and then. */
  let failures = 0;
  /** After a failure, nothing is tried before this time, whatever waits. */
  let notBefore = -Infinity;
  let isAsked = false;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function run(): Promise<void> {
    while (isAsked && !ctx.signal.aborted) {
      isAsked = false;
      clearTimeout(timer);
      try {
        wakeIn(await runOnce());
        failures = 0;
      } catch (error) {
        if (!ctx.signal.aborted) await handleFailure(error);
        return;
      }
    }
  }

  async function runOnce(): Promise<number | undefined> {
    const mapping = await findMapping(ctx, mappingId);
    if (mapping?.status === 'ACTIVE') return work.run(mapping, () => (failures = 0));
    work.rest?.();
    return undefined;
  }

  async function handleFailure(error: unknown): Promise<void> {
    if (isChatFailure(error, 'unauthorized')) {
      await breakConnectionFor(ctx, ctx.connection, error.message);
      return;
    }
    // The channel is gone, or closed to us.
    if (isChatFailure(error, 'not_in_channel', 'not_found', 'forbidden')) {
      const mapping = await findMapping(ctx, mappingId);
      if (mapping) await breakMappingFor(ctx, mapping, error.message);
      return;
    }
    ctx.log.warn(
      { mappingId, err: error },
      'a channel could not be brought up to date, will retry',
    );
    pause(error);
  }

  function pause(error: unknown): void {
    const ms = pauseMs(error, failures++, ctx.firstPauseMs);
    notBefore = performance.now() + ms;
    wakeIn(ms);
  }

  function wakeIn(ms: number | undefined): void {
    clearTimeout(timer);
    if (ms !== undefined && ms < Infinity && !ctx.signal.aborted) timer = setTimeout(wake, ms);
  }

  function wake(): void {
    const restMs = notBefore - performance.now();
    if (restMs > 0) return wakeIn(restMs);
    isAsked = true;
    running ??= run()
      .catch((error: unknown) => {
        ctx.log.warn({ mappingId, err: error }, 'a channel could not be served, will retry');
        pause(error);
      })
      .finally(() => {
        running = undefined;
        if (isAsked && !ctx.signal.aborted) wake();
      });
  }

  ctx.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  return { wake, ended: async () => running };
}
