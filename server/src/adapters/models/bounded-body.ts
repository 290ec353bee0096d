import { joinDeltas } from './join-deltas.ts';
import { ProviderFailure } from './provider-failure.ts';

/** Enough for 20,000 characters, each in its own event. */
export const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** Except one at the end, since the rest of it may come next. */
const LINE_END = /\r(?!$)\n?/g;

type BodyReader = ReadableStreamDefaultReader<Uint8Array>;

/** The answer's events, up to a limit in bytes. Those that arrive together are joined where they can be. */
export function boundedBody(reader: BodyReader, first: Uint8Array): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let length = 0;
  let next: Uint8Array | undefined = first;
  /** The beginning of an event whose end has not arrived. */
  let begun = '';

  /** Undefined at the end. */
  async function readBytes(): Promise<Uint8Array | undefined> {
    const bytes = next ?? (await reader.read()).value;
    next = undefined;
    length += bytes?.length ?? 0;
    if (length > MAX_ANSWER_BYTES) throw new ProviderFailure('too_long');
    return bytes;
  }

  /** Whole events, or what comes after the last of them. Undefined at the end. */
  async function readEvents(): Promise<string | undefined> {
    for (;;) {
      const bytes = await readBytes();
      const text = begun + decoder.decode(bytes, { stream: bytes !== undefined });
      if (!bytes) {
        begun = '';
        return text === '' ? undefined : text;
      }
      const events = text.replaceAll(LINE_END, '\n').split('\n\n');
      begun = events.pop() ?? '';
      if (events.length > 0) return `${joinDeltas(events).join('\n\n')}\n\n`;
    }
  }

  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const events = await readEvents();
          if (events === undefined) controller.close();
          else controller.enqueue(encoder.encode(events));
        } catch (error) {
          void reader.cancel().catch(() => {});
          controller.error(
            error instanceof ProviderFailure ? error : new ProviderFailure('broken'),
          );
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Reads only what was requested; the rest stays in the socket.
    { highWaterMark: 0 },
  );
}
