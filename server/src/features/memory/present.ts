import { takePage } from '../../lists/page-bytes.ts';
import type { Memory } from './record.ts';
import type { RankedMemory, SearchResult } from './search/service.ts';
import type { MemoryPage } from './service.ts';

export const memoryExample = {
  id: 'cmf3k2v8q0007x5p7h9d4t6wz',
  content: 'We decided to charge 12 EUR a seat from January, and to keep the free plan.',
  visibility: 'ORG',
  projectId: null,
  ownerUserId: 'cmf3k2v8q0000x5p7h9d4t6wz',
  tags: ['pricing'],
  sourceUrl: 'https://example.com/minutes/2026-11-12',
  embeddingStatus: 'READY',
  createdAt: '2026-11-15T09:30:00.000Z',
  updatedAt: '2026-11-15T09:30:00.000Z',
};

export const searchExample = {
  request: { query: 'what did we decide about pricing?', limit: 5 },
  response: {
    items: [
      {
        ...memoryExample,
        score: 0.46371,
        scores: { vector: 0.612733, lexical: 0.655021, rerank: 0.793418 },
      },
    ],
    total: 1,
    degraded: false,
  },
};

export const createExample = {
  request: {
    content: memoryExample.content,
    visibility: 'ORG',
    tags: ['pricing'],
    sourceUrl: memoryExample.sourceUrl,
  },
  response: memoryExample,
};

export const batchExample = {
  request: { items: [createExample.request] },
  response: { items: [memoryExample], total: 1 },
};

export const listExample = {
  response: { items: [memoryExample], nextBefore: null, hasMore: false },
};

export function presentMemory(memory: Memory) {
  return {
    id: memory.id,
    content: memory.content,
    visibility: memory.visibility,
    projectId: memory.projectId,
    ownerUserId: memory.ownerUserId,
    tags: memory.tags,
    sourceUrl: memory.sourceUrl,
    embeddingStatus: memory.isReady ? ('READY' as const) : ('PENDING' as const),
    createdAt: memory.createdAt.toISOString(),
    updatedAt: memory.updatedAt.toISOString(),
  };
}

export function presentPage({ items, nextBefore, hasMore }: MemoryPage) {
  return { items: items.map(presentMemory), nextBefore, hasMore };
}

/** The best matches, no more than fit on a page. */
export function presentMatches({ found, degraded }: SearchResult) {
  const shown = takePage(found, ({ memory }) => Buffer.byteLength(memory.content));
  return { items: shown.map(presentMatch), total: shown.length, degraded };
}

function presentMatch({ memory, score, scores }: RankedMemory) {
  return { ...presentMemory(memory), score, scores };
}
