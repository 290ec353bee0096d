import type { Logger } from 'pino';
import type { RerankConfig } from '../../config/rerank.ts';
import { createRerankService } from './rerank-service.ts';
import type { Reranker } from './reranker.ts';

export function createReranker(config: RerankConfig, log: Logger): Reranker {
  return config.kind === 'service' ? createRerankService(config, log) : config;
}
