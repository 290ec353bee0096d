import type { Dispatcher } from 'undici';

/** Viewers are sent nine parts a second, so nobody sees that bytes waited this long. */
const WAIT_MS = 100;
/** With many answers at once, each waits longer: a process passes on so many pieces a second, and no more. */
const PIECES_A_SECOND = 800;
const LONGEST_MS = 400;
/** The first pieces are passed on at once, so that people see the first words as soon as they are there. */
const FIRST_PIECES = 10;
/** What has arrived by then is passed on at once. */
const MOST_BYTES = 64 * 1024;

/**
 * Passes bytes that arrive soon after others on together. A model sends one word at a time, and fetch and
 * the SDK send each piece through a dozen streams, so this comes before all of them.
 */
export const joiningChunks: Dispatcher.DispatcherComposeInterceptor =
  (dispatch) => (options, handler) =>
    dispatch(options, joinChunks(handler));

/** Responses that have begun and not ended. */
let open = 0;

export function joinChunks(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
  // Different for each answer, so that many of them don't ask for the processor at the same moment.
  const patience = 0.8 + Math.random() * 0.4;
  let isOpen = false;
  let held: Buffer[] = [];
  let length = 0;
  let pieces = 0;
  let passedOnAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;

  function setOpen(value: boolean): void {
    if (value !== isOpen) open += value ? 1 : -1;
    isOpen = value;
  }

  function passOn(controller: Dispatcher.DispatchController): void {
    clearTimeout(timer);
    timer = undefined;
    if (length === 0) return;
    const bytes = Buffer.concat(held, length);
    held = [];
    length = 0;
    passedOnAt = performance.now();
    handler.onResponseData?.(controller, bytes);
  }

  return {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onResponseStart(...args) {
      setOpen(true);
      handler.onResponseStart?.(...args);
    },
    onResponseData(controller, chunk) {
      held.push(chunk);
      length += chunk.length;
      const restMs =
        ++pieces <= FIRST_PIECES ? 0 : passedOnAt + patience * waitMs() - performance.now();
      if (restMs <= 0 || length >= MOST_BYTES) passOn(controller);
      else timer ??= setTimeout(() => passOn(controller), restMs);
    },
    onResponseEnd(controller, trailers) {
      setOpen(false);
      passOn(controller);
      handler.onResponseEnd?.(controller, trailers);
    },
    onResponseError(controller, error) {
      setOpen(false);
      passOn(controller);
      handler.onResponseError?.(controller, error);
    },
  };
}

function waitMs(): number {
  return Math.min(LONGEST_MS, Math.max(WAIT_MS, (open / PIECES_A_SECOND) * 1_000));
}
