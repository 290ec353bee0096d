import { z } from 'zod';
import {
  optional,
  pathId,
  queryInteger,
  recordId,
  text,
  timestamp,
  trimmedText,
} from '../../core/fields.ts';

export const Document = z
  .object({
    id: recordId(),
    projectId: recordId(),
    title: z.string().meta({ description: 'The name of its file.' }),
    url: z.string().nullable(),
    fileId: recordId().nullable(),
    sourceId: recordId().nullable(),
    mediaType: z.string().meta({ example: 'application/pdf' }),
    language: z.string().meta({
      description: 'In which its words are indexed: `en`, `de`, `es` or `fr`.',
    }),
    passages: z.int().meta({ description: 'How many there are until now.' }),
    updatedAt: timestamp(),
  })
  .meta({ id: 'Document' });

const place = (description: string) => z.int().meta({ description });

export const Passage = z
  .object({
    text: z.string(),
    page: z.int(),
    heading: z.string().nullable().meta({ description: 'The last one above it.' }),
    start: place('Where it begins in the text of its page, in code points.'),
    end: place('Where it ends there.'),
  })
  .meta({ id: 'Passage' });

export const DocumentMatch = z
  .object({
    document: Document,
    passage: Passage,
    score: z.number().min(0).max(1).meta({
      description: 'Comparable across searches, and with the scores of memories.',
    }),
    highlights: z.array(z.object({ start: z.int(), end: z.int() })).meta({
      description: 'The words of the query in the text of the passage, in code points.',
    }),
  })
  .meta({ id: 'DocumentMatch' });

export const DocumentMatches = z
  .object({
    items: z.array(DocumentMatch),
    total: z.int(),
    degraded: z.boolean().meta({
      description: 'True if the embedding model was unavailable and only words were compared.',
    }),
  })
  .meta({ id: 'DocumentMatches' });

const id = () => text({ max: 50 });

export const SearchDocuments = z
  .strictObject({
    query: text({ max: 2000 }),
    projectId: optional(id()).meta({ description: 'Only documents of this Project.' }),
    fileId: optional(id()).meta({ description: 'Only the text of this file.' }),
    sourceId: optional(id()).meta({ description: 'Only documents of this source.' }),
    limit: optional(z.int().min(1).max(50)).transform((limit) => limit ?? 10),
  })
  .meta({ id: 'SearchDocuments' });

export const FileText = z
  .object({ text: z.string(), page: z.int(), pages: z.int() })
  .meta({ id: 'FileText' });

export const FileTextQuery = z.strictObject({
  page: queryInteger({ min: 1, max: 1_000_000, fallback: 1, about: 'From 1.' }),
});

const share = () => z.number().min(0).max(1);

const PageMatches = z.object({ page: z.int(), count: z.int() }).meta({ id: 'PageMatches' });

const MatchBox = z
  .object({
    match: z
      .int()
      .meta({ description: 'Which match on the page, from 0. One on two lines has two boxes.' }),
    x: share(),
    y: share(),
    width: share(),
    height: share(),
  })
  .meta({ id: 'MatchBox' });

export const FileMatches = z
  .object({
    total: z.int().meta({ description: 'How often the words are in the file.' }),
    pages: z.array(PageMatches).meta({ description: 'The pages that have them, in order.' }),
    page: z.int(),
    boxes: z.array(MatchBox).meta({
      description:
        'Where they are on `page` of a PDF, in shares of its width and height, from the top left. Empty for other files and for scans.',
    }),
  })
  .meta({ id: 'FileMatches' });

export const FindInFile = z.strictObject({
  query: trimmedText({ max: 200 }).meta({
    description: 'Words that follow each other, in any case.',
  }),
  page: queryInteger({ min: 1, max: 1_000_000, fallback: 1, about: 'Of which `boxes` are.' }),
});

export const FilePath = z.object({ id: pathId('file') });
export const DocumentPath = z.object({ id: pathId('document') });

export type FindInFile = z.output<typeof FindInFile>;
export type SearchDocuments = z.output<typeof SearchDocuments>;
