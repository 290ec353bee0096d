import { z } from 'zod';
import { recordId, text } from '../../core/fields.ts';
import { READS } from '../../mcp-endpoint/tool-parts.ts';
import { defineMcpTool } from '../../mcp-endpoint/tool.ts';
import { presentMatches } from './present.ts';
import { DocumentMatches, SearchDocuments } from './schema.ts';
import { readOwnDocument, searchDocuments } from './service.ts';

export const searchDocumentsTool = defineMcpTool({
  name: 'search_documents',
  title: 'Search documents',
  description:
    'Searches the texts of files by meaning and by words. Best passages come first, at most three of each document, with title and page. Ask in a full sentence. Finds only what you may read.',
  scope: 'documents:read',
  ...READS,
  input: SearchDocuments,
  output: DocumentMatches,
  prepare: (ctx, input) => searchDocuments(ctx, input),
  run: async (_ctx, _input, result) => presentMatches(result),
});

const MOST_PAGES = 20;

export const readDocumentTool = defineMcpTool({
  name: 'read_document',
  title: 'Read a document',
  description:
    "Reads pages of a file's text by its fileId, which search_documents and attachments of messages have. One call returns about 24,000 characters; `omitted` lists pages that did not fit.",
  scope: 'documents:read',
  ...READS,
  input: z.strictObject({
    fileId: text({ max: 50 }),
    pages: z.array(z.int().min(1).max(1_000_000)).min(1).max(MOST_PAGES),
  }),
  output: z.object({
    fileId: recordId(),
    documentId: recordId().nullable(),
    title: z.string(),
    mediaType: z.string(),
    pages: z.int().meta({ description: 'How many there are.' }),
    content: z.array(z.object({ page: z.int(), text: z.string() })),
    omitted: z.array(z.int()),
  }),
  run: (ctx, input) => readOwnDocument(ctx, input),
});
