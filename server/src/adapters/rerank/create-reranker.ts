import type { Logger } from 'pino';
import { createRerankService, type RerankServiceOptions } from './rerank-service.ts';
import type { Reranker } from './reranker.ts';

export type RerankOptions =
  | { kind: 'none' }
  | { kind: 'local' }
  | ({ kind: 'service' } & RerankServiceOptions);

export function createReranker(options: RerankOptions, log: Logger): Reranker {
  return options.kind === 'service' ? createRerankService(options, log) : options;
}
