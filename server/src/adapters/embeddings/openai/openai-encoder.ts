import type { Logger } from 'pino';
import { createLocalEncoder } from '../local/local-encoder.ts';
import { NOT_ENCODED, type Priority, type TextEncoder } from '../text-encoder.ts';
import { createEmbeddingsClient, type ServiceOptions, type Timings } from './embeddings-client.ts';

/** Vectors from a service, token vectors from the local model, so that results are re-ranked too. */
export function createOpenAiEncoder(
  service: ServiceOptions,
  log: Logger,
  options: { timings?: Timings; local?: TextEncoder } = {},
): TextEncoder {
  const client = createEmbeddingsClient(service, log, options.timings);
  const local = options.local ?? createLocalEncoder(log, { isForTokens: true });
  const closing = new AbortController();

  /** Runs both at once. If the local queue is full, the call to the service is aborted too. */
  async function withVectors<T extends object>(
    texts: readonly string[],
    { priority, signal }: { priority: Priority; signal?: AbortSignal | undefined },
    encodeTokens: (signal: AbortSignal) => Promise<T[]>,
  ): Promise<(T & { vector: Float32Array | null })[]> {
    const stop = new AbortController();
    const signals = [stop.signal, closing.signal, ...(signal ? [signal] : [])];
    const either = AbortSignal.any(signals);
    try {
      const [encoded, vectors] = await Promise.all([
        encodeTokens(either),
        client.embed(texts, { priority, signal: either }),
      ]);
      return encoded.map((each, at) => ({ ...each, vector: vectors[at] ?? null }));
    } catch (error) {
      stop.abort(error);
      throw error;
    }
  }

  return {
    model: service.model,
    dimensions: service.dimensions,
    tokenModel: local.tokenModel,
    async encode(texts, { orgId, priority = 'write', signal, tokensOnly = false }) {
      if (tokensOnly) {
        const encoded = await local.encode(texts, { orgId, priority, ...(signal && { signal }) });
        return encoded.map(({ tokens }) => ({ vector: null, tokens }));
      }
      return withVectors(texts, { priority, signal }, (either) =>
        local.encode(texts, { orgId, priority, signal: either }),
      );
    },
    async encodeQuery(text, { orgId, signal }) {
      const [encoded] = await withVectors([text], { priority: 'query', signal }, async (either) => [
        await local.encodeQuery(text, { orgId, signal: either }),
      ]);
      return encoded ?? NOT_ENCODED;
    },
    rerank: (...call) => local.rerank(...call),
    warmUp: () => local.warmUp(),
    async close() {
      closing.abort(new Error('the text encoder is closed'));
      await local.close();
    },
  };
}
