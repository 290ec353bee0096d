import { z } from 'zod';
import { text, trimmedText } from '../../../../core/fields.ts';
import { listFileTexts, readDocument, type FoundPassage } from '../../../documents/service.ts';
import { pageReference } from '../../reading/citations.ts';
import { documentReader, findInDocuments } from '../../reading/sources.ts';
import { defineTool, refused } from './tool.ts';

const USUAL = 8;
const MOST = 20;
const MOST_PAGES = 20;

export const searchDocumentsTool = defineTool({
  name: 'search_documents',
  description:
    "Searches the texts of files by meaning and by words: those that are attached in this session and in this Project's sessions and tasks, and those that are shared with the Project. Best passages come first. Ask in a full sentence. In your answer, refer to a page by its id in square brackets.",
  input: z.strictObject({
    query: trimmedText({ max: 2000 }),
    fileId: text({ max: 50 }).optional().meta({ description: 'Only in this file.' }),
    limit: z.int().min(1).max(MOST).default(USUAL),
  }),
  async run({ ctx, question }, { query, fileId, limit }) {
    if (fileId !== undefined) {
      const [file] = await listFileTexts(ctx, documentReader(ctx.orgId, question), [fileId]);
      if (!file) return refused(`There is no file ${fileId} that everybody here may read.`);
    }
    const one = fileId === undefined ? {} : { fileIds: [fileId], perDocument: limit };
    const found = await findInDocuments(ctx, question, { query, limit, ...one });
    if (found.length === 0) return { text: 'Nothing was found.', isError: false };
    const citable = found.map(({ document, passage }) => ({
      documentId: document.id,
      page: passage.page,
    }));
    return { text: found.map(show).join('\n\n'), isError: false, citable };
  },
});

export const readDocumentTool = defineTool({
  name: 'read_document',
  description:
    'Reads pages of a file by its fileId, which search_documents and attachments have. One call returns about 24,000 characters. In your answer, refer to a page by its id in square brackets.',
  input: z.strictObject({
    fileId: text({ max: 50 }),
    pages: z.array(z.int().min(1)).min(1).max(MOST_PAGES),
  }),
  async run({ ctx, question }, input) {
    const read = await readDocument(ctx, documentReader(ctx.orgId, question), input);
    const { title, documentId, pages, content, omitted } = read;
    const shown = content.map(
      ({ page, text: written }) =>
        `[${referenceTo(documentId, page)}] (page ${page} of ${pages})\n${written}`,
    );
    const rest =
      omitted.length === 0
        ? []
        : [`Not shown, because one call has no room: ${omitted.join(', ')}`];
    const citable = documentId === null ? [] : content.map(({ page }) => ({ documentId, page }));
    return { text: [`“${title}”`, ...shown, ...rest].join('\n\n'), isError: false, citable };
  },
});

function referenceTo(documentId: string | null, page: number): string {
  return documentId === null ? `${page}` : pageReference(documentId, page);
}

function show({ document, passage }: FoundPassage): string {
  const { title, fileId, id } = document;
  const heading = passage.heading === null ? '' : `, “${passage.heading}”`;
  const about = `“${title}”, page ${passage.page}${heading}, fileId ${fileId}`;
  return `[${pageReference(id, passage.page)}] (${about})\n${passage.text}`;
}
