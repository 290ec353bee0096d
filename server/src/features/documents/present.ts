import { takePage } from '../../lists/page-bytes.ts';
import type { DocumentMatch, DocumentSearchResult } from './search/service.ts';
import type { DocumentRow } from './store.ts';

export function presentDocument({ updatedAt, ...document }: DocumentRow) {
  return { ...document, updatedAt: updatedAt.toISOString() };
}

/** The best matches, no more than fit on a page. */
export function presentMatches({ found, degraded }: DocumentSearchResult) {
  const shown = takePage(found, ({ passage }) => Buffer.byteLength(passage.text));
  return { items: shown.map(presentMatch), total: shown.length, degraded };
}

export function presentMatch({ document, ...match }: DocumentMatch) {
  return { document: presentDocument(document), ...match };
}

export const documentExample = {
  id: 'cmf3k2v8q0021x5p7h9d4t6wz',
  projectId: 'cmf3k2v8q0001x5p7h9d4t6wz',
  title: 'contract.pdf',
  url: null,
  fileId: 'cmf3k2v8q0020x5p7h9d4t6wz',
  sourceId: null,
  mediaType: 'application/pdf',
  language: 'en',
  passages: 42,
  updatedAt: '2026-11-15T09:30:00.000Z',
};

export const searchExample = {
  request: { query: 'how long is the notice period?', limit: 5 },
  response: {
    items: [
      {
        document: documentExample,
        passage: {
          text: 'Either party may end this agreement with a notice of ninety days.',
          page: 7,
          heading: '12. Notice',
          start: 310,
          end: 375,
        },
        score: 0.61248,
        highlights: [{ start: 45, end: 51 }],
      },
    ],
    total: 1,
    degraded: false,
  },
};
