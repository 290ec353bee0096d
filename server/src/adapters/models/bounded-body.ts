import { ProviderFailure } from './provider-failure.ts';

/** Enough for 20,000 characters, each in its own event. */
export const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** Viewers are sent nine parts a second, so nobody sees that bytes waited this long. */
const GATHER_MS = 80;
/** A different time for each answer, so that many of them don't ask for the processor at the same moment. */
const GATHER_JITTER_MS = 40;
/** The first pieces are passed on at once, so that people see the first words as soon as they are there. */
const FIRST_PIECES = 10;
/** What has arrived by then is passed on at once; the rest stays in the socket. */
const GATHER_BYTES = 64 * 1024;

type BodyReader = ReadableStreamDefaultReader<Uint8Array>;

/**
 * The answer's bytes, up to a limit. Those that arrive soon after others are passed on together, because
 * the SDK sends each piece through a dozen streams.
 */
export function boundedBody(reader: BodyReader, first: Uint8Array): ReadableStream<Uint8Array> {
  const gather = createGatherer(reader);
  let length = 0;
  let next: Uint8Array | undefined = first;
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const bytes = next ?? (await gather());
          next = undefined;
          if (!bytes) return controller.close();
          length += bytes.length;
          if (length > MAX_ANSWER_BYTES) throw new ProviderFailure('too_long');
          controller.enqueue(bytes);
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

/** Waits for bytes, then for more until the time since the last call is over. Undefined at the end. */
function createGatherer(reader: BodyReader): () => Promise<Uint8Array | undefined> {
  const gatherMs = GATHER_MS + Math.random() * GATHER_JITTER_MS;
  let passedOnAt = -Infinity;
  let pieces = 0;
  /** A read that was not waited for any longer. It belongs to the next call, as does its failure. */
  let reading: ReturnType<BodyReader['read']> | undefined;

  function read(): ReturnType<BodyReader['read']> {
    reading ??= reader.read();
    reading.catch(() => {});
    return reading;
  }

  return async () => {
    const { value: chunk } = await read();
    reading = undefined;
    if (!chunk) return undefined;
    const chunks = [chunk];
    let length = chunk.length;
    const restMs = ++pieces < FIRST_PIECES ? 0 : passedOnAt + gatherMs - performance.now();
    if (restMs > 0) {
      const over = Promise.withResolvers<void>();
      const timer = setTimeout(() => over.resolve(), restMs);
      while (length < GATHER_BYTES) {
        const more = await Promise.race([read().catch(() => undefined), over.promise]);
        if (!more?.value) break; // The time is over, or the end or failure is the next call's.
        reading = undefined;
        chunks.push(more.value);
        length += more.value.length;
      }
      clearTimeout(timer);
    }
    passedOnAt = performance.now();
    return chunks.length === 1 ? chunk : Buffer.concat(chunks, length);
  };
}
