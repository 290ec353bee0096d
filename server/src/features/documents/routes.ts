import { defineRoute, type Route } from '../../http/route.ts';
import { findInFile } from './finding/service.ts';
import { documentExample, presentDocument, presentMatches, searchExample } from './present.ts';
import { showsTheSame } from './replay.ts';
import {
  Document,
  DocumentMatches,
  DocumentPath,
  FilePath,
  FileMatches,
  FileText,
  FileTextQuery,
  FindInFile,
  SearchDocuments,
} from './schema.ts';
import { getDocument, getFileText, searchDocuments } from './service.ts';

const read = { tag: 'Documents', auth: 'user', limit: 'read', extension: true } as const;

export const documentRoutes: Route[] = [
  defineRoute({
    ...read,
    scope: 'files:read',
    operationId: 'getFileText',
    method: 'GET',
    path: '/files/{id}/text',
    summary: "Get a page of a file's text",
    description:
      'Plain text: headings are lines that begin with `#`, cells of tables are separated by ` | `. 409 `text_pending` while the text is being read; `details` say how many pages are read. 404 if the file has no text.',
    request: { params: FilePath, query: FileTextQuery },
    response: FileText,
    example: {
      response: {
        text: '# 12. Notice\n\nEither party may end this agreement …',
        page: 7,
        pages: 9,
      },
    },
    handler: (ctx, { params, query }) => getFileText(ctx, params.id, query.page),
  }),
  defineRoute({
    ...read,
    scope: 'files:read',
    operationId: 'findInFile',
    method: 'GET',
    path: '/files/{id}/matches',
    summary: 'Find words in a file',
    description:
      'How often the words are on each page, and where they are on one page of a PDF. 409 `text_pending` while the text is being read. 404 if the file has no text.',
    request: { params: FilePath, query: FindInFile },
    response: FileMatches,
    example: {
      response: {
        total: 3,
        pages: [
          { page: 2, count: 1 },
          { page: 7, count: 2 },
        ],
        page: 2,
        boxes: [{ match: 0, x: 0.12, y: 0.31, width: 0.18, height: 0.02 }],
      },
    },
    handler: (ctx, { params, query }) => findInFile(ctx, params.id, query),
  }),
  defineRoute({
    ...read,
    scope: 'documents:read',
    operationId: 'getDocument',
    method: 'GET',
    path: '/documents/{id}',
    summary: 'Get a document',
    description:
      'Whoever may read its file may read it. One that the caller may not read is not found.',
    request: { params: DocumentPath },
    response: Document,
    example: { response: documentExample },
    handler: async (ctx, { params }) => presentDocument(await getDocument(ctx, params.id)),
  }),
  defineRoute({
    ...read,
    scope: 'documents:read',
    operationId: 'searchDocuments',
    method: 'POST',
    path: '/documents/search',
    summary: 'Search documents',
    description:
      'Finds passages in the texts of files that the caller may read, by meaning and by words, and re-ranks them as memories are. At most three passages of a document. It counts as a read. `degraded` is true if the embedding model was unavailable and only words were compared.',
    request: { body: SearchDocuments },
    response: DocumentMatches,
    example: searchExample,
    mayReplay: async (ctx, { body }, shown) => !shown || showsTheSame(ctx, body, shown),
    prepare: (ctx, { body }) => searchDocuments(ctx, body),
    handler: async (_ctx, _input, result) => presentMatches(result),
  }),
];
