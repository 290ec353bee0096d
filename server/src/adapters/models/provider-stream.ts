import type { wrapLanguageModel } from 'ai';
import type { Logger } from 'pino';

type ProviderModel = ReturnType<typeof wrapLanguageModel>;
type ProviderStream = Awaited<ReturnType<ProviderModel['doStream']>>['stream'];
type Part = ProviderStream extends ReadableStream<infer P> ? P : never;
type Delta = Extract<Part, { delta: string }>;

/** In characters. Whoever reads can stop between two pieces, so none gets much longer than this. */
const LONG_PIECE = 1_000;

/**
 * Joins the pieces of text that arrive in one turn of the event loop, for the same reason as `boundedBody`.
 * Also keeps the SDK from printing warnings to the console: its own switch for that is global.
 */
export function tidyStream(stream: ProviderStream, log: Logger): ProviderStream {
  let held: Delta | undefined;
  let release: NodeJS.Immediate | undefined;

  function flush(controller: TransformStreamDefaultController<Part>): void {
    clearImmediate(release);
    release = undefined;
    if (held) controller.enqueue(held);
    held = undefined;
  }

  return stream.pipeThrough(
    new TransformStream<Part, Part>({
      transform(part, controller) {
        if (held && isPlainDelta(part) && continues(held, part)) {
          held = { ...held, delta: held.delta + part.delta };
          return;
        }
        flush(controller);
        if (isPlainDelta(part)) {
          held = part;
          release = setImmediate(() => {
            try {
              flush(controller);
            } catch {
              // Nobody reads it any more.
            }
          });
          return;
        }
        controller.enqueue(part.type === 'stream-start' ? withoutWarnings(part, log) : part);
      },
      flush,
    }),
  );
}

function continues(held: Delta, part: Delta): boolean {
  return held.type === part.type && held.id === part.id && held.delta.length < LONG_PIECE;
}

/** Without anything that a joined one would lose. */
function isPlainDelta(part: Part): part is Delta {
  return 'delta' in part && part.providerMetadata === undefined;
}

function withoutWarnings(part: Extract<Part, { type: 'stream-start' }>, log: Logger): Part {
  if (part.warnings.length > 0) log.debug({ warnings: part.warnings }, 'the AI SDK warns');
  return { ...part, warnings: [] };
}
