import { ChatFailure, type ChatDelivery, type ChatEvent, type ChatStream } from './provider.ts';

/** What one connection may have waiting to be stored. */
const MOST_WAITING = 10_000;

/** From a socket's callbacks to a loop over events. `leave` is called once, when nobody reads any more. */
export function createDeliveries(leave: () => void) {
  let waiting: ChatEvent[] = [];
  let acknowledgements: (() => void)[] = [];
  let wake = Promise.withResolvers<void>();
  let ended: { failure?: Error } | undefined;

  /** What has arrived is still delivered. With a failure, the stream throws it after that. */
  function end(failure?: Error): void {
    ended ??= failure ? { failure } : {};
    wake.resolve();
    leave();
  }

  function take(): ChatDelivery {
    const acknowledging = acknowledgements;
    const delivery = {
      events: waiting,
      acknowledge: () => acknowledging.splice(0).forEach((acknowledge) => acknowledge()),
    };
    waiting = [];
    acknowledgements = [];
    return delivery;
  }

  async function* read(): AsyncGenerator<ChatDelivery, void> {
    try {
      for (;;) {
        if (waiting.length > 0) yield take();
        else if (ended?.failure) throw ended.failure;
        else if (ended) return;
        else {
          await wake.promise;
          wake = Promise.withResolvers();
        }
      }
    } finally {
      end();
    }
  }

  return {
    stream: read() satisfies ChatStream,
    push(events: ChatEvent[], acknowledge?: () => void): void {
      if (ended) return;
      if (events.length === 0) {
        acknowledge?.();
        return;
      }
      if (waiting.length + events.length > MOST_WAITING) {
        end(new ChatFailure('temporary', 'more events arrived than could be stored'));
        return;
      }
      waiting.push(...events);
      if (acknowledge) acknowledgements.push(acknowledge);
      wake.resolve();
    },
    end,
  };
}
