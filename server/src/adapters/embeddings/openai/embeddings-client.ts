import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createBreaker } from '../../http-service/breaker.ts';
import { postForText, ServiceFailure } from '../../http-service/post.ts';
import type { EmbeddingsConfig } from '../../../config/embeddings.ts';
import type { Priority } from '../text-encoder.ts';
import { readVectors } from './embeddings-response.ts';

export type ServiceOptions = Omit<Extract<EmbeddingsConfig, { kind: 'openai' }>, 'kind'>;

export interface Timings {
  /** For all attempts together. A search gives up sooner than a write. */
  deadlinesMs: Record<Priority, number>;
  /** Before the second attempt. Doubles with each attempt; half of it is random. */
  backoffMs: number;
  /** The longest Retry-After to honour. */
  maxRetryAfterMs: number;
  /** How long the service gets no calls once it counts as down. */
  breakerOpenMs: number;
  /** Another clock than the system's, for tests. */
  now?: () => number;
}

type Vectors = (Float32Array | null)[];

/** The time limits of one call of `embed`. */
interface Allowance {
  signal: AbortSignal;
  attemptMs: number;
  /** Aborted by the caller rather than by the deadline. */
  hasCallerLeft: () => boolean;
}

export const TIMINGS: Timings = {
  deadlinesMs: { query: 10_000, write: 30_000, background: 30_000 },
  backoffMs: 250,
  maxRetryAfterMs: 10_000,
  breakerOpenMs: 15_000,
};
/** Services accept more, but 64 vectors as numbers are 2 MB of JSON to parse on the event loop. */
const MAX_INPUTS = 64;
const MAX_ATTEMPTS = 4;
const FAILURES_IN_A_ROW = 5;
/** After this many, the texts are not the problem. */
const REFUSALS_IN_A_ROW = 8;
/** 1,536 numbers as text are about 34 KB. */
const MAX_BYTES_PER_VECTOR = 128 * 1024;

/** Calls an embeddings endpoint in OpenAI's format, and handles all of its failures. */
export function createEmbeddingsClient(
  service: ServiceOptions,
  log: Logger,
  timings: Timings = TIMINGS,
) {
  const url = `${service.baseUrl.replace(/\/+$/, '')}/embeddings`;
  const breaker = createBreaker({
    failures: FAILURES_IN_A_ROW,
    openMs: timings.breakerOpenMs,
    ...(timings.now && { now: timings.now }),
    onChange: (isOpen) => {
      if (isOpen) log.error({ model: service.model }, 'the embedding service is down');
      else log.info({ model: service.model }, 'embedding service is available again');
    },
  });

  /** A refusal may be about one of many texts, so each is then sent alone. */
  async function embedBatch(texts: readonly string[], allowance: Allowance): Promise<Vectors> {
    try {
      return await embedWithRetries(texts, allowance);
    } catch (error) {
      if (isRefusal(error) && texts.length > 1) return embedOneByOne(texts, allowance);
      if (!allowance.hasCallerLeft()) {
        log.warn({ err: error, texts: texts.length }, 'could not embed texts');
      }
      return texts.map(() => null);
    }
  }

  async function embedOneByOne(texts: readonly string[], allowance: Allowance): Promise<Vectors> {
    const vectors: Vectors = texts.map(() => null);
    for (let at = 0, inARow = 0; at < texts.length && inARow < REFUSALS_IN_A_ROW; at++) {
      const [vector = null] = await embedBatch(texts.slice(at, at + 1), allowance);
      vectors[at] = vector;
      inARow = vector ? 0 : inARow + 1;
    }
    return vectors;
  }

  async function embedWithRetries(
    texts: readonly string[],
    allowance: Allowance,
  ): Promise<Float32Array[]> {
    for (let tried = 1; ; tried++) {
      if (!breaker.mayTry()) throw new ServiceFailure('the embedding service is down');
      try {
        return await attempt(texts, allowance);
      } catch (error) {
        const { signal } = allowance;
        const isLasting = error instanceof ServiceFailure && !error.isPassing;
        if (tried === MAX_ATTEMPTS || signal.aborted || isLasting) throw error;
        await sleep(pauseMs(error, tried, timings), undefined, { signal });
      }
    }
  }

  /** Reports the outcome to the breaker. */
  async function attempt(texts: readonly string[], allowance: Allowance): Promise<Float32Array[]> {
    try {
      const body = await postForText(url, requestBody(service, texts), {
        service: 'the embedding service',
        ...(service.apiKey !== undefined && { apiKey: service.apiKey }),
        maxBytes: 1024 + texts.length * MAX_BYTES_PER_VECTOR,
        timeoutMs: allowance.attemptMs,
        signal: allowance.signal,
      });
      const vectors = readVectors(body, texts.length, service.dimensions);
      breaker.succeeded();
      return vectors;
    } catch (error) {
      if (allowance.hasCallerLeft()) breaker.abandoned();
      // Refusing these texts means that the service is up.
      else if (isRefusal(error)) breaker.succeeded();
      else breaker.failed();
      throw error;
    }
  }

  return {
    /**
     * Null for a text that got no vector in time or that the service refuses. Rejects only with the signal's
     * reason.
     */
    async embed(
      texts: readonly string[],
      { priority, signal }: { priority: Priority; signal: AbortSignal },
    ): Promise<Vectors> {
      const deadlineMs = timings.deadlinesMs[priority];
      const allowance: Allowance = {
        signal: AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]),
        // If the service hangs once, there is still time to retry.
        attemptMs: Math.ceil(deadlineMs / 3),
        hasCallerLeft: () => signal.aborted,
      };
      const vectors: Vectors = [];
      for (let from = 0; from < texts.length; from += MAX_INPUTS) {
        vectors.push(...(await embedBatch(texts.slice(from, from + MAX_INPUTS), allowance)));
        signal.throwIfAborted();
      }
      return vectors;
    },
  };
}

function isRefusal(error: unknown): boolean {
  return error instanceof ServiceFailure && error.isRefusal;
}

function pauseMs(error: unknown, tried: number, timings: Timings): number {
  const asked = error instanceof ServiceFailure ? error.retryAfterMs : undefined;
  if (asked !== undefined) return Math.min(asked, timings.maxRetryAfterMs);
  return timings.backoffMs * 2 ** (tried - 1) * (0.5 + Math.random() / 2);
}

function requestBody({ model, dimensions }: ServiceOptions, texts: readonly string[]): string {
  return JSON.stringify({
    model,
    // Services refuse an empty text; a space means the same.
    input: texts.map((text) => text || ' '),
    encoding_format: 'base64',
    // Other models refuse the parameter.
    ...(model.includes('text-embedding-3') && { dimensions }),
  });
}
