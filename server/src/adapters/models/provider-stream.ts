import type { Logger } from 'pino';
import type { ProviderModel } from './provider-prompt.ts';

type ProviderStream = Awaited<ReturnType<ProviderModel['doStream']>>['stream'];
type Part = ProviderStream extends ReadableStream<infer P> ? P : never;

/** Keeps the SDK from printing warnings to the console: its own switch for that is global. */
export function logWarnings(stream: ProviderStream, log: Logger): ProviderStream {
  return stream.pipeThrough(
    new TransformStream<Part, Part>({
      transform(part, controller) {
        controller.enqueue(part.type === 'stream-start' ? withoutWarnings(part, log) : part);
      },
    }),
  );
}

function withoutWarnings(part: Extract<Part, { type: 'stream-start' }>, log: Logger): Part {
  if (part.warnings.length > 0) log.debug({ warnings: part.warnings }, 'the AI SDK warns');
  return { ...part, warnings: [] };
}
