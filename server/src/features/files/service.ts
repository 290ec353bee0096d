import { projectArchived, requireLiveProject, requireProject } from '../../access/project.ts';
import {
  withTransaction,
  type Context,
  type Dependencies,
  type UserContext,
} from '../../core/context.ts';
import { conflict, forbidden, invalidValue, requireFound } from '../../core/errors.ts';
import { emit } from '../../events/emit.ts';
import type { Elsewhere, FileContent } from '../../lists/file-content.ts';
import { getProject } from '../projects/service.ts';
import { addFile } from './adding.ts';
import { claimedType, mayBeInline } from './media-types.ts';
import { signedPath } from './origin/address.ts';
import { removeFile } from './removal/service.ts';
import { explained } from './storage-errors.ts';
import type { CreateFile, ListFiles, UpdateFile } from './schema.ts';
import {
  findAudience,
  findFilesPlace,
  findReadableFile,
  listFiles as listRows,
  sumOfFiles,
  updateFile as updateRow,
  type FileRow,
  type FilesPlace,
} from './store.ts';

export { withLocalCopy } from './local-copy.ts';
export { openPreview } from './previews/service.ts';
export { findOrgOfFile } from './store.ts';
export { storeFile, type FileToStore } from './storing.ts';
export type { FileRow };

/** 404 if there is none, or the caller may not read it. */
export async function readFile(ctx: UserContext, fileId: string): Promise<FileRow> {
  return requireFound(await findReadableFile(ctx, fileId), 'This file');
}

/** Adds a file to a Project; its bytes come later. */
export async function createFile(
  ctx: UserContext,
  projectId: string,
  { name, size, mediaType }: CreateFile,
): Promise<FileRow & { uploadUrl: string }> {
  requireLiveProject((await requireFilesPlace(ctx, projectId)).archivedAt);
  const file = await addFile(ctx, {
    projectId,
    name,
    size,
    mediaType: claimedType(mediaType),
    uploadedById: ctx.actor.userId,
    uploadedByAgent: null,
  });
  return { ...file, uploadUrl: `${ctx.site.publicUrl()}/api/files/${file.id}/upload` };
}

export async function listFiles(
  ctx: UserContext,
  projectId: string,
  query: ListFiles,
): Promise<{ items: FileRow[]; total: number }> {
  await getProject(ctx, projectId);
  return listRows(ctx, projectId, withWords(query));
}

/** Of every Project, also of archived ones and of direct conversations. */
export function listAllFiles(
  ctx: UserContext,
  query: ListFiles,
): Promise<{ items: FileRow[]; total: number }> {
  return listRows(ctx, null, withWords(query));
}

function withWords({ query = '', ...rest }: ListFiles) {
  return { ...rest, words: query.toLowerCase().split(/\s+/).filter(Boolean) };
}

/** Changes only the given fields. */
export function updateFile(ctx: UserContext, fileId: string, input: UpdateFile): Promise<FileRow> {
  return withTransaction(ctx, async (inner) => {
    const file = await readChangeable(inner, fileId);
    if (input.isShared) await refuseDirect(inner, file);
    const fields = Object.entries(input).flatMap(([field, value]) =>
      value === undefined ? [] : [field],
    );
    if (fields.length === 0) return file;
    const before = await findAudience(inner, fileId);
    const updated = requireFound(await updateRow(inner, fileId, input), 'This file');
    const after = await findAudience(inner, fileId);
    // People who saw it before learn that it has changed.
    const to = before?.to === null ? null : (after?.to ?? null);
    emit(inner, { type: 'file.updated', projectId: file.projectId, fileId, fields, to });
    return updated;
  });
}

/** Its bytes are gone at once, and so is what shows it. */
export async function deleteFile(ctx: UserContext, fileId: string): Promise<void> {
  await readChangeable(ctx, fileId);
  await removeFile(ctx, fileId);
}

/** Files are changed by their uploader, OWNERs and ADMINs, if they may read them. */
async function readChangeable(ctx: UserContext, fileId: string): Promise<FileRow> {
  const file = await readFile(ctx, fileId);
  const { role, userId } = ctx.actor;
  const isOwn = file.uploadedById === userId && file.uploadedByAgent === null;
  if (!isOwn && role !== 'OWNER' && role !== 'ADMIN') {
    throw forbidden('role', "Only the file's uploader, an OWNER or an ADMIN can do this.");
  }
  if ((await requireFilesPlace(ctx, file.projectId)).archivedAt !== null) throw projectArchived();
  return file;
}

export async function requireFilesPlace(ctx: UserContext, projectId: string): Promise<FilesPlace> {
  return requireProject(await findFilesPlace(ctx, projectId));
}

/** Every member of the organisation would read it. */
async function refuseDirect(ctx: UserContext, { projectId }: FileRow): Promise<void> {
  if (!(await requireFilesPlace(ctx, projectId)).isDirect) return;
  throw invalidValue('body.isShared', 'files of direct conversations are for their people only');
}

export async function readUsage(ctx: UserContext) {
  return { ...(await sumOfFiles(ctx)), maxBytes: ctx.fileLimits.quotaBytes };
}

/** What the file's address shows. With a second origin, browsers are sent there. */
export async function getContent(
  ctx: UserContext,
  fileId: string,
  isDownload: boolean,
): Promise<FileContent | Elsewhere> {
  const file = await readFile(ctx, fileId);
  requireReady(file);
  const { filesOrigin } = ctx.site;
  const isInline = !isDownload && mayBeInline(file.mediaType);
  if (filesOrigin === undefined || ctx.actor.keyId !== null) return contentOf(ctx, file, isInline);
  return { location: filesOrigin + signedPath(ctx, file, isInline) };
}

export function contentOf(
  ctx: Pick<Context, 'storage' | 'log'>,
  file: FileRow,
  isInline: boolean,
): FileContent {
  return {
    name: file.name,
    mediaType: file.mediaType,
    size: file.size,
    etag: `"${file.sha256}"`,
    isInline,
    open: (range) => explained(ctx.log, () => openContent(ctx, file, range)),
  };
}

export function requireReady({ status }: FileRow): void {
  if (status === 'READY') return;
  const text =
    status === 'UPLOADING'
      ? 'This file is still being uploaded.'
      : status === 'CHECKING'
        ? 'This file is still being checked. Try again in some seconds.'
        : 'This file has no content. Its `reason` says why.';
  throw conflict('file_not_ready', text, { status });
}

/** The stored bytes, or those from `start` to `end`, which is the last. Throws StorageMissing. */
export async function openContent(
  { storage }: Pick<Dependencies, 'storage'>,
  { storageKey }: Pick<FileRow, 'storageKey'>,
  range?: { start: number; end: number },
): Promise<AsyncIterable<Uint8Array>> {
  if (storageKey === null) throw new Error('the file has no bytes');
  return storage.read(storageKey, range);
}
