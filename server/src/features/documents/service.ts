import type { Context, UserContext } from '../../core/context.ts';
import { AppError, conflict, notFound, requireFound } from '../../core/errors.ts';
import { readerOf, type DocumentReader } from './reader.ts';
import {
  findAttachedTexts,
  findDocuments,
  findFileTexts,
  findFirstPages,
  findPages,
  type AttachedText,
  type DocumentRow,
  type FileTextRow,
  type PageRow,
} from './store.ts';

export type { DocumentReader } from './reader.ts';
export { findPassages, searchDocuments, type FoundPassage } from './search/service.ts';
export type { AttachedText, FileTextRow, PageRow } from './store.ts';

export async function getDocument(ctx: UserContext, documentId: string): Promise<DocumentRow> {
  const [document] = await findDocuments(ctx.db, readerOf(ctx), [documentId]);
  return requireFound(document, 'This document');
}

/** A page of the text of a file, and how many there are. */
export async function getFileText(
  ctx: UserContext,
  fileId: string,
  page: number,
): Promise<PageRow & { pages: number }> {
  const file = await getFileWithText(ctx, readerOf(ctx), fileId);
  const [found] = await findPages(ctx, fileId, [page]);
  const { text } = requireFound(found, `Page ${page} of this file`);
  return { text, page, pages: file.readPages };
}

/** 409 while it is being read, 404 if there is none. */
export async function getFileWithText(
  ctx: Pick<Context, 'db'>,
  reader: DocumentReader,
  fileId: string,
): Promise<FileTextRow> {
  const [found] = await findFileTexts(ctx.db, reader, [fileId]);
  const file = requireFound(found, 'This file');
  if (file.textStatus === 'PENDING') throw textPending(file);
  if (file.textStatus === 'READY') return file;
  const why = file.textReason === null ? '' : ` ${file.textReason}`;
  throw new AppError('NOT_FOUND', `This file has no text that can be read.${why}`);
}

function textPending({ readPages, allPages }: FileTextRow): AppError {
  const progress = allPages === null ? `${readPages} pages` : `${readPages} of ${allPages} pages`;
  const message = `The text of this file is still being read: ${progress} until now. Try again in a moment.`;
  return conflict('text_pending', message, { readPages, pages: allPages });
}

/** Names and text of one file, for agents and MCP clients. */
export interface ReadDocument {
  fileId: string;
  /** Null if the file has no text that can be read. */
  documentId: string | null;
  title: string;
  mediaType: string;
  pages: number;
  content: PageRow[];
  /** Those that were asked for, and did not fit. */
  omitted: number[];
}

/** What one call returns. The rest is read with another one. */
const MOST_CHARACTERS = 24_000;

/** Some pages of a file, as many as one call returns. Without a list: from the first one on. */
export async function readDocument(
  ctx: Context,
  reader: DocumentReader,
  { fileId, pages }: { fileId: string; pages: readonly number[] },
): Promise<ReadDocument> {
  const file = await getFileWithText(ctx, reader, fileId);
  const wanted = [...new Set(pages)].toSorted((a, b) => a - b);
  const found = await findPages(ctx, fileId, wanted);
  if (found.length === 0) throw notFound(`Page ${wanted.join(', ')} of ${file.readPages}`);
  let left = MOST_CHARACTERS;
  const content = found.flatMap(({ page, text }) => {
    const shown = text.slice(0, left).toWellFormed();
    const isShown = left > 0;
    left -= shown.length;
    return isShown ? [{ page, text: shown }] : [];
  });
  const shown = new Set(content.map(({ page }) => page));
  return {
    fileId,
    documentId: file.documentId,
    title: file.name,
    mediaType: file.mediaType,
    pages: file.readPages,
    content,
    omitted: found.map(({ page }) => page).filter((page) => !shown.has(page)),
  };
}

/** The same on behalf of the caller. */
export function readOwnDocument(
  ctx: UserContext,
  input: { fileId: string; pages: readonly number[] },
): Promise<ReadDocument> {
  return readDocument(ctx, readerOf(ctx), input);
}

/** What MCP clients see of a file: its name, and the beginning of its text if there is one. */
export async function describeFile(ctx: UserContext, fileId: string): Promise<object> {
  const [found] = await findFileTexts(ctx.db, readerOf(ctx), [fileId]);
  const file = requireFound(found, 'This file');
  const { id, projectId, name, mediaType, size, status, textStatus, textReason } = file;
  const about = { id, projectId, name, mediaType, size, status, text: textStatus, textReason };
  const content = textStatus === 'READY' ? await readBeginning(ctx, id, MOST_CHARACTERS) : [];
  return { ...about, documentId: file.documentId, pages: file.readPages, content };
}

/** Those of the files that the reader may read. */
export function listFileTexts(
  ctx: Pick<Context, 'db'>,
  reader: DocumentReader,
  fileIds: readonly string[],
): Promise<FileTextRow[]> {
  return findFileTexts(ctx.db, reader, fileIds);
}

/** The files of these messages that the reader may read. */
export function listAttachedTexts(
  ctx: Pick<Context, 'db'>,
  reader: DocumentReader,
  messageIds: readonly string[],
): Promise<AttachedText[]> {
  if (messageIds.length === 0) return Promise.resolve([]);
  return findAttachedTexts(ctx.db, reader, messageIds);
}

/** The beginning of a text whose file the caller has read the rights of. */
export function readBeginning(
  ctx: Pick<Context, 'db' | 'orgId'>,
  fileId: string,
  characters: number,
): Promise<PageRow[]> {
  return findFirstPages(ctx, fileId, characters);
}
