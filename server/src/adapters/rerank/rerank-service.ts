import type { Logger } from 'pino';
import { z } from 'zod';
import type { RerankConfig } from '../../config/rerank.ts';
import { createBreaker } from '../http-service/breaker.ts';
import { parseJson, postForText } from '../http-service/post.ts';
import type { RerankService } from './reranker.ts';

export interface RerankTimings {
  /** A search waits no longer for the service. */
  deadlineMs: number;
  /** How long the service gets no calls once it counts as down. */
  breakerOpenMs: number;
}

const TIMINGS: RerankTimings = { deadlineMs: 2_000, breakerOpenMs: 15_000 };
const FAILURES_IN_A_ROW = 5;
/** Services cut longer texts themselves, or charge for each part. */
const LONGEST_TEXT = 4_000;
/** Some services send the texts back. */
const MAX_BYTES_PER_TEXT = 6 * LONGEST_TEXT + 256;

const Response = z.object({
  results: z.array(z.object({ index: z.int().nonnegative(), relevance_score: z.number() })),
});

/** Calls a re-ranking endpoint in the format of Cohere and Jina. */
export function createRerankService(
  { url, apiKey, model }: Omit<Extract<RerankConfig, { kind: 'service' }>, 'kind'>,
  log: Logger,
  { deadlineMs, breakerOpenMs }: RerankTimings = TIMINGS,
): RerankService {
  const breaker = createBreaker({
    failures: FAILURES_IN_A_ROW,
    openMs: breakerOpenMs,
    onChange: (isOpen) => {
      if (isOpen) log.error({ url }, 'the re-ranking service is down');
      else log.info({ url }, 're-ranking service is available again');
    },
  });

  async function ask(query: string, texts: readonly string[]): Promise<number[]> {
    const documents = texts.map((text) => text.slice(0, LONGEST_TEXT).toWellFormed());
    const body = { query, documents, top_n: texts.length, ...(model !== undefined && { model }) };
    const text = await postForText(url, JSON.stringify(body), {
      service: 'the re-ranking service',
      ...(apiKey !== undefined && { apiKey }),
      maxBytes: 1024 + texts.length * MAX_BYTES_PER_TEXT,
      timeoutMs: deadlineMs,
      signal: new AbortController().signal,
    });
    return readScores(text, texts.length);
  }

  return {
    kind: 'service',
    async rank(query, texts) {
      if (texts.length === 0) return [];
      if (!breaker.mayTry()) return undefined;
      try {
        const scores = await ask(query, texts);
        breaker.succeeded();
        return scores;
      } catch (error) {
        breaker.failed();
        log.warn({ err: error }, 'could not re-rank with the service; using the local model');
        return undefined;
      }
    },
  };
}

/** In the order of the texts. Throws if one is missing. */
function readScores(body: string, count: number): number[] {
  const { results } = Response.parse(parseJson(body));
  const scores = new Map(results.map((each) => [each.index, each.relevance_score]));
  return Array.from({ length: count }, (_, at) => {
    const score = scores.get(at);
    if (score === undefined) throw new Error(`the service sent no score for text ${at}`);
    return Math.min(1, Math.max(0, score));
  });
}
