import type { Logger } from 'pino';
import { NOT_ENCODED, type TextEncoder } from '../text-encoder.ts';
import type { Encoded, EncodeRequest } from './messages.ts';
import { DIMENSIONS, MODEL, TOKEN_MODEL } from './model-files.ts';
import { createModelThread, type ThreadOptions } from './model-thread.ts';
import { createQueueLimit, QUEUE_LIMITS, type QueueLimits } from './queue-limit.ts';

export interface LocalEncoderOptions extends ThreadOptions {
  limits?: QueueLimits;
  /** Only token vectors are needed; vectors come from a service. */
  isForTokens?: boolean;
}

/** all-MiniLM-L6-v2 in a thread of this process: no network, no key. */
export function createLocalEncoder(log: Logger, options: LocalEncoderOptions = {}): TextEncoder {
  const thread = createModelThread(log, options);
  const admit = createQueueLimit(options.limits ?? QUEUE_LIMITS);
  const { isForTokens = false } = options;

  function encode(request: Omit<EncodeRequest, 'kind' | 'isForTokens'>, signal?: AbortSignal) {
    const { texts } = request;
    return admit(request, texts, async (): Promise<Encoded> => {
      if (texts.length === 0) return [];
      const encoded = await thread.encode({ kind: 'encode', isForTokens, ...request }, signal);
      return encoded ?? texts.map(() => NOT_ENCODED);
    });
  }

  return {
    model: MODEL,
    dimensions: DIMENSIONS,
    tokenModel: TOKEN_MODEL,
    async encode(texts, { orgId, priority = 'write', signal }) {
      const encoded = await encode({ orgId, texts, priority }, signal);
      return encoded.map(({ vector, tokens }) => ({ vector, tokens }));
    },
    async encodeQuery(text, { orgId, isReranked = false, signal }) {
      const request = { orgId, texts: [text], priority: 'query' as const, isReranked };
      const [encoded = NOT_ENCODED] = await encode(request, signal);
      return encoded;
    },
    async rerank({ tokens: query }, weights, memories, { orgId, signal }) {
      if (!query || memories.length === 0) return memories.map(() => null);
      const request = { orgId, query, weights, memories: packTightly(memories) };
      const scores = await thread.rerank({ kind: 'rerank', ...request }, signal);
      return scores ?? memories.map(() => null);
    },
    warmUp: () => thread.warmUp(),
    close: () => thread.close(),
  };
}

/** A row's bytes are a view into the driver's buffer, and all of that buffer would be copied to the thread. */
function packTightly(memories: readonly (Uint8Array | null)[]): (Uint8Array | null)[] {
  const length = memories.reduce((sum, memory) => sum + (memory?.length ?? 0), 0);
  const joined = new Uint8Array(length);
  let from = 0;
  return memories.map((memory) => {
    if (!memory) return null;
    joined.set(memory, from);
    from += memory.length;
    return joined.subarray(from - memory.length, from);
  });
}
